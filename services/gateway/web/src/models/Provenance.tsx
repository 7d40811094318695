import type { ReactNode } from "react";
import { Link } from "wouter";
import { places } from "../app/places";
import { Facts } from "../components/Card";
import { Part } from "../components/Page";
import { useDatasets } from "../datasets/useDatasets";
import { machineWords } from "../format/machine";
import { moment } from "../format/numbers";
import styles from "./models.module.css";
import type { DatasetScores } from "./scores";
import type { Submission } from "./useModel";

interface Props {
  readonly dataset: DatasetScores;
  readonly submission: Submission;
  readonly performance: string;
}

type Fact = [string, ReactNode];

/** What a number needs to be made again: digests, versions, seed, machine, times. */
export function Provenance({ dataset, submission, performance }: Props) {
  const quality = dataset.whole.get(performance);
  const cost = dataset.whole.get("throughput");
  const facts: Fact[] = [
    ["Model, sha256", <Digest key="model" of={submission.digest} />],
    ["Dataset, sha256", <Digest key="dataset" of={dataset.digest} />],
    ...(["robustness", "fairness"] as const).flatMap((suite): Fact[] => {
      const digest = dataset.suites[suite].whole?.kept.perturbation_digest;
      return digest ? [[`Copy for ${suite}, sha256`, <Digest key={suite} of={digest} />]] : [];
    }),
    ...(quality ? known("Predictions, sha256", <Digest of={quality.provenance.predictions_digest} />) : []),
    ...(quality ? known("Metric", `${quality.metric}, version ${quality.metric_version}`) : []),
    ...(quality ? known("Interval", intervalWords(quality.provenance.interval)) : []),
    ...(quality
      ? known("Scored", `${moment(quality.created_at)}, by Dynaboard ${words(quality.provenance.code_version)}`)
      : []),
    ...(cost ? costFacts(cost.provenance) : []),
  ];
  return (
    <Part title="Where these numbers come from" aside={<DatasetLink dataset={dataset} task={submission.task} />}>
      <Facts facts={facts} />
    </Part>
  );
}

/** To the page of this very version of the dataset. */
function DatasetLink({ dataset, task }: { readonly dataset: DatasetScores; readonly task: string }) {
  const { data } = useDatasets(true);
  const id = data?.find(({ digest }) => digest === dataset.digest)?.id;
  return <Link href={id ? places.dataset(id) : places.datasets(task)}>The dataset</Link>;
}

function costFacts(from: Readonly<Record<string, unknown>>): Fact[] {
  const versions = Object.entries((from.versions ?? {}) as Record<string, unknown>);
  const measured = words(from.measured_at);
  return [
    ...known("Machine", machineWords(from.hardware)),
    ...known("Machine's fingerprint", <code key="machine">{words(from.hardware_profile)}</code>),
    ...known("Sandbox", words(from.sandbox)),
    ...known("Cost protocol", [words(from.protocol), words(from.profile)].filter(Boolean).join(", profile ")),
    ...known("Software", versions.map(([name, version]) => `${name} ${words(version)}`).join(", ")),
    ...known("Seed", words(from.seed)),
    ...known("Measured", measured && moment(measured)),
  ];
}

function known(term: string, value: ReactNode): Fact[] {
  return value ? [[term, value]] : [];
}

function words(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

function intervalWords(interval: unknown): string {
  const { method, confidence, replicates } = (interval ?? {}) as Record<string, unknown>;
  if (typeof confidence !== "number") return "";
  return `${confidence * 100} %, ${words(method)}, ${words(replicates)} replicates`;
}

/** A digest, whole, so that it can be compared and copied. */
function Digest({ of }: { readonly of: unknown }) {
  return <code className={styles.digest}>{words(of) || "not known"}</code>;
}
