import { number, percent } from "../format/numbers";
import styles from "./datasets.module.css";
import { ranked } from "./words";

interface Props {
  readonly counts: Readonly<Record<string, number>>;
  /** What all of it is, for the shares. */
  readonly of: number;
  /** Show so many, and how many more there are. */
  readonly most?: number;
}

/** Counts as small bars, the most frequent first. */
export function Counts({ counts, of, most = Infinity }: Props) {
  const all = ranked(counts);
  const greatest = all[0]?.[1] ?? 1;
  return (
    <>
      <dl className={styles.counts}>
        {all.slice(0, most).map(([name, count]) => (
          <div key={name} title={percent(count / of)}>
            <dt>{name}</dt>
            <dd>
              <span className={styles.bar} style={{ inlineSize: `${(100 * count) / greatest}%` }} />
              <span className={styles.count}>{number(count, 0)}</span>
            </dd>
          </div>
        ))}
      </dl>
      {all.length > most ? <small>and {all.length - most} more</small> : null}
    </>
  );
}
