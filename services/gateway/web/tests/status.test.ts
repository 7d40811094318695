import { expect, test } from "vitest";
import type { Shapes } from "../src/api/client";
import { lookAgain, sentence, STEPS, stepOf } from "../src/submissions/status";

function submission(values: Partial<Shapes["SubmissionView"]>): Shapes["SubmissionView"] {
  return { status: "running", kind: "model", digest: "d", evaluations: [], ...values } as Shapes["SubmissionView"];
}

test("each status has its step", () => {
  const at = (status: string) => STEPS[stepOf(submission({ status }))];
  expect(["submitting", "submitted", "running", "scoring"].map(at)).toEqual([
    "Upload",
    "Queue",
    "Predictions",
    "Scores",
  ]);
  expect(stepOf(submission({ status: "finished" }))).toBe(STEPS.length);
});

test("a failure stands at the step where it happened", () => {
  const failed = (values: Partial<Shapes["SubmissionView"]>) =>
    STEPS[stepOf(submission({ status: "failed", ...values }))];
  expect(failed({ digest: null })).toBe("Upload");
  expect(failed({ started_at: null })).toBe("Queue");
  expect(failed({ started_at: "2026-01-01T00:00:00Z" })).toBe("Predictions");
});

test("the place in the queue is said in words", () => {
  expect(sentence(submission({ status: "submitted", queue_position: 1 }))).toBe("It is the next one to run.");
  expect(sentence(submission({ status: "submitted", queue_position: 3 }))).toBe(
    "2 submissions are before it in the queue.",
  );
});

test("a failure of the platform is not the model's", () => {
  expect(sentence(submission({ status: "failed", failure: "platform", reason: "x" }))).toMatch(/not the model/);
});

test("why it takes longer is said as long as it runs, and after", () => {
  const longer = { status: "running", step: "Getting ready", reason: "It took longer: a machine went away." };
  expect(sentence(submission(longer))).toBe("Getting ready. It took longer: a machine went away.");
  expect(sentence(submission({ status: "failed", failure: "model", reason: "It broke." }))).toBe("It broke.");
});

test("what has ended is not asked for again", () => {
  expect(lookAgain("finished", false)).toBe(false);
  expect(lookAgain("running", false)).toBeLessThan(lookAgain("submitted", false) as number);
});
