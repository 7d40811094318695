import type { ReactNode } from "react";
import { percent } from "../format/numbers";
import { placesOf } from "./agreement";
import type { Answer } from "./answer";
import styles from "./talk.module.css";

// Longer ones may scroll in their box, so the keyboard must reach them.
const LONG = 400;

/** The context with the answer marked wherever it stands. */
export function Span({ context, answer }: { readonly context: string; readonly answer: Answer }) {
  const places = withoutOverlaps(placesOf(context, answer.value));
  return (
    <>
      {places.length ? (
        <blockquote className={styles.context} tabIndex={context.length > LONG ? 0 : undefined}>
          {marked(context, places)}
        </blockquote>
      ) : (
        <p className="soft">This is not in the context as it stands.</p>
      )}
      {answer.conf === null ? null : <p className="soft">The model is {percent(answer.conf)} sure, it says.</p>}
    </>
  );
}

function marked(text: string, places: readonly (readonly [number, number])[]): ReactNode[] {
  const shown: ReactNode[] = [];
  let position = 0;
  for (const [start, end] of places) {
    shown.push(text.slice(position, start), <mark key={start}>{text.slice(start, end)}</mark>);
    position = end;
  }
  return [...shown, text.slice(position)];
}

function withoutOverlaps(places: readonly [number, number][]): [number, number][] {
  return places.filter(([start], at) => at === 0 || start >= places[at - 1]![1]);
}
