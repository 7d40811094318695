import type { ReactNode } from "react";
import { Button } from "../components/Button";
import { metricColour, metricTitle } from "../components/metrics";
import { percent } from "../format/numbers";
import type { Weights } from "./choices";
import { worth } from "./exchange";
import type { Chosen } from "./ranked";
import type { Shown } from "./useBoard";
import { WeightSlider } from "./WeightSlider";
import styles from "./weights.module.css";

interface Props {
  readonly shown: Shown;
  /** What of the weights was chosen; the others are the task's. */
  readonly chosen: Chosen;
  readonly isChanged: boolean;
  /** Whose weights a reset brings back. */
  readonly whose: string;
  readonly onMove: (kind: "weights" | "datasetWeights", weights: Weights) => void;
  readonly onReset: () => void;
  /** Further choices, under the sliders. */
  readonly children: ReactNode;
}

/** A slider for each metric and, where there are several, each dataset. */
export function WeightsPanel({ shown, chosen, isChanged, whose, onMove, onReset, children }: Props) {
  const { view, ranked } = shown;
  const scale = shown.weights.weights;
  const datasets = Object.keys(view.dataset_weights);
  const sets = shown.weights.datasetWeights;
  return (
    <section className={`sheet ${styles.panel}`} aria-label="Your weights">
      <header className={styles.head}>
        <h2>What matters to you</h2>
        <Button look="quiet" onClick={onReset} disabled={!isChanged}>
          Reset to {whose} weights
        </Button>
      </header>
      <div className={styles.sliders}>
        {ranked.metrics.map((metric) => (
          <WeightSlider
            key={metric}
            name={metricTitle(metric)}
            colour={metricColour(metric)}
            weight={scale[metric] ?? 0}
            share={ranked.weights[metric] ?? 0}
            words={wordsOf(shown, metric)}
            excluded={metric in ranked.excluded}
            onMove={(weight) => onMove("weights", moved(scale, metric, weight, chosen.weights))}
          />
        ))}
      </div>
      {datasets.length > 1 ? (
        <details className={styles.more} open={Object.keys(chosen.datasetWeights).length > 0}>
          <summary>Weights of the {datasets.length} datasets</summary>
          <div className={styles.sliders}>
            {datasets.map((name) => (
              <WeightSlider
                key={name}
                name={name}
                weight={sets[name] ?? 0}
                share={ranked.datasetWeights[name] ?? 0}
                words={`${percent(ranked.datasetWeights[name] ?? 0)} of each mean`}
                onMove={(weight) => onMove("datasetWeights", moved(sets, name, weight, chosen.datasetWeights))}
              />
            ))}
          </div>
        </details>
      ) : null}
      {children}
      <Leaders shown={shown} />
    </section>
  );
}

/** On a phone the board lies below the sliders; this line stays in sight while one of them moves. */
function Leaders({ shown }: { readonly shown: Shown }) {
  const first = shown.ranked.rows.filter((item) => item.rank !== null).slice(0, 3);
  return (
    <ol className={styles.leaders} aria-hidden="true">
      {first.map(({ row, rank }) => (
        <li key={row.model_id}>
          <b>{rank}</b> {row.name}
        </li>
      ))}
    </ol>
  );
}

/** At least one weight stays above 0: without any there is no order. */
function moved(all: Weights, name: string, weight: number, chosen: Weights): Weights {
  const next = { ...all, [name]: weight };
  const isNothing = Object.values(next).every((value) => value === 0);
  return { ...chosen, [name]: isNothing ? 0.25 : weight };
}

function wordsOf({ view, ranked }: Shown, metric: string): string {
  const reason = ranked.excluded[metric];
  if (reason) return `Not counted. ${reason}`;
  if (view.aggregation === "zscore") return "Counted in standard deviations.";
  if (metric === view.base_metric) return "The measure of the others: its points count as they are.";
  const rate = ranked.amrs[metric];
  return rate ? `${worth(metric, view.base_metric, rate)}.` : "";
}
