/** What perturbations are called and what they do, for readers; docs/perturbations-*.md has it in full. */

const KINDS: Readonly<Record<string, readonly [title: string, meaning: string]>> = {
  Contraction: ["Contractions", "“is not” becomes “isn't”, or the other way round."],
  Keyboard: ["Keyboard slips", "A character becomes its neighbour on a keyboard."],
  Ocr: ["Scanning errors", "A character becomes one that looks like it: o and 0, l and 1."],
  Punctuation: ["Punctuation", "Another mark at the end, or quotes or brackets around the text."],
  SpellingError: ["Misspellings", "Words are written as people misspell them."],
  Typos: ["Typing errors", "A letter is replaced, swapped, inserted or left out."],
  WordCase: ["Upper case", "The whole text in capitals."],
  name_ethnicity: ["Names of another group", "First names become those of another group, of the same gender."],
  name_gender: ["Names of another gender", "First names become those of the other gender, nouns and pronouns along."],
  gendered_words: ["Gendered words", "Nouns and pronouns become those of the other gender."],
};

/** The kind in words: "Keyboard" is "Keyboard slips". */
export function kindTitle(kind: string): string {
  return KINDS[kind]?.[0] ?? kind;
}

/** What the kind does, in a sentence; empty for one that is not known here. */
export function kindMeaning(kind: string): string {
  return KINDS[kind]?.[1] ?? "";
}

/** Between whom: "female→male" is "women to men", "black-female" is "Black women". */
export function groupTitle(group: string): string {
  const [people, gender] = group.split("-");
  const named = ETHNICITIES[people ?? ""];
  if (named && gender) return `${named} ${GENDERS[gender] ?? gender}`;
  return DIRECTIONS[group] ?? group;
}

const DIRECTIONS: Readonly<Record<string, string>> = {
  "female→male": "women to men",
  "male→female": "men to women",
  both: "both ways",
};

const ETHNICITIES: Readonly<Record<string, string>> = {
  api: "Asian and Pacific",
  black: "Black",
  hispanic: "Hispanic",
  white: "white",
};

const GENDERS: Readonly<Record<string, string>> = { female: "women", male: "men", mixed: "women and men" };
