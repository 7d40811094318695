import { Link, useSearchParams } from "wouter";
import { useTasks } from "../api/tasks";
import { places } from "../app/places";
import { BroaderImpact } from "../components/BroaderImpact";
import { Field } from "../components/Field";
import { Loaded } from "../components/Loaded";
import { Empty } from "../components/Notice";
import { CostPart } from "./CostPart";
import { DatasetTables } from "./DatasetTables";
import { Flags } from "./Flags";
import styles from "./models.module.css";
import { Provenance } from "./Provenance";
import { QualityPart } from "./QualityPart";
import { byDataset, type DatasetScores, flagsOf, warningsOf } from "./scores";
import { SuitePart } from "./SuitePart";
import { type Submission, useScores } from "./useModel";

/** Everything that was measured of one version: all datasets first, then one of them in detail. */
export function Results({ submission }: { readonly submission: Submission }) {
  const scores = useScores(submission.id);
  const tasks = useTasks();
  const performance = tasks.data?.find(({ name }) => name === submission.task)?.performance_metric;
  return (
    <Loaded query={scores} height="60rem">
      {(found) => {
        const datasets = byDataset(found);
        if (!datasets.length || !performance) return datasets.length ? null : <Nothing />;
        return (
          <>
            <DatasetTables datasets={datasets} performance={performance} />
            <Flags flags={flagsOf(datasets)} />
            <BroaderImpact warnings={warningsOf(datasets)} about="these results" />
            <Details datasets={datasets} performance={performance} submission={submission} />
          </>
        );
      }}
    </Loaded>
  );
}

function Nothing() {
  return (
    <Empty title="No results that you may see">
      <p>This version has been run on hidden datasets only.</p>
    </Empty>
  );
}

interface DetailsProps {
  readonly datasets: readonly DatasetScores[];
  readonly performance: string;
  readonly submission: Submission;
}

/** One dataset in detail; which one stands in the address. */
function Details({ datasets, performance, submission }: DetailsProps) {
  const [search, setSearch] = useSearchParams();
  const shown = datasets.find(({ key }) => key === search.get("dataset")) ?? datasets[0]!;
  const choose = (key: string) =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before);
        next.set("dataset", key);
        return next;
      },
      { replace: true },
    );
  return (
    <section className={styles.details} aria-labelledby="details">
      <header>
        <h2 id="details">In detail</h2>
        <Field label="Dataset">
          {(ids) => (
            <select {...ids} value={shown.key} onChange={(event) => choose(event.target.value)}>
              {datasets.map(({ key, name, version, role }) => (
                <option key={key} value={key}>{`${name}, version ${version} (${role})`}</option>
              ))}
            </select>
          )}
        </Field>
        <Link href={places.examples(submission.id, shown.name, shown.version)}>Its answers, example by example</Link>
      </header>
      <QualityPart dataset={shown} performance={performance} />
      <SuitePart dataset={shown} suite="robustness" />
      <SuitePart dataset={shown} suite="fairness" />
      <CostPart dataset={shown} />
      <Provenance dataset={shown} submission={submission} performance={performance} />
    </section>
  );
}
