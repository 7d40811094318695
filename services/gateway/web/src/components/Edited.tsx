import type { Shapes } from "../api/client";
import styles from "./edited.module.css";

interface Props {
  readonly pieces: readonly Shapes["PreviewPiece"][];
  /** Leave out what is far from any edit; for long texts. */
  readonly short?: boolean;
}

// Characters kept on each side of an edit in a short one.
const AROUND = 48;

/** A perturbed text with its edits marked: what was there struck out, what is there now underlined. */
export function Edited({ pieces, short = false }: Props) {
  return (
    <span className={styles.edited}>
      {pieces.map(({ original, variant, edited }, at) =>
        edited ? (
          <span key={at}>
            {original ? <del>{original}</del> : null}
            {variant ? <ins>{variant}</ins> : null}
          </span>
        ) : (
          <span key={at}>{short ? shortened(original, at > 0, at < pieces.length - 1) : original}</span>
        ),
      )}
    </span>
  );
}

function shortened(text: string, before: boolean, after: boolean): string {
  const start = before ? text.slice(0, AROUND) : "";
  const end = after ? text.slice(-AROUND) : "";
  return text.length <= start.length + end.length + 3 ? text : `${start} … ${end}`;
}
