import { metricTitle } from "../components/metrics";
import { moment } from "../format/numbers";
import { DetailTable } from "./DetailTable";
import type { Row } from "./ranked";

/** What of a cell's provenance is told, and in which words. */
const TOLD: readonly (readonly [string, string])[] = [
  ["measured_at", "measured"],
  ["profile", "profile"],
  ["protocol", "protocol"],
  ["batch_size", "batch size"],
  ["sandbox", "sandbox"],
  ["code_version", "code"],
  ["predictions_digest", "predictions"],
  ["seed", "seed"],
];

/** Where each number comes from: dataset, version, digests, time and how it was measured. */
export function Provenance({ row, metrics }: { readonly row: Row; readonly metrics: readonly string[] }) {
  if (!row.datasets.length) return null;
  return (
    <details>
      <summary>Where these numbers come from</summary>
      <DetailTable title="Where each number comes from">
        <thead>
          <tr>
            <th scope="col">Dataset</th>
            <th scope="col">Metric</th>
            <th scope="col">Digest of the dataset</th>
            <th scope="col">How it was made</th>
          </tr>
        </thead>
        <tbody>
          {row.datasets.flatMap((dataset) =>
            metrics.flatMap((metric) => {
              const cell = dataset.cells[metric];
              if (!cell) return [];
              return (
                <tr key={`${dataset.name} ${metric}`}>
                  <th scope="row">
                    {dataset.name} v{dataset.version}
                  </th>
                  <td>{metricTitle(metric)}</td>
                  <td>
                    <code>{dataset.digest.slice(0, 12)}</code>
                  </td>
                  <td>{inWords(cell.provenance)}</td>
                </tr>
              );
            }),
          )}
        </tbody>
      </DetailTable>
    </details>
  );
}

function inWords(provenance: Readonly<Record<string, unknown>>): string {
  const said = TOLD.flatMap(([name, words]) => {
    const value = provenance[name];
    if (typeof value !== "string" && typeof value !== "number") return [];
    if (name === "measured_at") return [`${words} ${moment(String(value))}`];
    return [`${words} ${name.endsWith("digest") ? String(value).slice(0, 12) : value}`];
  });
  return said.join(" · ");
}
