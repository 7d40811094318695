import { Part } from "../components/Page";
import type { Shapes } from "../api/client";
import { form } from "./answers";
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
          <pre tabIndex={0}>{JSON.stringify(form(task), null, 2)}</pre>
        </figure>
      </div>
    </Part>
  );
}
