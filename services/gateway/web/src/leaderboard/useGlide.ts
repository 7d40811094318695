import { type RefObject, useLayoutEffect, useRef } from "react";

const STILL = "(prefers-reduced-motion: reduce)";
/** Rows farther away than this appear in their place: nobody can follow a row across so many others. */
const FARTHEST = 1600;

/** Lets the rows of a table body glide to new places. Rows are known by their `data-row`. */
export function useGlide(body: RefObject<HTMLElement | null>, duration = 260): void {
  const before = useRef(new Map<string, number>());
  useLayoutEffect(() => {
    const rows = [...(body.current?.children ?? [])] as HTMLElement[];
    const after = new Map(rows.map((row) => [row.dataset.row ?? "", row.offsetTop]));
    const isStill = matchMedia(STILL).matches;
    if (!isStill && document.visibilityState === "visible") {
      for (const row of rows) glide(row, before.current.get(row.dataset.row ?? ""), duration);
    }
    before.current = after;
  });
}

function glide(row: HTMLElement, from: number | undefined, duration: number): void {
  if (from === undefined || from === row.offsetTop) return;
  // A row that is still under way goes on from where the eye has it.
  const underWay = row.getAnimations().find((animation) => animation.id === "glide");
  const lag = underWay ? new DOMMatrix(getComputedStyle(row).transform).m42 : 0;
  underWay?.cancel();
  const distance = from + lag - row.offsetTop;
  if (Math.abs(distance) > FARTHEST) return;
  const path = [{ transform: `translateY(${distance}px)` }, { transform: "none" }];
  row.animate(path, { id: "glide", duration, easing: "cubic-bezier(0.2, 0, 0, 1)" });
}
