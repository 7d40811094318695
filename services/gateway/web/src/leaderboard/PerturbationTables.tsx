import { useQuery } from "@tanstack/react-query";
import { answered, api, type Shapes } from "../api/client";
import { useKey } from "../api/session";
import { metricTitle } from "../components/metrics";
import { Loaded } from "../components/Loaded";
import { number } from "../format/numbers";
import { DetailTable } from "./DetailTable";
import styles from "./details.module.css";

type Score = Shapes["ScoreView"];

const SUITES = ["fairness", "robustness"];
const KINDS: readonly (readonly [string, string])[] = [
  ["kind:", "by transformation"],
  ["group:", "by group"],
];

/** Fairness and robustness, transformation by transformation and group by group, on each dataset. */
export function PerturbationTables({ submission }: { readonly submission: string }) {
  const key = useKey();
  const scores = useQuery({
    queryKey: ["scores", submission, key],
    queryFn: () =>
      answered(
        api.GET("/api/v1/submissions/{submission_id}/scores", { params: { path: { submission_id: submission } } }),
      ),
    staleTime: 60_000,
  });
  return (
    <Loaded query={scores} height="12rem">
      {(cells) => (
        <div className={styles.tables}>
          {tablesOf(cells).map((table) => (
            <Table key={table.title} {...table} />
          ))}
        </div>
      )}
    </Loaded>
  );
}

interface Perturbed {
  readonly title: string;
  readonly rows: readonly { readonly name: string; readonly kept: Score; readonly change: Score | undefined }[];
}

/** A table for each suite, dataset and kind of tag that has numbers. */
function tablesOf(cells: readonly Score[]): Perturbed[] {
  const perturbed = cells.filter((cell) => cell.perturbation_digest);
  const datasets = [...new Set(perturbed.map((cell) => cell.dataset))];
  return SUITES.flatMap((suite) =>
    datasets.flatMap((dataset) =>
      KINDS.map(([prefix, words]) => {
        const here = perturbed.filter((cell) => cell.dataset === dataset && cell.tag.startsWith(prefix));
        const kept = here.filter((cell) => cell.metric === suite);
        const rows = kept.map((cell) => ({
          name: cell.tag.slice(prefix.length).replaceAll("_", " "),
          kept: cell,
          change: here.find((other) => other.tag === cell.tag && other.metric.startsWith(`${suite}_`)),
        }));
        return { title: `${metricTitle(suite)} on ${dataset}, ${words}`, rows };
      }),
    ),
  ).filter((table) => table.rows.length > 0);
}

function Table({ title, rows }: Perturbed) {
  return (
    <DetailTable title={title}>
      <thead>
        <tr>
          <th scope="col">What was changed</th>
          <th scope="col" className="number">
            Predictions kept, %
          </th>
          <th scope="col" className="number">
            Change of performance, points
          </th>
          <th scope="col" className="number">
            Texts
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, kept, change }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td className="number">
              {number(kept.value, 1)}
              <small>{ends(kept)}</small>
            </td>
            <td className="number">
              {change ? number(change.value, 1) : "–"}
              <small>{ends(change)}</small>
            </td>
            <td className="number">{number(kept.n, 0)}</td>
          </tr>
        ))}
      </tbody>
    </DetailTable>
  );
}

function ends(score: Score | undefined): string {
  if (score?.low == null || score.high == null) return "";
  return `${number(score.low, 1)} to ${number(score.high, 1)}`;
}
