import type { Answer } from "./answer";
import styles from "./talk.module.css";

/** Each token with the label that the model gives it below. */
export function Tokens({ text, answer }: { readonly text: string; readonly answer: Answer }) {
  const labels = answer.value.split(" ");
  return (
    <ol className={styles.tokens}>
      {text
        .split(/\s+/)
        .filter(Boolean)
        .map((token, at) => (
          <li key={at}>
            {token}
            <small>{labels[at] ?? "–"}</small>
          </li>
        ))}
    </ol>
  );
}
