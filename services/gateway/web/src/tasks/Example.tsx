import { Part } from "../components/Page";
import type { Shapes } from "../api/client";
import styles from "./tasks.module.css";

/** What goes in and what must come out, on one example. */
export function Example({ task }: { readonly task: Shapes["TaskView"] }) {
  return (
    <Part title="An example">
      <div className={styles.pair}>
        <figure>
          <figcaption>What a model gets</figcaption>
          <pre tabIndex={0}>{JSON.stringify({ id: "0", ...task.example }, null, 2)}</pre>
        </figure>
        <figure>
          <figcaption>What it must answer, in this form</figcaption>
          <pre tabIndex={0}>{answer(task)}</pre>
        </figure>
      </div>
    </Part>
  );
}

function answer({ labels, answer_field }: Shapes["TaskView"]): string {
  if (labels.length === 0) return JSON.stringify({ id: "0", [answer_field]: "1987", conf: 0.9 }, null, 2);
  // The form only: which label is right is not said.
  const even = Object.fromEntries(labels.map((label) => [label, Number((1 / labels.length).toFixed(2))]));
  return JSON.stringify({ id: "0", [answer_field]: labels.join(" | "), prob: even }, null, 2);
}
