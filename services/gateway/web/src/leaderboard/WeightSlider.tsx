import { type CSSProperties, type KeyboardEvent, useId } from "react";
import { percent } from "../format/numbers";
import styles from "./weights.module.css";

const MOST = 10;
const STEP = 0.25;
const KEYS: Readonly<Record<string, number>> = {
  ArrowRight: STEP,
  ArrowUp: STEP,
  ArrowLeft: -STEP,
  ArrowDown: -STEP,
  PageUp: 1,
  PageDown: -1,
};

interface Props {
  readonly name: string;
  readonly colour?: string;
  /** On the slider's scale, 0 to 10 or more. */
  readonly weight: number;
  /** Of all weights, 0 to 1. */
  readonly share: number;
  /** What the weight means, in words. */
  readonly words: string;
  readonly excluded?: boolean;
  readonly onMove: (weight: number) => void;
}

export function WeightSlider({ name, colour = "", weight, share, words, excluded = false, onMove }: Props) {
  const id = useId();
  const most = Math.max(MOST, Math.ceil(weight));
  const step = (event: KeyboardEvent) => {
    const by = KEYS[event.key];
    if (by === undefined) return;
    event.preventDefault();
    onMove(Math.min(most, Math.max(0, snapped(weight + by))));
  };
  const look = {
    "--of-metric": excluded ? "var(--rule-strong)" : colour || "var(--accent)",
    "--filled": `${(weight / most) * 100}%`,
  } as CSSProperties;
  return (
    <div className={styles.slider} style={look}>
      <label htmlFor={id}>
        {colour ? <span className={styles.dot} aria-hidden="true" /> : null}
        {name}
      </label>
      <span className={styles.share} aria-hidden="true">
        {excluded ? "—" : percent(share)}
      </span>
      <input
        id={id}
        type="range"
        min={0}
        max={most}
        // Weights that come from elsewhere may be any number; those set here stand on quarters.
        step={0.001}
        value={weight}
        aria-valuetext={`Weight ${weight}, ${percent(share)} of the score. ${words}`}
        aria-describedby={`${id}-words`}
        onKeyDown={step}
        onChange={(event) => onMove(snapped(Number(event.target.value)))}
      />
      <small id={`${id}-words`}>{words}</small>
    </div>
  );
}

function snapped(weight: number): number {
  return Math.round(weight / STEP) * STEP;
}
