import { percent } from "../format/numbers";
import type { Answer } from "./answer";
import styles from "./talk.module.css";

/** How sure a model is of each label, as bars with their numbers. */
export function Probabilities({ labels, answer }: { readonly labels: readonly string[]; readonly answer: Answer }) {
  const { prob, value } = answer;
  if (!prob) return <p className="soft">This model gives no probabilities.</p>;
  return (
    <table className={styles.probabilities}>
      <caption className="visually-hidden">Probability of each label</caption>
      <thead className="visually-hidden">
        <tr>
          <th scope="col">Label</th>
          <th scope="col">Share</th>
          <th scope="col">Probability</th>
        </tr>
      </thead>
      <tbody>
        {labels.map((label) => (
          <tr key={label} data-chosen={label === value || undefined}>
            <th scope="row">{label}</th>
            <td aria-hidden="true">
              <div className={styles.track}>
                <div className={styles.bar} style={{ transform: `scaleX(${prob[label] ?? 0})` }} />
              </div>
            </td>
            <td className="number">{percent(prob[label] ?? 0)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
