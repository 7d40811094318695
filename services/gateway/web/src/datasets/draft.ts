/** A dataset about to be added: what its owner has said of it so far. */

export interface Draft {
  readonly catalogue: string;
  readonly task: string;
  readonly name: string;
  readonly role: "scoring" | "standard" | "hidden";
  readonly licence: string;
  readonly citation: string;
  readonly description: string;
  readonly format: string;
  readonly mapping: string;
}

export const DRAFT: Draft = {
  catalogue: "",
  task: "",
  name: "",
  role: "hidden",
  licence: "",
  citation: "",
  description: "",
  format: "jsonl",
  mapping: "",
};

export const FORMATS = ["jsonl", "csv", "tsv", "parquet", "squad", "snli", "sst", "hans", "mrqa"] as const;

/** What is still wrong or missing, the first thing first; empty when nothing is. The server checks it all again. */
export function problemOf(draft: Draft, file: Blob | null): string {
  if (!file) return "Choose a file.";
  if (!isObject(draft.mapping)) return 'The mapping must be a JSON object, such as {"id": "uid"}.';
  if (draft.catalogue) return "";
  if (!draft.task) return "Choose a task.";
  if (!/^[a-z0-9][a-z0-9-]{0,61}$/.test(draft.name)) return "The name takes small letters, digits and dashes.";
  if (!draft.licence.trim()) return "Say under which licence it is.";
  return draft.citation.trim() ? "" : "Say whom to cite.";
}

/** The query of the upload: only what was said, so that a catalogue entry's own words stand for the rest. */
export function queryOf(draft: Draft): Partial<Draft> {
  const ofCatalogue = draft.catalogue ? ["format", "role"] : [];
  const said = Object.entries(draft).filter(
    ([name, value]: [string, string]) => value.trim() !== "" && !ofCatalogue.includes(name),
  );
  return Object.fromEntries(said) as Partial<Draft>;
}

function isObject(text: string): boolean {
  if (!text.trim()) return true;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
