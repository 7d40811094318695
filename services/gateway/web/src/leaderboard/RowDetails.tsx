import { Link } from "wouter";
import { places } from "../app/places";
import { Flag } from "../components/Flag";
import { metricTitle } from "../components/metrics";
import { interval, number, percent } from "../format/numbers";
import { DatasetCells } from "./DatasetCells";
import { threeDigits } from "./exchange";
import { DetailTable } from "./DetailTable";
import styles from "./details.module.css";
import { PerturbationTables } from "./PerturbationTables";
import { Provenance } from "./Provenance";
import type { RankedRow } from "./ranked";
import type { Shown } from "./useBoard";

/** What stands behind one row: how its score is made, each dataset, each perturbation, and where it all comes from. */
export function RowDetails({ item, shown }: { readonly item: RankedRow; readonly shown: Shown }) {
  const { row } = item;
  return (
    <div className={styles.details}>
      <nav aria-label={`More on ${row.name}`} className={styles.links}>
        <Link href={places.model(row.model_id)}>The model</Link>
        <Link href={places.talk(shown.view.task, row.model_id)}>Talk to it</Link>
        <Link href={places.comparison(shown.view.task, row.model_id)}>Compare it</Link>
        <a href={`/api/v1/submissions/${row.submission_id}/scores`}>All its numbers (JSON)</a>
      </nav>
      {row.missing.length > 0 ? (
        <p>
          <strong>Not ranked:</strong> it has no {row.missing.join(", ")}.
        </p>
      ) : null}
      {item.parts.length > 0 ? <ScoreParts item={item} shown={shown} /> : null}
      <DatasetCells task={shown.view.task} row={row} units={shown.view.units} metrics={shown.ranked.metrics} />
      <PerturbationTables submission={row.submission_id} />
      <Provenance row={row} metrics={shown.ranked.metrics} />
      <dl className={styles.origin}>
        <dt>Tie group</dt>
        <dd>
          {row.tie_group == null || !shown.sure
            ? "not known"
            : `${row.tie_group}: models of one group are not told apart`}
        </dd>
        <dt>First place</dt>
        <dd>{row.first == null ? "not known" : `in ${percent(row.first)} of resamples`}</dd>
        <dt>Pareto front</dt>
        <dd>{row.pareto ? "on it: nobody is as good in all and better in one" : "not on it"}</dd>
        <dt>Other aggregates</dt>
        <dd>
          {Object.entries(row.aggregations)
            .map(([name, value]) => `${name.replace("_", " ")} ${value == null ? "–" : number(value, 2)}`)
            .join(" · ") || "not known"}
        </dd>
        <dt>Digest</dt>
        <dd>
          <code>{row.digest}</code>
        </dd>
        <dt>Hardware</dt>
        <dd>{shown.view.hardware_profile ?? "no cost was measured"}</dd>
      </dl>
    </div>
  );
}

function ScoreParts({ item, shown }: { readonly item: RankedRow; readonly shown: Shown }) {
  const { ranked, view } = shown;
  return (
    <DetailTable
      title={`How its score is made: ${number(ranked.floor)} that every model has, and what stands in the last column.`}
    >
      <thead>
        <tr>
          <th scope="col">Metric</th>
          <th scope="col" className="number">
            Value
          </th>
          <th scope="col" className="number">
            95 % interval
          </th>
          <th scope="col">Unit</th>
          <th scope="col" className="number">
            Weight
          </th>
          <th scope="col" className="number">
            AMRS
          </th>
          <th scope="col" className="number">
            Above the weakest
          </th>
          <th scope="col">Marks</th>
        </tr>
      </thead>
      <tbody>
        {ranked.metrics.map((metric, at) => {
          const cell = item.row.metrics[metric];
          const rate = ranked.amrs[metric];
          return (
            <tr key={metric}>
              <th scope="row">{metricTitle(metric)}</th>
              <td className="number">{item.values[at] == null ? "–" : number(item.values[at])}</td>
              <td className="number">{interval(cell?.low, cell?.high) || "–"}</td>
              <td>{view.units[metric]}</td>
              <td className="number">{percent(ranked.weights[metric] ?? 0)}</td>
              <td className="number">{rate == null ? "–" : threeDigits(rate)}</td>
              <td className="number">{number(item.parts[at]!, 2)}</td>
              <td>
                {cell?.flags.map((flag) => (
                  <Flag key={flag} name={flag} />
                ))}
              </td>
            </tr>
          );
        })}
      </tbody>
    </DetailTable>
  );
}
