import { Link, useSearch } from "wouter";
import { metricTitle } from "../components/metrics";
import { Part, Wide } from "../components/Page";
import { columnDecimals, interval, number } from "../format/numbers";
import type { DatasetScores, Score } from "./scores";
import styles from "./models.module.css";

interface Props {
  readonly datasets: readonly DatasetScores[];
  readonly performance: string;
}

const ROLES = [
  ["scoring", "On the leaderboard", "These datasets rank: their mean is the model's row."],
  ["standard", "Beside the leaderboard", "Reported, never ranked: other data of the task, and tests for one ability."],
  ["hidden", "Hidden", "For task owners only."],
] as const;

/** Every dataset's result, those that rank and those that do not set apart (the paper's Figure 6). */
export function DatasetTables({ datasets, performance }: Props) {
  const metrics = [performance, ...RANKED].filter((metric) => datasets.some(({ whole }) => whole.has(metric)));
  return ROLES.map(([role, title, meaning]) => {
    const own = datasets.filter((dataset) => dataset.role === role);
    return own.length ? (
      <Part key={role} title={title} aside={<small>{meaning}</small>}>
        <Table title={title} datasets={own} performance={performance} metrics={metrics} />
      </Part>
    ) : null;
  });
}

const UNITS: Readonly<Record<string, string>> = { throughput: "examples/s", memory: "GiB" };
const RANKED = ["throughput", "memory", "fairness", "robustness"];

interface TableProps extends Props {
  readonly title: string;
  /** The same columns for all tables, so that they stand below one another. */
  readonly metrics: readonly string[];
}

function Table({ title, datasets, performance, metrics }: TableProps) {
  return (
    <Wide label={title}>
      <table className={styles.datasets}>
        <caption className="visually-hidden">{title}: a row for each dataset, intervals at 95 %</caption>
        <thead>
          <tr>
            <th scope="col">Dataset</th>
            <th scope="col" className="number">
              Examples
            </th>
            {metrics.map((metric) => (
              <th key={metric} scope="col" className="number">
                {metricTitle(metric)}
                <br />
                <small>{UNITS[metric] ?? "%"}</small>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {datasets.map((dataset) => (
            <tr key={dataset.key}>
              <th scope="row">
                <Here dataset={dataset} />
              </th>
              <td className="number">{number(dataset.whole.get(performance)?.n ?? 0, 0)}</td>
              {metrics.map((metric) => (
                <td key={metric} className="number">
                  <Value score={dataset.whole.get(metric)} decimals={decimalsOf(datasets, metric)} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Wide>
  );
}

/** The dataset's name leads to its details on this page. */
function Here({ dataset }: { readonly dataset: DatasetScores }) {
  const search = new URLSearchParams(useSearch());
  search.set("dataset", dataset.key);
  return (
    <Link
      href={`?${search.toString()}`}
      onClick={() => document.getElementById("details")?.scrollIntoView({ block: "start" })}
    >
      {dataset.name}
      {dataset.key === dataset.name ? "" : `, version ${dataset.version}`}
    </Link>
  );
}

function Value({ score, decimals }: { readonly score: Score | undefined; readonly decimals: number }) {
  if (!score) return <span className="soft">–</span>;
  return (
    <div className={styles.value}>
      {number(score.value, decimals)}
      <small>{interval(score.low, score.high, decimals)}</small>
    </div>
  );
}

function decimalsOf(datasets: readonly DatasetScores[], metric: string): number {
  const scores = datasets.flatMap(({ whole }) => whole.get(metric) ?? []);
  return scores[0]?.unit === "%" ? 1 : columnDecimals(scores.map(({ value }) => value));
}
