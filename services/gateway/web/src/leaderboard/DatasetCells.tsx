import { Link } from "wouter";
import { places } from "../app/places";
import { Flag } from "../components/Flag";
import { metricTitle } from "../components/metrics";
import { number, percent } from "../format/numbers";
import { DetailTable } from "./DetailTable";
import styles from "./details.module.css";
import type { Row } from "./ranked";
import { shortInterval } from "./shortInterval";

interface Props {
  readonly task: string;
  readonly row: Row;
  readonly metrics: readonly string[];
  readonly units: Readonly<Record<string, string>>;
}

/** A model's results on each dataset, those that count and those that stand beside. */
export function DatasetCells({ task, row, metrics, units }: Props) {
  const datasets = [...row.datasets].sort((a, b) => b.weight - a.weight || a.name.localeCompare(b.name, "en"));
  if (!datasets.length) return <p className="soft">Results on each dataset are being fetched …</p>;
  return (
    <DetailTable title="On each dataset, with 95 % intervals">
      <thead>
        <tr>
          <th scope="col">Dataset</th>
          <th scope="col" className="number">
            Counts
          </th>
          {metrics.map((metric) => (
            <th key={metric} scope="col" className="number">
              {metricTitle(metric)} <span className={styles.unit}>{units[metric]}</span>
            </th>
          ))}
          <th scope="col">Marks</th>
        </tr>
      </thead>
      <tbody>
        {datasets.map((dataset) => {
          const flags = new Set(Object.values(dataset.cells).flatMap((cell) => cell.flags));
          return (
            <tr key={dataset.name}>
              <th scope="row">
                <Link href={places.datasets(task)}>{dataset.name}</Link> <small>v{dataset.version}</small>
              </th>
              <td className="number">{dataset.weight > 0 ? percent(dataset.weight) : "beside"}</td>
              {metrics.map((metric) => {
                const cell = dataset.cells[metric];
                return (
                  <td key={metric} className="number">
                    {cell ? number(cell.value) : "–"}
                    <small>{cell ? `${shortInterval(cell.low, cell.high)}  n ${number(cell.n, 0)}` : ""}</small>
                  </td>
                );
              })}
              <td>
                {[...flags].map((flag) => (
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
