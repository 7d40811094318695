import type { Shapes } from "../api/client";
import { STEPS, stepOf } from "./status";
import styles from "./submission.module.css";

/** The steps of the way, and where on it a submission is. */
export function Stepper({ submission }: { readonly submission: Shapes["SubmissionView"] }) {
  const at = stepOf(submission);
  const stopped = submission.status === "failed" || submission.status === "cancelled";
  return (
    <ol className={styles.steps} aria-label="Steps">
      {STEPS.map((step, index) => {
        const state = stateOf(index, at, stopped);
        return (
          <li key={step} data-state={state} aria-current={index === at ? "step" : undefined}>
            <Mark state={state} />
            <span>{step}</span>
            <span className="visually-hidden">, {WORDS[state]}</span>
          </li>
        );
      })}
    </ol>
  );
}

type State = "done" | "now" | "stopped" | "later";

const WORDS: Record<State, string> = { done: "done", now: "now", stopped: "stopped here", later: "later" };

function stateOf(index: number, at: number, stopped: boolean): State {
  if (index < at) return "done";
  if (index > at) return "later";
  return stopped ? "stopped" : "now";
}

const MARKS: Record<State, string> = {
  done: "M5 10.5 8.5 14 15 6.5",
  now: "",
  stopped: "M6 6l8 8M14 6l-8 8",
  later: "",
};

function Mark({ state }: { readonly state: State }) {
  return (
    <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" className={styles.mark}>
      <circle cx="10" cy="10" r="9" />
      {state === "now" ? <circle cx="10" cy="10" r="3.5" className={styles.dot} /> : <path d={MARKS[state]} />}
    </svg>
  );
}
