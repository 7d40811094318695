import { useCallback } from "react";
import { Chart } from "../components/Chart";
import type { Plot } from "../components/marks";
import { metricColour, metricTitle } from "../components/metrics";
import { equalWorth, isLessBetter, paretoFront, placedNames, type Point, wantsLog } from "./front";

export interface Axes {
  readonly x: string;
  readonly y: string;
  readonly units: Readonly<Record<string, string>>;
  /** AMRS of x and of y: how many units are worth one point of the base metric. */
  readonly rates: readonly [number | null, number | null];
}

const HEIGHT = 440;
/** With more models than this, only the front has names and intervals; the table has all. */
const CROWDED = 40;

/** Two metrics of every model, with intervals, the Pareto front, and the line along which they are worth the same. */
export function Scatter({ points, axes }: { readonly points: readonly Point[]; readonly axes: Axes }) {
  const { x, y } = axes;
  const draw = useCallback((plot: Plot, width: number) => drawScatter(plot, width, points, axes), [points, axes]);
  const front = frontOf(points, axes);
  const names = front.map((point) => point.name).join(", ");
  return (
    <Chart
      height={HEIGHT}
      draw={draw}
      label={`${metricTitle(y)} against ${x} of ${points.length} models. On the Pareto front: ${names}.`}
    />
  );
}

export function frontOf(points: readonly Point[], { x, y }: Axes): Point[] {
  return paretoFront(points, isLessBetter(x) ? -1 : 1, isLessBetter(y) ? -1 : 1);
}

function drawScatter(plot: Plot, width: number, points: readonly Point[], axes: Axes): SVGSVGElement | HTMLElement {
  const { x, y } = axes;
  const front = frontOf(points, axes);
  const isCrowded = points.length > CROWDED;
  const detailed = isCrowded ? front : points;
  const known = detailed.filter((point) => point.xLow !== null && point.xHigh !== null);
  const sure = detailed.filter((point) => point.yLow !== null && point.yHigh !== null);
  const isLog = wantsLog(points.map((point) => point.x));
  const slope = slopeOf(axes);
  const best = [...front].sort((a, b) => (isLessBetter(y) ? a.y - b.y : b.y - a.y))[0];
  const [low, high] = domainOf(points.flatMap((point) => [point.y, point.yLow ?? point.y, point.yHigh ?? point.y]));
  const range: [number, number] = [Math.min(...points.map(({ x }) => x)), Math.max(...points.map(({ x }) => x))];
  const worth = best && slope !== null && range[0] < range[1] ? equalWorth(best, slope, range) : [];
  const colour = metricColour(x);
  const frame = {
    width,
    height: HEIGHT,
    marginLeft: 52,
    marginRight: width > 600 ? 90 : 24,
    marginBottom: 44,
    marginTop: 28,
    x: {
      label: `${labelOf(x, axes)}${isLog ? ", logarithmic" : ""} →`,
      type: isLog ? ("log" as const) : ("linear" as const),
      nice: !isLog,
      ticks: width > 600 ? 8 : 4,
      tickFormat: tick,
    },
    y: { label: `↑ ${labelOf(y, axes)}`, domain: [low, high] },
  };
  const marks = [
    plot.gridY({ stroke: "var(--rule)", strokeOpacity: 1 }),
    plot.line(
      worth.filter((at) => at.y >= low && at.y <= high),
      { x: "x", y: "y", stroke: "var(--ink-soft)", strokeDasharray: "5 4", strokeWidth: 1.5 },
    ),
    plot.line(front, { x: "x", y: "y", stroke: colour, strokeWidth: 2, strokeOpacity: 0.6 }),
    plot.ruleX(sure, { x: "x", y1: "yLow", y2: "yHigh", stroke: "var(--rule-strong)", strokeOpacity: 0.6 }),
    plot.ruleY(known, { y: "y", x1: "xLow", x2: "xHigh", stroke: "var(--rule-strong)", strokeOpacity: 0.6 }),
    plot.dot(
      points.filter((point) => !front.includes(point)),
      {
        x: "x",
        y: "y",
        r: isCrowded ? 2.5 : 5,
        fill: "var(--surface)",
        stroke: colour,
        strokeWidth: isCrowded ? 1 : 1.5,
      },
    ),
    plot.dot(front, { x: "x", y: "y", r: 5, fill: colour, stroke: "var(--surface)", strokeWidth: 1 }),
  ];
  // Names are placed where they cover nothing, which takes the scales of the chart without them.
  const bare = plot.plot({ ...frame, marks });
  const [across, up] = [bare.scale("x"), bare.scale("y")];
  const inOrder = isCrowded ? front : [...front, ...points.filter((point) => !front.includes(point))];
  const spots = inOrder.map((point) => ({
    ...point,
    px: Number(across?.apply(point.x)),
    py: Number(up?.apply(point.y)),
  }));
  const names = placedNames(spots, width).map(({ name, px, py, right }) =>
    plot.text([name], {
      frameAnchor: "top-left",
      dx: px - frame.marginLeft,
      dy: py - frame.marginTop,
      textAnchor: right ? "start" : "end",
      lineAnchor: "middle",
      fill: "var(--ink)",
      stroke: "var(--surface)",
      strokeWidth: 4,
    }),
  );
  return plot.plot({ ...frame, marks: [...marks, ...names] });
}

/** Of y for one unit of x, at equal worth; null where a metric has no exchange rate. */
export function slopeOf({ x, y, rates }: Axes): number | null {
  const [ofX, ofY] = rates;
  if (!ofX || !ofY) return null;
  const sign = isLessBetter(x) === isLessBetter(y) ? -1 : 1;
  return (sign * ofY) / ofX;
}

/** 0.017 · 250 · 40k, without idle zeros. */
function tick(value: number): string {
  if (Math.abs(value) >= 10_000) return `${Number((value / 1000).toPrecision(4))}k`;
  return String(Number(value.toPrecision(6)));
}

function labelOf(metric: string, axes: Axes): string {
  return `${metricTitle(metric)} (${axes.units[metric] ?? ""})`;
}

function domainOf(values: readonly number[]): [number, number] {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const room = (high - low || Math.abs(high) || 1) * 0.06;
  return [low - room, high + room];
}
