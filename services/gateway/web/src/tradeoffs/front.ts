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

interface Spot {
  readonly name: string;
  readonly px: number;
  readonly py: number;
}

interface PlacedName extends Spot {
  /** Whether it begins here, else it ends here. */
  readonly right: boolean;
}

const LETTER = 7.4;
const LINE = 16;
const AWAY: readonly (readonly [number, number])[] = [
  [9, -9],
  [-9, -9],
  [9, 11],
  [-9, 11],
];

/** Where names stand beside their points, in pixels, the first ones first; those that would cover another are left out. */
export function placedNames(spots: readonly Spot[], width: number): PlacedName[] {
  const taken: { left: number; right: number; middle: number }[] = [];
  const placed: PlacedName[] = [];
  for (const spot of spots) {
    const length = spot.name.length * LETTER;
    const free = AWAY.map(([dx, dy]) => {
      const start = dx > 0 ? spot.px + dx : spot.px + dx - length;
      return { dx, dy, box: { left: start, right: start + length, middle: spot.py + dy } };
    }).find(({ box }) => box.left > 0 && box.right < width && !taken.some((other) => covers(box, other)));
    if (!free) continue;
    taken.push(free.box);
    placed.push({ name: spot.name, px: spot.px + free.dx, py: spot.py + free.dy, right: free.dx > 0 });
  }
  return placed;
}

interface Box {
  readonly left: number;
  readonly right: number;
  readonly middle: number;
}

function covers(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && Math.abs(a.middle - b.middle) < LINE;
}
