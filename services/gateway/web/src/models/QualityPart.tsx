import { metricColour, metricTitle } from "../components/metrics";
import { Part } from "../components/Page";
import { type DatasetScores, otherMetrics, type Score } from "./scores";
import { ScoreTable } from "./ScoreTable";
import styles from "./models.module.css";

interface Props {
  readonly dataset: DatasetScores;
  readonly performance: string;
}

/** Every metric of quality, and performance by the dataset's tags. */
export function QualityPart({ dataset, performance }: Props) {
  const whole = dataset.whole.get(performance);
  const metrics = [...(whole ? [whole] : []), ...otherMetrics(dataset, performance)];
  const tagged = byMetric(dataset, performance);
  if (!metrics.length) return null;
  return (
    <div className={styles.columns}>
      <Part title="Quality">
        <ScoreTable
          caption={`Metrics on ${dataset.name}`}
          first="Metric"
          unit="%"
          colour={metricColour("performance")}
          rows={metrics.map((score) => ({ key: score.metric, name: metricTitle(score.metric), score }))}
        />
      </Part>
      {tagged.map(([metric, rows]) => (
        <Part
          key={metric}
          title={`${metricTitle(metric)} by tag`}
          aside={
            <small>
              {metric === performance ? "The dashed line is the whole dataset. Few examples, wide interval." : null}
            </small>
          }
        >
          <ScoreTable
            caption={`${metricTitle(metric)} by tag`}
            first="Tag"
            unit="%"
            colour={metricColour("performance")}
            mark={metric === performance ? whole?.value : undefined}
            rows={rows}
          />
        </Part>
      ))}
    </div>
  );
}

interface TagRow {
  readonly key: string;
  readonly name: string;
  readonly score: Score;
}

/** The tags of each metric that is known by tag, the one that ranks first. */
function byMetric({ tags }: DatasetScores, performance: string): [string, TagRow[]][] {
  const found = new Map<string, TagRow[]>();
  for (const [tag, scores] of tags) {
    for (const [metric, score] of scores) {
      found.set(metric, [...(found.get(metric) ?? []), { key: tag, name: tag, score }]);
    }
  }
  return [...found].sort(([a], [b]) => Number(b === performance) - Number(a === performance));
}
