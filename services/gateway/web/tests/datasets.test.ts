import { expect, test } from "vitest";
import type { Shapes } from "../src/api/client";
import { bestOn } from "../src/datasets/best";
import { DRAFT, problemOf, queryOf } from "../src/datasets/draft";
import { ranked } from "../src/datasets/words";

test("counts stand with the most frequent first, equal ones by name", () => {
  expect(ranked({ b: 1, a: 1, c: 2 })).toEqual([
    ["c", 2],
    ["a", 1],
    ["b", 1],
  ]);
});

test("what a new dataset lacks is said, one thing after the other", () => {
  const file = new Blob(["{}"]);
  expect(problemOf(DRAFT, null)).toMatch(/file/);
  expect(problemOf(DRAFT, file)).toMatch(/task/);
  expect(problemOf({ ...DRAFT, catalogue: "snli-test" }, file)).toBe("");
  expect(problemOf({ ...DRAFT, catalogue: "snli-test", mapping: "[1]" }, file)).toMatch(/JSON object/);
  expect(problemOf({ ...DRAFT, task: "nli", name: "a", licence: "MIT", citation: "Ada" }, file)).toBe("");
});

test("a catalogue entry's own words stand unless others were said", () => {
  expect(queryOf({ ...DRAFT, catalogue: "snli-test", name: " " })).toEqual({ catalogue: "snli-test" });
  expect(queryOf({ ...DRAFT, task: "nli" })).toEqual({ task: "nli", role: "hidden", format: "jsonl" });
});

test("the best on a dataset are those of its very version", () => {
  const row = (name: string, digest: string, value: number) => ({
    model_id: name,
    name,
    datasets: [{ digest, cells: { performance: { value } } }],
  });
  const rows = [row("a", "1", 50), row("b", "1", 60), row("c", "2", 99)] as unknown as Shapes["LeaderboardRow"][];
  expect(bestOn({ rows }, "1").map(({ name }) => name)).toEqual(["b", "a"]);
});
