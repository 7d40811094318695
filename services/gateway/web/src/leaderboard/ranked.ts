/** A board's rows ranked anew in the browser, under weights that the server has not seen yet. */
import type { Shapes } from "../api/client";
import type { Weights } from "./choices";
import { type Board, dynascore, type Method } from "./dynascore";
import { metricsOf } from "./usual";

export type View = Shapes["LeaderboardView"];
export type Row = Shapes["LeaderboardRow"];

export interface RankedRow {
  readonly row: Row;
  /** Where it stands by score, from 0; the unranked last. */
  readonly place: number;
  readonly rank: number | null;
  readonly score: number | null;
  /** Means over datasets, by metric. */
  readonly values: readonly (number | null)[];
  /** What each metric adds to the score above the least of all ranked models; empty without a score. */
  readonly parts: readonly number[];
}

export interface Ranked {
  readonly metrics: readonly string[];
  /** By place. */
  readonly rows: readonly RankedRow[];
  /** As they count: they sum to 1, excluded metrics have 0. */
  readonly weights: Weights;
  readonly datasetWeights: Weights;
  readonly amrs: Readonly<Record<string, number | null>>;
  readonly excluded: Readonly<Record<string, string>>;
  /** What every ranked model has of the score at least: the parts stand on it. */
  readonly floor: number;
  /** The greatest sum of parts: the length of the longest bar. */
  readonly span: number;
}

/** All weights, on the sliders' scale. */
export interface Chosen {
  readonly weights: Weights;
  readonly datasetWeights: Weights;
}

/** Ranks with the arithmetic of dynascore.ts. Without cells of datasets their weights stay those of the view. */
export function rankedHere(view: View, chosen: Chosen): Ranked {
  const metrics = metricsOf(view);
  const board = view.rows.every((row) => row.datasets.length > 0) ? ofCells(view, metrics) : ofMeans(view, metrics);
  const ofDatasets = board.datasets.length === 1 ? {} : onlyOf(board.datasets, chosen.datasetWeights);
  const ranking = dynascore(board, { ...methodOf(view), weights: chosen.weights, datasetWeights: ofDatasets });
  const shown = partsOf(ranking.scores, termsOf(ranking.values, metrics, ranking, view));
  return {
    metrics,
    rows: ranking.order.map((at, place) => ({
      row: view.rows[at]!,
      place,
      rank: ranking.ranks[at] || null,
      score: ranking.scores[at]!,
      values: ranking.values[at]!,
      parts: shown.parts[at]!,
    })),
    weights: ranking.weights,
    datasetWeights: board.datasets.length === 1 ? view.dataset_weights : ranking.datasetWeights,
    amrs: ranking.amrs,
    excluded: ranking.excluded,
    floor: shown.floor,
    span: shown.span,
  };
}

/** As the server ranked it: for ways of making one number that only the server knows, and for the top of a board. */
export function rankedThere(view: View): Ranked {
  const metrics = metricsOf(view);
  const rows = [...view.rows].sort((a, b) => (a.rank ?? Infinity) - (b.rank ?? Infinity) || 0);
  const values = rows.map((row) => metrics.map((metric) => row.metrics[metric]?.value ?? null));
  const shown = partsOf(
    rows.map((row) => row.score),
    termsOf(values, metrics, view, view),
  );
  const isSum = view.aggregation === "dynascore";
  return {
    metrics,
    rows: rows.map((row, place) => ({
      row,
      place,
      rank: row.rank,
      score: row.score,
      values: values[place]!,
      parts: isSum ? shown.parts[place]! : [],
    })),
    weights: view.weights,
    datasetWeights: view.dataset_weights,
    amrs: view.amrs,
    excluded: view.excluded,
    floor: isSum ? shown.floor : 0,
    span: isSum ? shown.span : 0,
  };
}

/** What each metric adds to each score, from nothing on. */
function termsOf(
  values: readonly (readonly (number | null)[])[],
  metrics: readonly string[],
  { weights, amrs }: Pick<Ranked, "weights" | "amrs">,
  { memory_budget_gib: budget }: View,
): number[][] {
  const factors = metrics.map((metric) => factorOf(weights[metric] ?? 0, amrs[metric]));
  return values.map((row) =>
    row.map((value, at) => {
      if (value === null) return 0;
      return (metrics[at] === "memory" ? budget - value : value) * factors[at]!;
    }),
  );
}

function methodOf(view: View): Method {
  const { mode, value } = view.epsilon as { mode: "relative" | "absolute"; value: number };
  return {
    base: view.base_metric,
    budgets: { memory: view.memory_budget_gib },
    epsilon: { mode, value },
    slope: view.amrs_method,
  };
}

/** Each model's mean over datasets, as if there were one dataset: all that weights of metrics need. */
function ofMeans(view: View, metrics: readonly string[]): Board {
  return {
    models: view.rows.map((row) => row.model_id),
    datasets: ["all"],
    metrics,
    values: view.rows.map((row) => [metrics.map((metric) => row.metrics[metric]?.value ?? null)]),
  };
}

function ofCells(view: View, metrics: readonly string[]): Board {
  const datasets = Object.keys(view.dataset_weights);
  const values = view.rows.map((row) =>
    datasets.map((name) => {
      const cells = row.datasets.find((dataset) => dataset.name === name)?.cells;
      return metrics.map((metric) => cells?.[metric]?.value ?? null);
    }),
  );
  const inapplicable = datasets.flatMap((name, dataset) =>
    metrics
      .filter((metric, column) => isInapplicable(view.rows, metric, values, dataset, column))
      .map((metric) => [name, metric] as const),
  );
  return { models: view.rows.map((row) => row.model_id), datasets, metrics, values, inapplicable };
}

/** Nobody has this cell, and yet somebody has the mean: it is not asked for on this dataset. */
function isInapplicable(
  rows: readonly Row[],
  metric: string,
  values: readonly (readonly (readonly (number | null)[])[])[],
  dataset: number,
  column: number,
): boolean {
  const nobody = values.every((row) => row[dataset]![column] === null);
  return nobody && rows.some((row) => row.metrics[metric] != null);
}

function partsOf(
  scores: readonly (number | null)[],
  terms: readonly (readonly number[])[],
): { parts: readonly (readonly number[])[]; floor: number; span: number } {
  const ranked = terms.filter((_, at) => scores[at] !== null);
  const least = (ranked[0] ?? []).map((_, metric) => Math.min(...ranked.map((row) => row[metric]!)));
  const parts = terms.map((row, at) => (scores[at] === null ? [] : row.map((term, metric) => term - least[metric]!)));
  return { parts, floor: sum(least), span: Math.max(0, ...parts.map(sum)) };
}

function factorOf(weight: number, rate: number | null | undefined): number {
  return weight > 0 && rate ? weight / rate : 0;
}

function onlyOf(names: readonly string[], weights: Weights): Weights {
  return Object.fromEntries(Object.entries(weights).filter(([name]) => names.includes(name)));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, value) => total + value, 0);
}
