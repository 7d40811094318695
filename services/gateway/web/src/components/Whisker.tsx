import styles from "./whisker.module.css";

interface Props {
  readonly value: number;
  readonly low: number | null | undefined;
  readonly high: number | null | undefined;
  /** The numbers at the left and right end. */
  readonly domain: readonly [number, number];
  readonly colour?: string;
  /** A thin line to compare with: no difference, or the whole dataset's value. */
  readonly mark?: number;
}

/** A value and its interval as a dot on a line, beside the numbers it repeats. */
export function Whisker({ value, low, high, domain, colour = "var(--accent)", mark }: Props) {
  const [left, right] = domain;
  const at = (number: number) => Math.max(0, Math.min(100, ((number - left) / (right - left || 1)) * 100));
  const known = low != null && high != null;
  return (
    <div className={styles.whisker} aria-hidden="true" style={{ color: colour }}>
      {mark === undefined ? null : <i className={styles.mark} style={{ left: `${at(mark)}%` }} />}
      {known ? <i className={styles.line} style={{ left: `${at(low)}%`, width: `${at(high) - at(low)}%` }} /> : null}
      <i className={styles.dot} style={{ left: `${at(value)}%` }} />
    </div>
  );
}
