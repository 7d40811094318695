import styles from "./meter.module.css";

interface Props {
  /** What progresses. */
  readonly label: string;
  /** 0 to 1. */
  readonly share: number;
  /** The same in words, for those who hear it. */
  readonly words?: string;
}

/** How far something is. */
export function Meter({ label, share, words }: Props) {
  const percent = Math.max(0, Math.min(100, share * 100));
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(percent)}
      aria-valuetext={words}
      className={styles.meter}
    >
      <div className={styles.done} style={{ transform: `scaleX(${percent / 100})` }} />
    </div>
  );
}
