/** A task's settings as its owner edits them, and what of them is sent: only what differs from the paper's defaults. */
import type { Shapes } from "../api/client";

export type Settings = Shapes["TaskSettings"];
export type Metric = Settings["base_metric"];

export const METRICS: readonly Metric[] = ["performance", "throughput", "memory", "fairness", "robustness"];

/** What holds where nobody has set anything: the paper's. */
export const PAPER: Settings = {
  weights: {},
  dataset_weights: {},
  memory_budget_gib: null,
  epsilon: { mode: "relative", value: 1e-4 },
  base_metric: "performance",
};

export interface Draft {
  readonly weights: Readonly<Record<string, number>>;
  readonly datasets: Readonly<Record<string, number>>;
  /** GiB, as typed; empty: what the hardware grants a model. */
  readonly budget: string;
  readonly mode: "relative" | "absolute";
  /** As typed. */
  readonly epsilon: string;
  readonly base: Metric;
}

/** The paper's weights: the base metric has half of all. */
export function defaultWeights(base: Metric): Record<string, number> {
  return Object.fromEntries(METRICS.map((metric) => [metric, metric === base ? 4 : 1]));
}

/** The settings as a draft; `datasets` are the names of those that rank. */
export function draftOf(settings: Settings, datasets: readonly string[]): Draft {
  const { base_metric: base, epsilon } = settings;
  return {
    weights: { ...defaultWeights(base), ...settings.weights },
    datasets: { ...Object.fromEntries(datasets.map((name) => [name, 1])), ...settings.dataset_weights },
    budget: settings.memory_budget_gib == null ? "" : String(settings.memory_budget_gib),
    mode: epsilon.mode,
    epsilon: String(epsilon.value),
    base,
  };
}

/** What is wrong with a draft; empty when nothing is. */
export function problemOf(draft: Draft): string {
  if (draft.budget.trim() && !(Number(draft.budget) > 0)) return "The memory budget is a number of GiB above 0.";
  if (!draft.epsilon.trim() || !(Number(draft.epsilon) >= 0)) return "Epsilon is a number of at least 0.";
  if (sum(draft.weights) === 0) return "Give at least one metric a weight above 0.";
  const datasets = Object.keys(draft.datasets).length;
  return datasets && sum(draft.datasets) === 0 ? "Give at least one dataset a weight above 0." : "";
}

/** What is sent for a draft. */
export function settingsOf(draft: Draft): Settings {
  const defaults = defaultWeights(draft.base);
  const weights = Object.entries(draft.weights).filter(([metric, weight]) => weight !== defaults[metric]);
  const datasets = Object.entries(draft.datasets).filter(([, weight]) => weight !== 1);
  return {
    weights: Object.fromEntries(weights),
    dataset_weights: Object.fromEntries(datasets),
    memory_budget_gib: draft.budget.trim() ? Number(draft.budget) : null,
    epsilon: { mode: draft.mode, value: Number(draft.epsilon) },
    base_metric: draft.base,
  };
}

/** Another base metric; weights that nobody has changed follow it. */
export function rebased(draft: Draft, base: Metric): Draft {
  const before = defaultWeights(draft.base);
  const untouched = METRICS.every((metric) => draft.weights[metric] === before[metric]);
  return { ...draft, base, weights: untouched ? defaultWeights(base) : draft.weights };
}

/** The share of each weight in all of them. */
export function shares(weights: Readonly<Record<string, number>>): Record<string, number> {
  const all = sum(weights);
  return Object.fromEntries(Object.entries(weights).map(([name, weight]) => [name, all ? weight / all : 0]));
}

/** What changed between two versions, a phrase each. */
export function changes(before: Settings, after: Settings): string[] {
  const [old, now] = [flat(before), flat(after)];
  return [...new Set([...Object.keys(old), ...Object.keys(now)])]
    .filter((name) => old[name] !== now[name])
    .map((name) => `${name} ${old[name] ?? "1"} → ${now[name] ?? "1"}`);
}

function flat(settings: Settings): Record<string, string> {
  const draft = draftOf(settings, []);
  return {
    ...named(draft.weights, "weight of"),
    ...named(draft.datasets, "dataset"),
    "memory budget": draft.budget ? `${draft.budget} GiB` : "the hardware’s",
    epsilon: `${draft.epsilon} ${draft.mode}`,
    "base metric": draft.base,
  };
}

function named(weights: Readonly<Record<string, number>>, kind: string): Record<string, string> {
  return Object.fromEntries(Object.entries(weights).map(([name, weight]) => [`${kind} ${name}`, String(weight)]));
}

function sum(weights: Readonly<Record<string, number>>): number {
  return Object.values(weights).reduce((all, weight) => all + weight, 0);
}
