import styles from "./command.module.css";
import { Copy } from "./Copy";

/** Lines for a terminal, with a button that copies them. */
export function Command({
  lines,
  what = "these commands",
}: {
  readonly lines: readonly string[];
  readonly what?: string;
}) {
  const text = lines.join("\n");
  return (
    <div className={styles.command}>
      <pre tabIndex={0}>{text}</pre>
      <Copy text={text} what={what} look="quiet" />
    </div>
  );
}
