import { expect, test } from "vitest";
import { inWords, metricDifference, scoreDifference } from "../src/comparison/differences";
import type { Board, Pair, Row } from "../src/comparison/useComparison";

const row = (model_id: string, score: number | null, metrics: Record<string, [number, string]>) =>
  ({
    model_id,
    score,
    metrics: Object.fromEntries(
      Object.entries(metrics).map(([metric, [value, unit]]) => [metric, { metric, value, unit, n: 9 }]),
    ),
  }) as unknown as Row;

const A = row("a", 10, { performance: [60, "%"], memory: [1, "GiB"], throughput: [5, "examples/s"] });
const B = row("b", 8, { performance: [57, "%"], memory: [3, "GiB"], throughput: [5, "examples/s"] });
const BOARD = {
  amrs: { performance: 1, memory: 0.5, throughput: null },
  excluded: { throughput: "Why." },
} as unknown as Board;
const pair = (better: string, worse: string, changes: Partial<Pair> = {}): Pair => ({
  better,
  worse,
  difference: 4,
  low: 2,
  high: 6,
  probability: 0.9,
  p: 0.01,
  adjusted_p: 0.01,
  different: true,
  ...changes,
});

test("a difference is of the first less the second, whoever is better", () => {
  expect(scoreDifference(A, B, pair("a", "b"))).toMatchObject({ value: 2, low: 2, high: 6, better: 0.9 });
  expect(scoreDifference(B, A, pair("a", "b"))).toMatchObject({ value: -2, low: -6, high: -2 });
  expect(scoreDifference(B, A, pair("a", "b"))?.better).toBeCloseTo(0.1);
});

test("a metric's difference is in its own unit, and less memory is better", () => {
  expect(metricDifference("memory", BOARD, [A, B], pair("a", "b"))).toMatchObject({
    value: -2,
    low: -3,
    high: -1,
    better: 0.9,
  });
});

test("a metric that the board leaves out has no interval, and says why", () => {
  expect(metricDifference("throughput", BOARD, [A, B], null)).toMatchObject({
    low: null,
    better: null,
    reason: "Why.",
  });
});

test("a metric that one of them lacks has no difference", () => {
  expect(metricDifference("fairness", BOARD, [A, B], null)).toBeNull();
});

test("the words say by how much, and whether the data tells them apart", () => {
  const performance = metricDifference("performance", BOARD, [A, B], pair("a", "b"))!;
  expect(inWords(performance, ["A", "B"], "accuracy")).toBe(
    "A answers 3.0 points more examples correctly than B: the data tells them apart.",
  );
  const unsure = metricDifference("memory", BOARD, [B, A], pair("a", "b", { different: false }))!;
  expect(inWords(unsure, ["B", "A"], "accuracy")).toBe(
    "B needs 2.00 GiB more memory than A: the data does not tell them apart.",
  );
  const excluded = metricDifference("throughput", BOARD, [A, B], null)!;
  expect(inWords(excluded, ["A", "B"], "accuracy")).toBe("A and B are equal in throughput.");
});
