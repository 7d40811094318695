import { ProblemNotice, Skeleton } from "../components/Notice";
import { Wide } from "../components/Page";
import { columnDecimals, number } from "../format/numbers";
import type { Settings } from "./draft";
import { type Move, moves, summary } from "./moves";
import styles from "./tasks.module.css";
import { usePresent, usePreview } from "./useSettings";

interface Props {
  readonly task: string;
  /** Null while they are not fit to be tried out. */
  readonly settings: Settings | null;
  /** Nothing has been changed yet. */
  readonly same: boolean;
}

/** The board that new settings would make, beside the present one. */
export function Preview({ task, settings, same }: Props) {
  const present = usePresent(task);
  const proposed = usePreview(task, settings);
  if (proposed.error) return <ProblemNotice problem={proposed.error} />;
  if (!present.data || !proposed.data) return <Skeleton height="24rem" />;
  const all = moves(present.data.rows, proposed.data.rows);
  return (
    <section className={`stack ${styles.preview}`} aria-label="The board as it would be">
      <h3>The board as it would be</h3>
      <p role="status" className={styles.summary}>
        {said(all, same)}
      </p>
      {all.length ? <Table all={all} /> : null}
    </section>
  );
}

function said(all: readonly Move[], same: boolean): string {
  if (all.length === 0) return "No model stands on the board yet, so nobody would move.";
  return same ? "Move something: who would rise and who would fall shows here." : summary(all);
}

function Table({ all }: { readonly all: readonly Move[] }) {
  const decimals = columnDecimals(all.flatMap(({ score }) => (score === null ? [] : [score])));
  return (
    <Wide label="Ranks now and as they would be">
      <table>
        <caption className="visually-hidden">Ranks now and as they would be</caption>
        <thead>
          <tr>
            <th scope="col" className="number">
              Now
            </th>
            <th scope="col" className="number">
              Then
            </th>
            <th scope="col">
              <span className="visually-hidden">Move</span>
            </th>
            <th scope="col">Model</th>
            <th scope="col" className="number">
              Score
            </th>
          </tr>
        </thead>
        <tbody>
          {all.map(({ id, name, before, after, gained, score }) => (
            <tr key={id}>
              <td className="number">{before ?? "—"}</td>
              <td className="number">{after ?? "—"}</td>
              <td className={styles.move} data-way={Math.sign(gained)}>
                {way(gained)}
              </td>
              <th scope="row">{name}</th>
              <td className="number">{score === null ? "—" : number(score, decimals)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Wide>
  );
}

function way(gained: number): string {
  if (gained === 0) return "";
  return gained > 0 ? `up ${gained}` : `down ${-gained}`;
}
