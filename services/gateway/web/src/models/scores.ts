/** All cells of a submission, put in order for reading: a dataset, and what is known of the model on it. Pure. */
import type { Shapes } from "../api/client";

export type Score = Shapes["ScoreView"];
export type Suite = "robustness" | "fairness";

/** A kind of edit, or two groups of people, and the model on these variants. */
export interface SuiteRow {
  readonly name: string;
  readonly kept: Score;
  /** How performance changes, in points; it tells an unstable model from one that gets worse. */
  readonly change: Score | undefined;
}

export interface SuiteScores {
  readonly whole: SuiteRow | undefined;
  readonly kinds: readonly SuiteRow[];
  readonly groups: readonly SuiteRow[];
  readonly coverage: Score | undefined;
}

export interface DatasetScores {
  /** As it stands in the address: the name, with the version where there are several. */
  readonly key: string;
  readonly name: string;
  readonly version: number;
  readonly digest: string;
  readonly role: string;
  /** Of the whole dataset, by metric name; fairness and robustness are here too. */
  readonly whole: ReadonlyMap<string, Score>;
  /** By the dataset's own tags. */
  readonly tags: ReadonlyMap<string, ReadonlyMap<string, Score>>;
  readonly suites: Readonly<Record<Suite, SuiteScores>>;
}

const ORDER = ["scoring", "standard", "hidden"];

/** Datasets that rank first, each with its newest version first. */
export function byDataset(scores: readonly Score[]): DatasetScores[] {
  const found = new Map<string, Score[]>();
  for (const score of scores) {
    const key = `${score.dataset} ${score.dataset_version}`;
    found.set(key, [...(found.get(key) ?? []), score]);
  }
  const datasets = [...found.values()].map(gathered);
  datasets.sort(
    (a, b) => ORDER.indexOf(a.role) - ORDER.indexOf(b.role) || a.name.localeCompare(b.name) || b.version - a.version,
  );
  return datasets.map((dataset, at) => {
    const newest = datasets.findIndex(({ name }) => name === dataset.name) === at;
    return newest ? dataset : { ...dataset, key: `${dataset.name}.v${dataset.version}` };
  });
}

function gathered(scores: readonly Score[]): DatasetScores {
  const { dataset, dataset_version, dataset_digest, role } = scores[0]!;
  const tags = new Map<string, Map<string, Score>>();
  for (const score of scores) {
    if (!score.tag || score.perturbation_digest) continue;
    if (!tags.has(score.tag)) tags.set(score.tag, new Map());
    tags.get(score.tag)!.set(score.metric, score);
  }
  return {
    key: dataset,
    name: dataset,
    version: dataset_version,
    digest: dataset_digest,
    role,
    whole: new Map(scores.filter(({ tag }) => !tag).map((score) => [score.metric, score])),
    tags: new Map([...tags].sort(([a], [b]) => a.localeCompare(b))),
    suites: { robustness: suiteOf(scores, "robustness"), fairness: suiteOf(scores, "fairness") },
  };
}

function suiteOf(scores: readonly Score[], suite: Suite): SuiteScores {
  const of = scores.filter(({ perturbation_digest }) => perturbation_digest);
  const changes = new Map(
    of
      .filter(({ metric }) => metric.startsWith(`${suite}_`) && metric.endsWith("_change"))
      .map((one) => [one.tag, one]),
  );
  const row = (kept: Score): SuiteRow => ({
    name: kept.tag.replace(/^(?:kind|group):/, ""),
    kept,
    change: changes.get(kept.tag),
  });
  const rows = of.filter(({ metric }) => metric === suite);
  const whole = rows.find(({ tag }) => !tag);
  return {
    whole: whole && row(whole),
    kinds: rows.filter(({ tag }) => tag.startsWith("kind:")).map(row),
    groups: rows.filter(({ tag }) => tag.startsWith("group:")).map(row),
    coverage: of.find(({ metric, tag }) => metric === `${suite}_coverage` && !tag),
  };
}

const RANKED = new Set(["throughput", "memory", "fairness", "robustness"]);
const COSTS = new Set(["throughput", "memory", "memory_peak", "cold_start", "server_rate"]);

/** Metrics of quality beside the one that ranks, of the unperturbed dataset. */
export function otherMetrics(dataset: DatasetScores, performance: string): Score[] {
  return [...dataset.whole.values()].filter(
    ({ metric, perturbation_digest }) =>
      metric !== performance &&
      !perturbation_digest &&
      !RANKED.has(metric) &&
      !COSTS.has(metric) &&
      !metric.startsWith("latency_"),
  );
}

/** The flags of all of a model's numbers, each once. */
export function flagsOf(datasets: readonly DatasetScores[]): string[] {
  return [...new Set(datasets.flatMap(({ whole }) => [...whole.values()].flatMap(({ flags }) => flags)))].sort();
}

/** The Broader Impact warnings of these numbers, each once. */
export function warningsOf(datasets: readonly DatasetScores[]): string[] {
  const all = datasets.flatMap(({ whole }) =>
    [...whole.values()].flatMap(({ provenance }) => provenance.warnings ?? []),
  );
  return [...new Set(all)].filter((warning): warning is string => typeof warning === "string");
}
