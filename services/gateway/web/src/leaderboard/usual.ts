/** What weights are before a reader moves any, on the sliders' scale. */
import type { Weights } from "./choices";
import type { View } from "./ranked";

const ORDER = ["performance", "throughput", "memory", "fairness", "robustness"];
const MOST = 10;

export interface Usual {
  readonly weights: Weights;
  readonly datasetWeights: Weights;
}

/** Of a live board: the task's. Of a frozen one: those that were frozen. */
export function usualOf(view: View, isFrozen: boolean): Usual {
  if (isFrozen) return { weights: onSliders(view.weights), datasetWeights: onSliders(view.dataset_weights) };
  const metrics = metricsOf(view);
  const ofTask = view.task_weights ?? {};
  const ofDatasets = view.task_dataset_weights ?? {};
  const paper = (metric: string) => (metric === view.base_metric ? metrics.length - 1 : 1);
  return {
    weights: Object.fromEntries(metrics.map((metric) => [metric, ofTask[metric] ?? paper(metric)])),
    datasetWeights: Object.fromEntries(Object.keys(view.dataset_weights).map((name) => [name, ofDatasets[name] ?? 1])),
  };
}

/** The metrics of a board in the paper's order. */
export function metricsOf(view: View): string[] {
  const known = Object.keys(view.units);
  return [...ORDER.filter((metric) => known.includes(metric)), ...known.filter((metric) => !ORDER.includes(metric))];
}

/** Shares of 1 as weights from 0 to 10 in the same proportions; the least is 1 where there is room. */
export function onSliders(shares: Weights): Weights {
  const all = Object.values(shares).filter((share) => share > 0);
  if (!all.length) return shares;
  const factor = Math.min(1 / Math.min(...all), MOST / Math.max(...all));
  const rounded = (weight: number) => Math.round(weight * 1e6) / 1e6;
  return Object.fromEntries(Object.entries(shares).map(([name, share]) => [name, rounded(share * factor)]));
}
