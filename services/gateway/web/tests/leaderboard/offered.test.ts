import { expect, test } from "vitest";
import type { Shapes } from "../../src/api/client";
import { canaryWords, type Hardware, machineOptions, tagOptions } from "../../src/leaderboard/offered";

function machine(fingerprint: string, models: number, description = {}): Hardware {
  return { fingerprint, models, description, ratings: [], canary: null, created_at: "2026-05-03T12:00:00Z" };
}

function dataset(role: "scoring" | "standard", tags: Record<string, number>): Shapes["DatasetView"] {
  return { role, tags } as Shapes["DatasetView"];
}

test("a machine is offered with its name, its models and its fingerprint", () => {
  const known = [machine("abc", 7, { cpu: "A CPU", cores: 2 }), machine("def", 1)];
  expect(machineOptions(known, "abc")).toEqual([
    ["abc", "A CPU, 2 cores · 7 models · abc"],
    ["def", "1 model · def"],
  ]);
});

test("the machine of the address is offered even if nothing is known of it", () => {
  expect(machineOptions([machine("abc", 7)], "old")[0]).toEqual(["old", "old"]);
  expect(machineOptions([], "")).toEqual([["", "No cost was measured"]]);
});

test("tags are those of datasets that rank, the commonest first", () => {
  const datasets = [
    dataset("scoring", { sarcasm: 10, "2": 1_200 }),
    dataset("scoring", { sarcasm: 5 }),
    dataset("standard", { irony: 9 }),
  ];
  expect(tagOptions(datasets, "")).toEqual([
    ["", "All examples"],
    ["2", "2 (1,200)"],
    ["sarcasm", "sarcasm (15)"],
  ]);
  expect(tagOptions(datasets, "gone").map(([value]) => value)).toEqual(["", "gone", "2", "sarcasm"]);
});

test("a machine that drifted is said to have run slower or faster", () => {
  const canary = { drift: -0.12, limit: 0.1, steady: false, measured_at: "2026-05-03T12:00:00Z" };
  expect(canaryWords(canary)).toBe("It was 12.0 % slower than usual when it last measured.");
  expect(canaryWords({ ...canary, steady: true })).toBe("It ran as usual when it last measured.");
  expect(canaryWords(null)).toBe("");
});
