/** What a submission's status means, in words, and where on its way it is. */
import type { Shapes } from "../api/client";

type Submission = Shapes["SubmissionView"];

export const STEPS = ["Upload", "Queue", "Predictions", "Scores", "Board"] as const;

export const STATUSES = [
  "submitting",
  "submitted",
  "running",
  "predicted",
  "scoring",
  "finished",
  "failed",
  "cancelled",
] as const;

const ENDS = new Set(["finished", "failed", "cancelled"]);

/** Whether nothing more will happen by itself. */
export function hasEnded(status: string): boolean {
  return ENDS.has(status);
}

/** The step it is at, or at which it stopped: an index into STEPS. */
export function stepOf(submission: Submission): number {
  const { status, started_at, evaluations = [] } = submission;
  const at = { submitting: 0, submitted: 1, running: 2, predicted: 3, scoring: 3, finished: 5 }[status];
  if (at !== undefined) return at;
  if (!started_at) return submission.kind === "" || !submission.digest ? 0 : 1;
  return evaluations.length > 0 && evaluations.every((one) => one.status === "finished") ? 3 : 2;
}

/** One sentence: what happens now. */
export function sentence(submission: Submission): string {
  const { status, step, queue_position, failure } = submission;
  const longer = submission.reason ? ` ${submission.reason}` : "";
  switch (status) {
    case "submitting":
      return "The archive is on its way.";
    case "submitted":
      return place(queue_position ?? 1);
    case "running":
      return `${step ? `${step}.` : "It is running."}${longer}`;
    case "predicted":
      return `All predictions are there; they are scored next.${longer}`;
    case "scoring":
      return `Metrics and their intervals are computed.${longer}`;
    case "finished":
      return `Every result is there.${longer}`;
    case "cancelled":
      return submission.reason ?? "It was cancelled.";
    default:
      return failure === "platform"
        ? "The platform failed, not the model. It does not count against your quota; try it again."
        : (submission.reason ?? "It failed.");
  }
}

/** A position in the queue (from 1), in words. */
function place(position: number): string {
  if (position <= 1) return "It is the next one to run.";
  return `${position - 1} ${position === 2 ? "submission is" : "submissions are"} before it in the queue.`;
}

/** Milliseconds until the next look: often while something moves, rarely while it waits, never after the end. */
export function lookAgain(status: string | undefined, failed: boolean): number | false {
  if (failed) return 15_000;
  if (status === undefined || hasEnded(status)) return false;
  return status === "submitted" || status === "submitting" ? 4_000 : 1_500;
}

/** The look of a status's flag. */
export function kindOf(status: string): "plain" | "good" | "bad" | "caution" {
  if (status === "finished") return "good";
  if (status === "failed") return "bad";
  return status === "cancelled" ? "plain" : "caution";
}
