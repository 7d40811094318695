import type { Shapes } from "../api/client";
import styles from "./comparison.module.css";

interface Props {
  readonly example: Shapes["DiscordantExample"];
  readonly names: readonly [string, string];
}

// Longer ones may scroll in their box, so the keyboard must reach them.
const LONG = 400;

/** An example with both answers, and what is right where that is released. */
export function ExampleCard({ example, names }: Props) {
  const { inputs, first, second, label } = example;
  return (
    <article className={styles.example}>
      {Object.entries(inputs).map(([field, text]) => (
        <div key={field} className={styles.input}>
          <small>{field}</small>
          <p tabIndex={text.length > LONG ? 0 : undefined}>{text}</p>
        </div>
      ))}
      <dl>
        {[first, second].map((answer, at) => (
          <div key={names[at]}>
            <dt>{names[at]}</dt>
            <dd>
              {answer || "no answer"}
              {label?.includes(answer) ? <span className={styles.right}>right</span> : null}
            </dd>
          </div>
        ))}
        {label?.length ? (
          <div>
            <dt>What is right</dt>
            <dd>{label.join(" or ")}</dd>
          </div>
        ) : null}
      </dl>
    </article>
  );
}
