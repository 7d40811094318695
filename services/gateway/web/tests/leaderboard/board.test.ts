import { describe, expect, it } from "vitest";
import { arranged } from "../../src/leaderboard/arranged";
import { type RankedRow, rankedHere, type Row, type View } from "../../src/leaderboard/ranked";
import { metricsOf, onSliders, usualOf } from "../../src/leaderboard/usual";

const BUDGET = 16;

function row(name: string, performance: number, memory: number | null, extra: Partial<Row> = {}): Row {
  const cell = (metric: string, value: number) => ({ metric, value, n: 1, unit: "", flags: [], provenance: {} });
  return {
    rank: null,
    score: null,
    model_id: name,
    submission_id: name,
    name,
    version: 1,
    owner: "ada",
    digest: name,
    verified: true,
    baseline: false,
    published: true,
    missing: [],
    flags: [],
    aggregations: {},
    datasets: [],
    metrics: { performance: cell("performance", performance), memory: memory === null ? null : cell("memory", memory) },
    ...extra,
  };
}

function view(rows: Row[]): View {
  const units = { memory: "GiB", performance: "%" };
  const epsilon = { mode: "relative", value: 1e-4, threshold: 0 };
  const made = { units, epsilon, base_metric: "performance", memory_budget_gib: BUDGET, amrs_method: "mean" };
  return { ...made, rows, weights: {}, dataset_weights: { set: 1 }, task_weights: {} } as unknown as View;
}

const ROWS = [row("fast", 60, 2), row("strong", 90, 8), row("middle", 80, 6), row("half", 99, null)];
const EVEN = { weights: { performance: 1, memory: 1 }, datasetWeights: { set: 1 } };

describe("a board ranked in the browser", () => {
  it("gives each ranked model the parts that sum to its score above the floor", () => {
    const ranked = rankedHere(view(ROWS), EVEN);
    for (const { score, parts } of ranked.rows.filter((item) => item.rank !== null)) {
      expect(parts.reduce((sum, part) => sum + part, ranked.floor)).toBeCloseTo(score!, 9);
      expect(Math.min(...parts)).toBeGreaterThanOrEqual(0);
    }
  });

  it("ranks models without a result last, without a score", () => {
    const last = rankedHere(view(ROWS), EVEN).rows.at(-1)!;
    expect([last.row.name, last.rank, last.score, last.parts]).toEqual(["half", null, null, []]);
  });

  it("follows the weights", () => {
    const firstBy = (weights: Record<string, number>) => rankedHere(view(ROWS), { ...EVEN, weights }).rows[0]!.row.name;
    expect(firstBy({ performance: 9, memory: 1 })).toBe("strong");
    expect(firstBy({ performance: 1, memory: 9 })).toBe("fast");
  });

  it("has its metrics in the paper's order", () => {
    expect(metricsOf(view(ROWS))).toEqual(["performance", "memory"]);
  });
});

describe("usual weights", () => {
  it("are the task's, or the paper's where it has none", () => {
    expect(usualOf({ ...view(ROWS), task_weights: { memory: 7 } }, false).weights).toEqual({
      performance: 1,
      memory: 7,
    });
  });

  it("of a frozen board are those frozen, on the sliders' scale", () => {
    expect(onSliders({ performance: 4 / 9, memory: 2 / 9, fairness: 1 / 9 })).toEqual({
      performance: 4,
      memory: 2,
      fairness: 1,
    });
    expect(onSliders({ performance: 0.99, memory: 0.01 })).toEqual({ performance: 10, memory: 0.10101 });
  });
});

describe("rows", () => {
  const metrics = ["performance", "memory"];
  const usual = { sort: "score", order: "", search: "", page: 1 } as const;
  const ranked = rankedHere(view(ROWS), EVEN).rows;
  const names = (rows: readonly RankedRow[]) => rows.map((item) => item.row.name);

  it("are sorted best first, and those without the value last either way", () => {
    expect(names(arranged(ranked, metrics, { ...usual, sort: "memory" }).rows)).toEqual([
      "fast",
      "middle",
      "strong",
      "half",
    ]);
    const turned = arranged(ranked, metrics, { ...usual, sort: "memory", order: "descending" });
    expect(names(turned.rows)).toEqual(["strong", "middle", "fast", "half"]);
  });

  it("are found by every word of a search, in name, owner or marks", () => {
    const marked = rankedHere(view([...ROWS, row("noisy-one", 70, 4, { flags: ["noisy"], owner: "bob" })]), EVEN).rows;
    expect(names(arranged(marked, metrics, { ...usual, search: "NOISY bob" }).rows)).toEqual(["noisy-one"]);
  });

  it("come fifty a page, and a page beyond the last is the last", () => {
    const many = rankedHere(view(Array.from({ length: 120 }, (_, at) => row(`m${at}`, at, at / 10))), EVEN).rows;
    const page = arranged(many, metrics, { ...usual, page: 9 });
    expect([page.rows.length, page.page, page.pages, page.found]).toEqual([20, 3, 3, 120]);
  });
});
