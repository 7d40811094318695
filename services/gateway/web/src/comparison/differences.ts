/** Two models' numbers as differences of the first less the second, and what they mean in words. Pure. */
import { metricTitle } from "../components/metrics";
import { decimalsFor, number } from "../format/numbers";
import type { Board, MetricName, Pair, Row } from "./useComparison";

export interface Difference {
  readonly metric: MetricName | "score";
  readonly unit: string;
  readonly first: number;
  readonly second: number;
  /** First less second, in the metric's own unit. */
  readonly value: number;
  readonly low: number | null;
  readonly high: number | null;
  /** P(the first is better); for memory that is less. Null where no interval is known. */
  readonly better: number | null;
  readonly toldApart: boolean;
  /** Why there is no interval. */
  readonly reason: string;
}

/** The difference in score under the task's weights. */
export function scoreDifference(first: Row, second: Row, pair: Pair | null): Difference | null {
  if (first.score === null || second.score === null || !pair) return null;
  return {
    metric: "score",
    unit: "",
    first: first.score,
    second: second.score,
    ...oriented(pair, first, 1, first.score - second.score),
  };
}

/** The difference in one metric: the pair by that metric alone is in points of the base, and AMRS says how many units one is. */
export function metricDifference(
  metric: MetricName,
  board: Board,
  rows: readonly [Row, Row],
  pair: Pair | null,
): Difference | null {
  const [first, second] = rows.map((row) => row.metrics[metric]);
  if (!first || !second) return null;
  const rate = board.amrs[metric];
  const known = { metric, unit: first.unit, first: first.value, second: second.value };
  const value = first.value - second.value;
  if (!pair || rate == null || metric in board.excluded) {
    const reason = board.excluded[metric] ?? "One of the two has no rank, so they are not compared pair by pair.";
    return { ...known, value, low: null, high: null, better: null, toldApart: false, reason };
  }
  // Less memory is better: the pair's difference is of what is saved.
  return { ...known, ...oriented(pair, rows[0], metric === "memory" ? -rate : rate, value) };
}

function oriented(pair: Pair, first: Row, scale: number, value: number) {
  const leads = pair.better === first.model_id;
  const ends = [pair.low, pair.high].map((end) => (leads ? end : -end) * scale);
  return {
    value,
    low: Math.min(...ends),
    high: Math.max(...ends),
    better: leads ? pair.probability : 1 - pair.probability,
    toldApart: pair.different,
    reason: "",
  };
}

const MORE: Readonly<Record<string, readonly [more: string, less: string]>> = {
  throughput: ["does {} more examples a second", "does {} fewer examples a second"],
  memory: ["needs {} GiB more memory", "needs {} GiB less memory"],
  fairness: [
    "keeps {} points more of its predictions when other people are meant",
    "keeps {} points fewer of its predictions when other people are meant",
  ],
  robustness: [
    "keeps {} points more of its predictions under slips of writing",
    "keeps {} points fewer of its predictions under slips of writing",
  ],
  score: ["scores {} more", "scores {} less"],
};

const PERFORMANCE: Readonly<Record<string, readonly [more: string, less: string]>> = {
  accuracy: ["answers {} points more examples correctly", "answers {} points fewer examples correctly"],
  squad_f1: ["has {} points more F1", "has {} points less F1"],
};

/** "A answers 3.2 points more examples correctly than B; the data tells them apart." */
export function inWords(difference: Difference, names: readonly [string, string], performance: string): string {
  const { metric, value, low, toldApart } = difference;
  const [more, less] = (metric === "performance" ? PERFORMANCE[performance] : MORE[metric]) ?? [
    `has {} points more ${metricTitle(performance)}`,
    `has {} points less ${metricTitle(performance)}`,
  ];
  if (value === 0) return `${names[0]} and ${names[1]} are equal in ${metric === "score" ? "their scores" : metric}.`;
  const size = Math.abs(value);
  const said = (value > 0 ? more : less).replace("{}", number(size, difference.unit === "%" ? 1 : decimalsFor(size)));
  const sure =
    low === null
      ? "how sure that is, is not known"
      : toldApart
        ? "the data tells them apart"
        : "the data does not tell them apart";
  return `${names[0]} ${said} than ${names[1]}: ${sure}.`;
}
