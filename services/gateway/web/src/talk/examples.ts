/** Examples as they are typed, sent and perturbed, and the models that can be asked about them. Pure. */
import type { Shapes } from "../api/client";

/** An example as it is typed: lists of tokens are typed with blanks between them. */
export type Example = Readonly<Record<string, string>>;
export type Task = Shapes["TaskView"];
export type Variant = Shapes["PreviewVariant"];
export type Suite = "robustness" | "fairness";
const SUITES: readonly Suite[] = ["robustness", "fairness"];

/** The suites of perturbations that are run for a task, those of writing first. */
export function suitesOf({ suites }: Task): Suite[] {
  return SUITES.filter((suite) => suites.includes(suite));
}

/** A model that can be asked: its newest version that has ended well. */
export interface Speaker {
  readonly model: string;
  readonly name: string;
  readonly submission: string;
}

/** Models with a version that ran here; predictions alone cannot be asked. */
export function speakersOf(models: readonly Shapes["ModelView"][]): Speaker[] {
  return models.flatMap(({ id, name, versions }) => {
    const newest = versions?.find((version) => version.status === "finished" && version.verified);
    return newest ? [{ model: id, name, submission: newest.id }] : [];
  });
}

/** The example after a variant's edits. */
export function perturbed(example: Example, variant: Variant): Example {
  const changed = Object.entries(variant.fields).map(([field, pieces]) => [
    field,
    pieces.map((p) => p.variant).join(""),
  ]);
  return { ...example, ...Object.fromEntries(changed) };
}

/** An example as a dataset has it, to be typed. */
export function typed(inputs: readonly string[], example: Readonly<Record<string, unknown>>): Example {
  const text = (value: unknown) => (Array.isArray(value) ? value.join(" ") : String(value));
  return Object.fromEntries(inputs.map((field) => [field, text(example[field])]));
}

/** An example as it is typed, to be sent. */
export function sent({ inputs, token_inputs }: Task, example: Example): Record<string, string | string[]> {
  const value = (field: string) => {
    const text = example[field] ?? "";
    return token_inputs.includes(field) ? text.split(/\s+/).filter(Boolean) : text;
  };
  return Object.fromEntries(inputs.map((field) => [field, value(field)]));
}
