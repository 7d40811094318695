/** A model's answer as the contract writes it, read for showing. */
import type { Shapes } from "../api/client";

export interface Answer {
  /** The label or the text; labels of tokens with blanks between them. */
  readonly value: string;
  /** Per label, summing to 1; null where the model gives none. */
  readonly prob: Readonly<Record<string, number>> | null;
  readonly conf: number | null;
}

export function readAnswer(task: Shapes["TaskView"], raw: Readonly<Record<string, unknown>>): Answer {
  const { prob, conf } = raw;
  const value = raw[task.answer_field] ?? "";
  return {
    value: Array.isArray(value) ? value.join(" ") : String(value),
    prob: isNumbers(prob) ? prob : null,
    conf: typeof conf === "number" ? conf : null,
  };
}

function isNumbers(value: unknown): value is Record<string, number> {
  return typeof value === "object" && value !== null && Object.values(value).every((one) => typeof one === "number");
}

/** How long an answer took, in words: a first question pays for starting the model. */
export function tookWords({ milliseconds, started_now }: Shapes["PredictResponse"]): string {
  const took =
    milliseconds < 1000 ? `${Math.max(1, Math.round(milliseconds))} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
  return started_now ? `${took}, most of it for starting the model` : took;
}
