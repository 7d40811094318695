import { type RefObject, useLayoutEffect, useRef } from "react";

const STILL = "(prefers-reduced-motion: reduce)";
/** Rows farther away than this appear in their place: nobody can follow a row across so many others. */
const FARTHEST = 1600;

/** Lets the rows of a table body glide to new places. Rows are known by their `data-row`. */
export function useGlide(body: RefObject<HTMLElement | null>, duration = 260): void {
  const before = useRef(new Map<string, number>());
  useLayoutEffect(() => {
    const rows = [...(body.current?.children ?? [])] as HTMLElement[];
    // First everything is read, then everything is set: the browser lays the table out once.
    const places = rows.map((row) => ({ row, name: row.dataset.row ?? "", to: row.offsetTop }));
    const isSeen = !matchMedia(STILL).matches && document.visibilityState === "visible";
    if (isSeen) {
      const moved = places.flatMap(({ row, name, to }) => moveOf(row, before.current.get(name), to));
      for (const move of moved) glide(move, duration);
    }
    before.current = new Map(places.map(({ name, to }) => [name, to]));
  });
}

interface Move {
  readonly row: HTMLElement;
  readonly distance: number;
  readonly underWay: Animation | undefined;
}

function moveOf(row: HTMLElement, from: number | undefined, to: number): Move[] {
  if (from === undefined || from === to) return [];
  // A row that is still under way goes on from where the eye has it.
  const underWay = row.getAnimations().find((animation) => animation.id === "glide");
  const lag = underWay ? new DOMMatrix(getComputedStyle(row).transform).m42 : 0;
  return [{ row, distance: from + lag - to, underWay }];
}

function glide({ row, distance, underWay }: Move, duration: number): void {
  underWay?.cancel();
  if (Math.abs(distance) > FARTHEST) return;
  const path = [{ transform: `translateY(${distance}px)` }, { transform: "none" }];
  row.animate(path, { id: "glide", duration, easing: "cubic-bezier(0.2, 0, 0, 1)" });
}
