/** Two metrics held against each other. Pure. */

export interface Point {
  readonly id: string;
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly xLow: number | null;
  readonly xHigh: number | null;
  readonly yLow: number | null;
  readonly yHigh: number | null;
}

/** Metrics of which less is better. */
export function isLessBetter(metric: string): boolean {
  return metric === "memory";
}

/** The points that no other beats in one and equals in the other, by x. `signX`, `signY`: 1 where more is better, else -1. */
export function paretoFront(points: readonly Point[], signX: number, signY: number): Point[] {
  const isBeaten = (point: Point) =>
    points.some((other) => {
      const [dx, dy] = [signX * (other.x - point.x), signY * (other.y - point.y)];
      return dx >= 0 && dy >= 0 && (dx > 0 || dy > 0);
    });
  return points.filter((point) => !isBeaten(point)).sort((a, b) => a.x - b.x || a.y - b.y);
}

/** A line of equal worth through a point: along it, the two metrics are traded at their exchange rates. */
export function equalWorth(
  through: { readonly x: number; readonly y: number },
  /** Of y for one of x, negative where more is better of both. */
  slope: number,
  range: readonly [number, number],
  steps = 60,
): { x: number; y: number }[] {
  const [from, to] = range;
  return Array.from({ length: steps + 1 }, (_, at) => {
    const x = from + ((to - from) * at) / steps;
    return { x, y: through.y + slope * (x - through.x) };
  });
}

/** Whether values differ so much that a linear axis would crowd them. */
export function wantsLog(values: readonly number[]): boolean {
  const least = Math.min(...values);
  return values.length > 1 && least > 0 && Math.max(...values) / least > 20;
}
