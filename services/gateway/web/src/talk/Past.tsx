import type { Shapes } from "../api/client";
import { Button } from "../components/Button";
import { Part } from "../components/Page";
import type { Example } from "./examples";
import styles from "./talk.module.css";

interface Props {
  readonly asked: readonly Example[];
  readonly task: Shapes["TaskView"];
  readonly onAgain: (example: Example) => void;
}

/** What was asked before, newest first; kept only as long as the page is open. */
export function Past({ asked, task, onAgain }: Props) {
  const before = asked.slice(0, -1).reverse();
  if (!before.length) return null;
  return (
    <Part title="Asked before" aside={<small>Forgotten when you leave this page.</small>}>
      <ol className={styles.past}>
        {before.map((example) => (
          <li key={JSON.stringify(example)}>
            <span>{task.inputs.map((field) => example[field]).join(" · ")}</span>
            <Button look="quiet" onClick={() => onAgain(example)}>
              Ask again
            </Button>
          </li>
        ))}
      </ol>
    </Part>
  );
}
