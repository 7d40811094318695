import { Fragment, useCallback, useMemo, useRef } from "react";
import { metricTitle } from "../components/metrics";
import { Wide } from "../components/Page";
import { columnDecimals } from "../format/numbers";
import { type Arranged, usualOrder } from "./arranged";
import { BoardRow } from "./BoardRow";
import type { Choices } from "./choices";
import styles from "./leaderboard.module.css";
import { RowDetails } from "./RowDetails";
import type { Shown } from "./useBoard";
import type { Change } from "./useChoices";
import { useGlide } from "./useGlide";

interface Props {
  readonly shown: Shown;
  readonly page: Arranged;
  readonly choices: Choices;
  readonly change: Change;
  readonly fresh: ReadonlySet<string>;
}

const UNITS: Readonly<Record<string, string>> = { "examples/s": "ex./s" };

/** The models, ranked; details of one open under its row. */
export function BoardTable({ shown, page, choices, change, fresh }: Props) {
  const { view, ranked, sure } = shown;
  const body = useRef<HTMLTableSectionElement>(null);
  useGlide(body);
  const decimals = useDecimals(shown);
  const open = useMemo(() => new Set(choices.open), [choices.open]);
  const toggle = useCallback(
    (id: string) =>
      change({
        open: choices.open.includes(id) ? choices.open.filter((other) => other !== id) : [...choices.open, id],
      }),
    [choices.open, change],
  );
  const byScore = choices.sort === "score" && choices.order !== "ascending";
  const head = { choices, change };
  const columns = 3 + Number(ranked.span > 0) + ranked.metrics.length;
  return (
    <Wide label="Leaderboard">
      <table className={styles.table} data-sure={sure || undefined}>
        <caption className="visually-hidden">
          Models of {view.task}, ranked under the weights above. Beneath a number stands its interval.
        </caption>
        <thead>
          <tr>
            <th scope="col" className={styles.rankHead}>
              <span className="visually-hidden">Details and </span>Rank
            </th>
            <Heading {...head} sort="name" title="Model" />
            <Heading {...head} sort="score" title={scoreName(view.aggregation)} isNumber />
            {ranked.span > 0 ? (
              <th scope="col" className={styles.barHead}>
                What lifts it
              </th>
            ) : null}
            {ranked.metrics.map((metric) => {
              const unit = view.units[metric] ?? "";
              return (
                <Heading
                  key={metric}
                  {...head}
                  sort={metric}
                  title={metricTitle(metric)}
                  unit={UNITS[unit] ?? unit}
                  isNumber
                />
              );
            })}
          </tr>
        </thead>
        <tbody ref={body}>
          {page.rows.map((item, at) => (
            <Fragment key={item.row.model_id}>
              <BoardRow
                item={item}
                metrics={ranked.metrics}
                span={ranked.span}
                decimals={decimals}
                isOpen={open.has(item.row.model_id)}
                isNew={fresh.has(item.row.model_id)}
                startsGroup={byScore && sure && at > 0 && item.row.tie_group !== page.rows[at - 1]!.row.tie_group}
                onToggle={toggle}
              />
              {open.has(item.row.model_id) ? (
                <tr data-row={`${item.row.model_id} details`} className={styles.detailsRow}>
                  <td colSpan={columns}>
                    <RowDetails item={item} shown={shown} />
                  </td>
                </tr>
              ) : null}
            </Fragment>
          ))}
        </tbody>
      </table>
    </Wide>
  );
}

export function scoreName(aggregation: string): string {
  return aggregation === "zscore" ? "z-score" : "Dynascore";
}

interface HeadingProps {
  readonly choices: Choices;
  readonly change: Change;
  readonly sort: string;
  readonly title: string;
  readonly unit?: string;
  readonly isNumber?: boolean;
}

function Heading({ choices, change, sort, title, unit = "", isNumber = false }: HeadingProps) {
  const isSorted = choices.sort === sort;
  const order = choices.order || usualOrder(sort);
  const turned = order === "ascending" ? "descending" : "ascending";
  const onSort = () => change({ sort, order: isSorted && turned !== usualOrder(sort) ? turned : "", page: 1 });
  return (
    <th scope="col" aria-sort={isSorted ? order : "none"} className={isNumber ? "number" : undefined}>
      <button type="button" className={styles.sort} onClick={onSort}>
        {title}
        <span aria-hidden="true">{isSorted ? (order === "ascending" ? "↑" : "↓") : ""}</span>
      </button>
      {unit ? <span className={styles.unit}>{unit}</span> : null}
    </th>
  );
}

/** Decimals of the columns of metrics, from all models, so that a page or a search changes none. */
function useDecimals({ view, ranked }: Shown): readonly number[] {
  const names = ranked.metrics.join();
  return useMemo(
    () =>
      names
        .split(",")
        .map((metric) =>
          columnDecimals(view.rows.flatMap((row) => (row.metrics[metric] ? [row.metrics[metric].value] : []))),
        ),
    [view.rows, names],
  );
}
