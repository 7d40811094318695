import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { answered, api } from "../api/client";
import { places } from "../app/places";
import { BroaderImpact } from "../components/BroaderImpact";
import { Part, Wide } from "../components/Page";
import { columnDecimals, interval, number } from "../format/numbers";
import { bestOn, type Result } from "./best";
import styles from "./datasets.module.css";
import type { Dataset } from "./useDatasets";

const SHOWN = 10;

/** The models that do best on this dataset alone. */
export function Best({ dataset }: { readonly dataset: Dataset }) {
  const { task } = dataset;
  const board = useQuery({
    queryKey: ["leaderboard", task, "datasets"],
    queryFn: () =>
      answered(api.GET("/api/v1/leaderboards/{task}", { params: { path: { task }, query: { limit: 1000 } } })),
  });
  const results = board.data ? bestOn(board.data, dataset.digest) : [];
  if (!board.data || results.length === 0) return null;
  return (
    <Part title="Best on this dataset">
      <p>
        Performance here alone. What ranks a model is <Link href={places.board(task)}>the board</Link>: all scoring
        datasets, and what the model costs.
      </p>
      <Results results={results.slice(0, SHOWN)} />
      <BroaderImpact warnings={board.data.warnings ?? []} />
    </Part>
  );
}

function Results({ results }: { readonly results: readonly Result[] }) {
  const decimals = Math.min(2, columnDecimals(results.map(({ cell }) => cell.value)));
  return (
    <Wide label="Models that do best on this dataset">
      <table className={styles.best}>
        <caption className="visually-hidden">Models by performance on this dataset</caption>
        <thead>
          <tr>
            <th scope="col">Model</th>
            <th scope="col" className="number">
              {results[0]?.cell.metric} ({results[0]?.cell.unit})
            </th>
            <th scope="col" className="number">
              95 % interval
            </th>
            <th scope="col" className="number">
              n
            </th>
          </tr>
        </thead>
        <tbody>
          {results.map(({ model, name, cell }) => (
            <tr key={model}>
              <th scope="row">
                <Link href={places.model(model)}>{name}</Link>
              </th>
              <td className="number">{number(cell.value, decimals)}</td>
              <td className="number">{interval(cell.low, cell.high)}</td>
              <td className="number">{number(cell.n, 0)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Wide>
  );
}
