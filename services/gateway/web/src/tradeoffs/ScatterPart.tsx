import { useMemo } from "react";
import { Link } from "wouter";
import { places } from "../app/places";
import { Field } from "../components/Field";
import { metricTitle } from "../components/metrics";
import { Empty } from "../components/Notice";
import { Part, Wide } from "../components/Page";
import { columnDecimals, interval, number } from "../format/numbers";
import { worth } from "../leaderboard/exchange";
import type { Shown } from "../leaderboard/useBoard";
import type { Point } from "./front";
import { type Axes, frontOf, Scatter } from "./Scatter";
import styles from "./tradeoffs.module.css";

interface Props {
  readonly shown: Shown;
  readonly x: string;
  readonly y: string;
  readonly onChoose: (axes: { x?: string; y?: string }) => void;
}

/** Any metric against any other, drawn and as a table. */
export function ScatterPart({ shown, x, y, onChoose }: Props) {
  const { view, ranked } = shown;
  const axes = useMemo<Axes>(
    () => ({ x, y, units: view.units, rates: [ranked.amrs[x] ?? null, ranked.amrs[y] ?? null] }),
    [x, y, view.units, ranked.amrs],
  );
  const points = useMemo(() => pointsOf(shown, x, y), [shown, x, y]);
  const rate = ranked.amrs[x];
  return (
    <Part
      title={`${metricTitle(y)} against ${x}`}
      aside={
        <div className={styles.axes}>
          <Axis label="Across" value={x} metrics={ranked.metrics} onChoose={(metric) => onChoose({ x: metric })} />
          <Axis label="Up" value={y} metrics={ranked.metrics} onChoose={(metric) => onChoose({ y: metric })} />
        </div>
      }
    >
      {points.length === 0 ? (
        <Empty title="No model has both metrics yet" />
      ) : (
        <>
          <div className={`sheet ${styles.chart}`}>
            <Scatter points={points} axes={axes} />
          </div>
          <p className="soft">
            Filled: on the Pareto front, joined by the line; no other model is as good in both and better in one. Thin
            lines are 95 % intervals.{" "}
            {rate && x !== view.base_metric
              ? `Along the dashed line models would be worth the same as the best one, were only these two counted, and equally: ${worth(x, view.base_metric, rate)}, the mean of what neighbours in ${view.base_metric} trade (AMRS).`
              : "There is no dashed line of equal worth, as one of the two has no exchange rate here."}
          </p>
          <Numbers points={points} axes={axes} />
        </>
      )}
    </Part>
  );
}

interface AxisProps {
  readonly label: string;
  readonly value: string;
  readonly metrics: readonly string[];
  readonly onChoose: (metric: string) => void;
}

export function Axis({ label, value, metrics, onChoose }: AxisProps) {
  return (
    <Field label={label}>
      {(ids) => (
        <select {...ids} value={value} onChange={(event) => onChoose(event.target.value)}>
          {metrics.map((metric) => (
            <option key={metric} value={metric}>
              {metricTitle(metric)}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

function Numbers({ points, axes }: { readonly points: readonly Point[]; readonly axes: Axes }) {
  const front = new Set(frontOf(points, axes));
  const [ofX, ofY] = [columnDecimals(points.map(({ x }) => x)), columnDecimals(points.map(({ y }) => y))];
  return (
    <details className={styles.numbers}>
      <summary>The same as a table</summary>
      <Wide label="Numbers of the chart">
        <table>
          <caption className="visually-hidden">
            {metricTitle(axes.y)} and {axes.x} of each model
          </caption>
          <thead>
            <tr>
              <th scope="col">Model</th>
              <th scope="col" className="number">
                {metricTitle(axes.y)} ({axes.units[axes.y]})
              </th>
              <th scope="col" className="number">
                95 % interval
              </th>
              <th scope="col" className="number">
                {metricTitle(axes.x)} ({axes.units[axes.x]})
              </th>
              <th scope="col" className="number">
                95 % interval
              </th>
              <th scope="col">Pareto front</th>
            </tr>
          </thead>
          <tbody>
            {points.map((point) => (
              <tr key={point.id}>
                <th scope="row">
                  <Link href={places.model(point.id)}>{point.name}</Link>
                </th>
                <td className="number">{number(point.y, ofY)}</td>
                <td className="number">{interval(point.yLow, point.yHigh) || "–"}</td>
                <td className="number">{number(point.x, ofX)}</td>
                <td className="number">{interval(point.xLow, point.xHigh) || "–"}</td>
                <td>{front.has(point) ? "on it" : ""}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Wide>
    </details>
  );
}

/** Best first, as on the board. */
function pointsOf({ ranked }: Shown, x: string, y: string): Point[] {
  const [acrossAt, upAt] = [ranked.metrics.indexOf(x), ranked.metrics.indexOf(y)];
  return ranked.rows.flatMap(({ row, values }) => {
    const [across, up] = [values[acrossAt], values[upAt]];
    if (across == null || up == null) return [];
    const [cellX, cellY] = [row.metrics[x], row.metrics[y]];
    return {
      id: row.model_id,
      name: row.name,
      x: across,
      y: up,
      xLow: cellX?.low ?? null,
      xHigh: cellX?.high ?? null,
      yLow: cellY?.low ?? null,
      yHigh: cellY?.high ?? null,
    };
  });
}
