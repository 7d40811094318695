import styles from "./broader-impact.module.css";

interface Props {
  /** As the API gives them: `warnings` of a leaderboard, or `provenance.warnings` of a fairness or robustness score. */
  readonly warnings: readonly string[];
  /** What they belong to, in the heading: "these scores", "this model's fairness". */
  readonly about?: string;
}

/**
 * What must be read with the numbers (the paper's Broader Impact section; the words are the server's, by task).
 * Always open, never behind a click. A sentence that names its task before a colon has that name in bold.
 */
export function BroaderImpact({ warnings, about = "these numbers" }: Props) {
  if (warnings.length === 0) return null;
  return (
    <aside className={styles.impact} aria-label={`Before you use ${about}`}>
      <h2>Before you use {about}</h2>
      <ul>
        {warnings.map((warning) => (
          <li key={warning}>
            <Sentences text={warning} />
          </li>
        ))}
      </ul>
    </aside>
  );
}

function Sentences({ text }: { readonly text: string }) {
  const [, task, rest] = /^([A-Z][a-z ]{2,30}): (.+)$/s.exec(text) ?? [];
  if (!task || !rest) return text;
  return (
    <>
      <strong>{task}.</strong> {rest.charAt(0).toUpperCase() + rest.slice(1)}
    </>
  );
}
