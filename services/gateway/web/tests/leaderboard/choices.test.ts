import { describe, expect, it } from "vitest";
import { boardQuery, choicesOf, isChanged, NOTHING_CHOSEN, queryOf } from "../../src/leaderboard/choices";

const EVERYTHING =
  "amrs_method=median&base=fairness&tag=short&hardware=abc&as_of=2026-05-03T12%3A00%3A00Z&unpublished=true" +
  "&weight.memory=3&dataset_weight.my-set=0.5&sort=memory&order=descending&search=bert&page=2&open=a%2Cb&since=7d";

describe("choices", () => {
  it("are the task's where the address says nothing", () => {
    expect(choicesOf(new URLSearchParams())).toEqual(NOTHING_CHOSEN);
    expect(queryOf(NOTHING_CHOSEN).toString()).toBe("");
    expect(isChanged(NOTHING_CHOSEN)).toBe(false);
  });

  it("come back from the address they write", () => {
    expect(queryOf(choicesOf(new URLSearchParams(EVERYTHING))).toString()).toBe(EVERYTHING);
  });

  it("leave out weights that are no numbers of at least 0", () => {
    const query = new URLSearchParams("weight.memory=-1&weight.fairness=x&weight.robustness=&weight.throughput=0");
    expect(choicesOf(query).weights).toEqual({ throughput: 0 });
  });

  it("ask the API for weights and method only", () => {
    const choices = choicesOf(new URLSearchParams("weight.memory=3&search=bert&page=2&aggregation=zscore"));
    expect(boardQuery(choices).toString()).toBe("aggregation=zscore&weight.memory=3");
  });
});
