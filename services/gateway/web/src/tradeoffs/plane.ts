/** The plane of two weights, as it is drawn: (0, 0) below at the left, sides of 1. Pure. */
import { onSliders } from "../leaderboard/usual";

export type Pair = readonly [number, number];

/** The middle of a polygon by area; of its corners where it has none. */
export function middle(polygon: readonly Pair[]): Pair {
  let [area, x, y] = [0, 0, 0];
  polygon.forEach(([x1, y1], at) => {
    const [x2, y2] = polygon[(at + 1) % polygon.length]!;
    const cross = x1 * y2 - x2 * y1;
    area += cross / 2;
    x += ((x1 + x2) * cross) / 6;
    y += ((y1 + y2) * cross) / 6;
  });
  if (Math.abs(area) > 1e-9) return [x / area, y / area];
  const count = Math.max(1, polygon.length);
  return [polygon.reduce((sum, [a]) => sum + a, 0) / count, polygon.reduce((sum, [, b]) => sum + b, 0) / count];
}

export function areaOf(polygon: readonly Pair[]): number {
  const twice = polygon.reduce((sum, [x1, y1], at) => {
    const [x2, y2] = polygon[(at + 1) % polygon.length]!;
    return sum + x1 * y2 - x2 * y1;
  }, 0);
  return Math.abs(twice) / 2;
}

/** Into the triangle of weights: none negative, the two not more than everything. */
export function inside([x, y]: Pair): Pair {
  const [a, b] = [Math.max(0, x), Math.max(0, y)];
  const total = a + b;
  return total > 1 ? [a / total, b / total] : [a, b];
}

/** All weights, on the sliders' scale, for a place in the plane; the others share what is left as they do now. */
export function weightsAt(
  place: Pair,
  axes: readonly [string, string],
  others: Readonly<Record<string, number>>,
): Record<string, number> {
  const [x, y] = inside(place);
  const rest = Math.max(0, 1 - x - y);
  const shares = Object.entries(others).map(([metric, share]) => [metric, rest * share] as const);
  return sliders({ [axes[0]]: x, [axes[1]]: y, ...Object.fromEntries(shares) });
}

/** Shares as weights that are good to read: of ten, to the hundredth. */
export function sliders(shares: Readonly<Record<string, number>>): Record<string, number> {
  const tenths = Object.entries(shares).map(([name, share]) => [name, Math.round(share * 1000) / 100] as const);
  const some = tenths.some(([, weight]) => weight > 0);
  return some ? Object.fromEntries(tenths) : { ...onSliders(shares) };
}
