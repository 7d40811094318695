/** What a dataset's role and phase mean, in words. */

export const ROLES = {
  scoring: "ranked: it makes the score",
  standard: "reported, not ranked",
  hidden: "for task owners only",
} as const;

const PHASES: Readonly<Record<string, string>> = {
  training: "for training: no model is tested on it",
  "test-unlabelled": "test, its labels not yet released",
  "labels-released": "test, its labels released",
};

/** A phase in words; as it is where it is not known here. */
export function phaseWords(phase: string): string {
  return PHASES[phase] ?? phase.replaceAll("-", " ");
}

/** Names with counts, the most frequent first. */
export function ranked(counts: Readonly<Record<string, number>>): [string, number][] {
  return Object.entries(counts).sort(([a, x], [b, y]) => y - x || a.localeCompare(b));
}
