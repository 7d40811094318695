import { memo } from "react";
import { Link } from "wouter";
import { places } from "../app/places";
import { Flag } from "../components/Flag";
import { metricTitle } from "../components/metrics";
import { interval, number } from "../format/numbers";
import { ContributionBar } from "./ContributionBar";
import styles from "./leaderboard.module.css";
import type { RankedRow, Row } from "./ranked";
import { shortInterval } from "./shortInterval";

interface Props {
  readonly item: RankedRow;
  readonly metrics: readonly string[];
  readonly span: number;
  readonly decimals: readonly number[];
  readonly isOpen: boolean;
  readonly isNew: boolean;
  /** The data tells it apart from the row above. */
  readonly startsGroup: boolean;
  readonly onToggle: (id: string) => void;
}

export const BoardRow = memo(function BoardRow(props: Props) {
  const { item, metrics, span, decimals, isOpen, isNew, startsGroup, onToggle } = props;
  const { row, rank, score } = item;
  return (
    <tr
      data-row={row.model_id}
      data-model={row.name}
      className={styles.row}
      data-new={isNew || undefined}
      data-starts-group={startsGroup || undefined}
      data-unranked={rank === null || undefined}
    >
      <td className={styles.rank}>
        <button
          type="button"
          className={styles.toggle}
          aria-expanded={isOpen}
          aria-label={`Details of ${row.name}`}
          onClick={() => onToggle(row.model_id)}
        >
          <span aria-hidden="true">›</span>
        </button>
        <span className={styles.place}>
          <span data-cell="rank">{rank ?? "–"}</span>
          <small className={styles.unsure}>{ranks(row)}</small>
        </span>
      </td>
      <Model row={row} isNew={isNew} />
      <td className="number" data-score>
        <strong data-cell="score">{score === null ? "–" : number(score, 2)}</strong>
        <small className={styles.unsure}>{score === null ? "" : interval(row.score_low, row.score_high)}</small>
      </td>
      {span > 0 ? (
        <td data-bar>
          <ContributionBar metrics={metrics} parts={item.parts} span={span} />
        </td>
      ) : null}
      {metrics.map((metric, column) => (
        <Value
          key={metric}
          metric={metric}
          value={item.values[column] ?? null}
          low={row.metrics[metric]?.low ?? null}
          high={row.metrics[metric]?.high ?? null}
          decimals={decimals[column] ?? 2}
        />
      ))}
    </tr>
  );
});

/** Who it is: the same under all weights, so that a moving slider need not look at it. */
const Model = memo(function Model({ row, isNew }: { readonly row: Row; readonly isNew: boolean }) {
  return (
    <th scope="row" className={styles.model}>
      <Link className="name" href={places.model(row.model_id)}>
        {row.name}
      </Link>
      <small>
        v{row.version}
        {row.owner ? ` · ${row.owner}` : " · anonymous"}
      </small>
      <Marks row={row} isNew={isNew} />
    </th>
  );
});

interface ValueProps {
  readonly metric: string;
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly decimals: number;
}

const Value = memo(function Value({ metric, value, low, high, decimals }: ValueProps) {
  return (
    <td className="number" data-cell={metric} data-title={metricTitle(metric)}>
      {value === null ? "–" : number(value, decimals)}
      <small>{value === null ? "" : shortInterval(low, high)}</small>
    </td>
  );
});

function Marks({ row, isNew }: { readonly row: Row; readonly isNew: boolean }) {
  const marks = [
    ...(row.baseline ? ["baseline"] : []),
    ...(row.published ? [] : ["unpublished"]),
    ...(row.missing.length > 0 ? ["incomplete"] : []),
    ...row.flags,
  ];
  if (!marks.length && !isNew) return null;
  return (
    <span className={styles.marks}>
      {isNew ? <Flag name="new" kind="good" /> : null}
      {marks.map((mark) => (
        <Flag key={mark} name={mark} />
      ))}
    </span>
  );
}

function ranks(row: Row): string {
  if (row.rank_low == null || row.rank_high == null) return "";
  return row.rank_low === row.rank_high ? "sure" : `${row.rank_low}–${row.rank_high}`;
}
