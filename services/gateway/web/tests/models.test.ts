import { expect, test } from "vitest";
import { blocksOf, latencyOf, memoryOf, observationsOf, relativeSpeeds } from "../src/models/costs";
import { byDataset, flagsOf, otherMetrics, type Score, warningsOf } from "../src/models/scores";

function score(metric: string, changes: Partial<Score> = {}): Score {
  return {
    metric,
    value: 50,
    low: null,
    high: null,
    n: 10,
    unit: "%",
    flags: [],
    provenance: {},
    dataset: "films",
    dataset_version: 1,
    dataset_digest: "d",
    perturbation_digest: "",
    role: "scoring",
    metric_version: "1",
    tag: "",
    created_at: "2026-05-03T12:00:00Z",
    ...changes,
  };
}

test("datasets that rank come first, and an older version has its number in the address", () => {
  const scores = [
    score("accuracy", { dataset: "talks", role: "standard" }),
    score("accuracy"),
    score("accuracy", { dataset_version: 2 }),
  ];
  expect(byDataset(scores).map(({ key }) => key)).toEqual(["films", "films.v1", "talks"]);
  expect(byDataset(scores)[0]!.version).toBe(2);
});

test("tags, kinds and groups are told apart, each with its change of performance", () => {
  const perturbed = { perturbation_digest: "p" };
  const [films] = byDataset([
    score("accuracy", { tag: "sarcasm" }),
    score("fairness", perturbed),
    score("fairness", { ...perturbed, tag: "kind:name_gender" }),
    score("fairness_accuracy_change", { ...perturbed, tag: "kind:name_gender", value: -5 }),
    score("fairness", { ...perturbed, tag: "group:female→male" }),
    score("fairness_coverage", perturbed),
  ]);
  expect([...films!.tags.keys()]).toEqual(["sarcasm"]);
  const { kinds, groups, whole, coverage } = films!.suites.fairness;
  expect(kinds.map(({ name, change }) => [name, change?.value])).toEqual([["name_gender", -5]]);
  expect(groups.map(({ name }) => name)).toEqual(["female→male"]);
  expect([whole?.name, coverage?.metric]).toEqual(["", "fairness_coverage"]);
  expect(films!.suites.robustness.whole).toBeUndefined();
});

test("what else is known of quality is neither what ranks nor a cost", () => {
  const metrics = ["accuracy", "macro_f1", "throughput", "latency_p50", "memory_peak"];
  const [films] = byDataset(metrics.map((metric) => score(metric)));
  expect(otherMetrics(films!, "accuracy").map(({ metric }) => metric)).toEqual(["macro_f1"]);
});

test("flags and warnings are said once", () => {
  const warned = { provenance: { warnings: ["Mind."] }, flags: ["quick"] };
  const found = byDataset([score("fairness", warned), score("robustness", warned)]);
  expect([flagsOf(found), warningsOf(found)]).toEqual([["quick"], ["Mind."]]);
});

const block = (start_s: number, examples: number, more: object = {}) => ({ start_s, seconds: 1, examples, ...more });

test("without a reference each block is an observation", () => {
  const cell = score("throughput", { provenance: { blocks: [block(0, 10), block(1, 30), { seconds: 0 }] } });
  expect(observationsOf(cell).map(({ throughput }) => throughput)).toEqual([10, 30]);
});

test("beside a reference a pair's ratio times the reference's rating is one", () => {
  const blocks = [
    block(0, 10, { model: "candidate", pair: 0 }),
    block(1, 20, { model: "reference", pair: 0 }),
    block(2, 30, { model: "candidate", pair: 0 }),
    block(3, 20, { model: "reference", pair: 0 }),
  ];
  const cell = score("throughput", { provenance: { blocks, rating: 100 } });
  expect(observationsOf(cell)).toEqual([{ start: 0, throughput: 100 }]);
  expect(relativeSpeeds(blocksOf(cell)).map(({ relative }) => relative)).toEqual([0.5, 1, 1.5, 1]);
});

test("memory is in GiB, and what is no sample is left out", () => {
  const cell = score("throughput", { provenance: { memory_samples: [[0.5, 2 ** 29], "odd"] } });
  expect(memoryOf(cell)).toEqual([{ seconds: 0.5, gib: 0.5 }]);
});

test("latency over the run is in windows, and older cells have none", () => {
  const cell = score("latency_p50", { provenance: { course_ms: [[0, 4, 5], [0.2, 3, 250], [1], "odd"] } });
  expect(latencyOf(cell)).toEqual([
    { seconds: 0, median: 4, slowest: 5 },
    { seconds: 0.2, median: 3, slowest: 250 },
  ]);
  expect(latencyOf(score("latency_p50"))).toEqual([]);
});
