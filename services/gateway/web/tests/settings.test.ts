import { expect, test } from "vitest";
import { changes, draftOf, PAPER, problemOf, rebased, settingsOf, shares } from "../src/tasks/draft";
import { moves, summary } from "../src/tasks/moves";

const draft = draftOf(PAPER, ["sst", "imdb"]);

test("the paper's settings as a draft say nothing of their own when sent", () => {
  expect(settingsOf(draft)).toEqual(PAPER);
  expect(shares(draft.weights).performance).toBe(0.5);
});

test("only what differs from the defaults is sent", () => {
  const changed = { ...draft, weights: { ...draft.weights, memory: 3 }, datasets: { sst: 1, imdb: 0 }, budget: "16" };
  expect(settingsOf(changed)).toEqual({
    ...PAPER,
    weights: { memory: 3 },
    dataset_weights: { imdb: 0 },
    memory_budget_gib: 16,
  });
});

test("sent and read again, a draft is the same", () => {
  const changed = { ...rebased(draft, "fairness"), epsilon: "0.5", mode: "absolute" as const };
  expect(draftOf(settingsOf(changed), ["sst", "imdb"])).toEqual(changed);
});

test("weights that nobody touched follow the base metric", () => {
  expect(rebased(draft, "memory").weights).toMatchObject({ memory: 4, performance: 1 });
  const touched = { ...draft, weights: { ...draft.weights, memory: 3 } };
  expect(rebased(touched, "memory").weights).toBe(touched.weights);
});

test("a draft that cannot rank is told before it is sent", () => {
  expect(problemOf(draft)).toBe("");
  expect(problemOf({ ...draft, budget: "-1" })).toMatch(/memory budget/);
  expect(problemOf({ ...draft, epsilon: "" })).toMatch(/Epsilon/);
  expect(problemOf({ ...draft, datasets: { sst: 0, imdb: 0 } })).toMatch(/one dataset/);
});

test("versions differ in words", () => {
  expect(changes(PAPER, { ...PAPER, weights: { memory: 3 }, dataset_weights: { sst: 2 } })).toEqual([
    "weight of memory 1 → 3",
    "dataset sst 1 → 2",
  ]);
});

test("two boards side by side say who moves", () => {
  const row = (name: string, rank: number | null) => ({ model_id: name, name, rank, score: 1 });
  const all = moves([row("a", 1), row("b", 2), row("c", null)], [row("b", 1), row("a", 2), row("c", null)]);
  expect(all.map(({ gained }) => gained)).toEqual([1, -1, 0]);
  expect(summary(all)).toBe("2 of 3 models would change their rank. b would come first.");
  expect(summary(moves([row("a", 1)], [row("a", 1)]))).toMatch(/No model/);
});
