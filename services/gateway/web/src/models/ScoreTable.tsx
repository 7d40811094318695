import type { ReactNode } from "react";
import { Wide } from "../components/Page";
import { Whisker } from "../components/Whisker";
import { interval, number, signed } from "../format/numbers";
import styles from "./models.module.css";
import type { Score } from "./scores";

export interface ScoreRow {
  readonly name: ReactNode;
  readonly key: string;
  readonly score: Score;
  readonly change?: Score | undefined;
}

interface Props {
  readonly caption: string;
  /** What the rows are. */
  readonly first: string;
  readonly unit: string;
  readonly rows: readonly ScoreRow[];
  readonly colour?: string;
  /** To compare with: the value on the whole dataset. */
  readonly mark?: number | undefined;
  /** What the change column says; left out without changes. */
  readonly changes?: string;
}

const PERCENT = [0, 100] as const;

/** Numbers of one unit with their intervals, as text and as a dot on a line. All in percent. */
export function ScoreTable({ caption, first, unit, rows, colour, mark, changes }: Props) {
  return (
    <Wide label={caption}>
      <table className={changes ? styles.aligned : undefined}>
        <caption className="visually-hidden">{caption}, intervals at 95 %</caption>
        <thead>
          <tr>
            <th scope="col">{first}</th>
            <th scope="col" className="number">
              n
            </th>
            <th scope="col" className="number">
              {unit}
            </th>
            <th scope="col" className="number">
              95 % interval
            </th>
            <td aria-hidden="true">
              <small>0 to 100</small>
            </td>
            {changes ? (
              <th scope="col" className="number">
                {changes}
              </th>
            ) : null}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, name, score, change }) => (
            <tr key={key}>
              <th scope="row" className={styles.name}>
                {name}
              </th>
              <td className="number">{number(score.n, 0)}</td>
              <td className="number">{number(score.value, 1)}</td>
              <td className="number soft">{interval(score.low, score.high, 1) || "–"}</td>
              <td>
                <Whisker
                  value={score.value}
                  low={score.low}
                  high={score.high}
                  domain={PERCENT}
                  {...(colour ? { colour } : {})}
                  {...(mark === undefined ? {} : { mark })}
                />
              </td>
              {changes ? <td className="number">{change ? signed(change.value, 1) : "–"}</td> : null}
            </tr>
          ))}
        </tbody>
      </table>
    </Wide>
  );
}
