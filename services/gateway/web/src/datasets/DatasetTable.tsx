import { Link } from "wouter";
import { places } from "../app/places";
import { Flag } from "../components/Flag";
import { Wide } from "../components/Page";
import { bytes, number } from "../format/numbers";
import { Counts } from "./Counts";
import styles from "./datasets.module.css";
import type { Dataset } from "./useDatasets";
import { ranked } from "./words";

interface Props {
  readonly datasets: readonly Dataset[];
  /** Then the task needs no column. */
  readonly ofOneTask?: boolean;
}

/** Datasets, a line each. */
export function DatasetTable({ datasets, ofOneTask = false }: Props) {
  return (
    <Wide label="Datasets">
      <table className={styles.table}>
        <caption className="visually-hidden">Datasets by task and name</caption>
        <thead>
          <tr>
            <th scope="col">Dataset</th>
            {ofOneTask ? null : <th scope="col">Task</th>}
            <th scope="col">Role</th>
            <th scope="col" className="number">
              Examples
            </th>
            <th scope="col">Labels</th>
            <th scope="col">Tags</th>
            <th scope="col">Licence</th>
          </tr>
        </thead>
        <tbody>
          {datasets.map((one) => (
            <Line key={one.id} one={one} withTask={!ofOneTask} />
          ))}
        </tbody>
      </table>
    </Wide>
  );
}

function Line({ one, withTask }: { readonly one: Dataset; readonly withTask: boolean }) {
  const tags = ranked(one.tags);
  return (
    <tr>
      <th scope="row" className={styles.name}>
        <Link href={places.dataset(one.id)}>{one.name}</Link> <span className="soft">v{one.version}</span>
        {one.description ? <p className={styles.about}>{one.description}</p> : null}
      </th>
      {withTask ? (
        <td>
          <Link href={places.task(one.task)}>{one.task}</Link>
        </td>
      ) : null}
      <td>
        <Flag name={one.role} kind={one.role === "scoring" ? "good" : "plain"} />
      </td>
      <td className="number">
        {number(one.examples, 0)}
        <br />
        <small>{bytes(one.size)}</small>
      </td>
      <td className={styles.labels}>
        {Object.keys(one.labels).length ? (
          <Counts counts={one.labels} of={one.examples} most={4} />
        ) : (
          <small>free text</small>
        )}
      </td>
      <td className={styles.tags}>
        <small>
          {tags
            .slice(0, 5)
            .map(([tag, count]) => `${tag} ${number(count, 0)}`)
            .join(", ") || "none"}
          {tags.length > 5 ? `, ${tags.length - 5} more` : ""}
        </small>
      </td>
      <td>{one.licence}</td>
    </tr>
  );
}
