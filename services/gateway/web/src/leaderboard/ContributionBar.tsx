import { metricColour } from "../components/metrics";
import styles from "./leaderboard.module.css";
import { threeDigits } from "./exchange";

interface Props {
  readonly metrics: readonly string[];
  /** Above the least of all models, in points of the score. */
  readonly parts: readonly number[];
  /** The length of the longest bar, in the same points. */
  readonly span: number;
}

/** What a score is made of: a piece for each metric, as long as it lifts the model above the weakest in it. */
export function ContributionBar({ metrics, parts, span }: Props) {
  if (!parts.length) return null;
  const words = metrics.map((metric, at) => `${metric} ${threeDigits(parts[at]!)}`).join(", ");
  return (
    <div className={styles.bar} role="img" aria-label={`Above the weakest: ${words}`} title={words}>
      {metrics.map((metric, at) => (
        <span
          key={metric}
          style={{ width: `${span > 0 ? (parts[at]! / span) * 100 : 0}%`, background: metricColour(metric) }}
        />
      ))}
    </div>
  );
}
