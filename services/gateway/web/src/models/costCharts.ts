/** The plots of a cost. Colours are the tokens' own; each draws at any width. */
import type { Plot } from "../components/marks";
import type { Block, LatencyWindow, MemorySample, Observation } from "./costs";
import { relativeSpeeds } from "./costs";
import type { Score } from "./scores";

type Draw = (plot: Plot, width: number) => HTMLElement | SVGSVGElement;

export const HEIGHT = 220;
const FRAME = { height: HEIGHT, marginLeft: 64, marginBottom: 36 } as const;
const SECONDS = { label: "seconds into the run" } as const;

/** Throughput over time, with its median and interval. */
export function drawThroughput(observations: readonly Observation[], { value, low, high }: Score): Draw {
  return (plot, width) =>
    plot.plot({
      ...FRAME,
      width,
      x: SECONDS,
      y: { label: null, grid: true, zero: false, nice: true, ticks: 5 },
      marks: [
        low == null || high == null
          ? null
          : plot.rectY([{ low, high }], { y1: "low", y2: "high", fill: "var(--metric-throughput)", fillOpacity: 0.16 }),
        plot.ruleY([value], { stroke: "var(--metric-throughput)", strokeWidth: 1.5 }),
        plot.dot(observations, { x: "start", y: "throughput", fill: "var(--metric-throughput)", r: 4 }),
      ],
    });
}

/** Each block of both models as percent of its model's median. */
export function drawSpeeds(blocks: readonly Block[]): Draw {
  const speeds = relativeSpeeds(blocks).map((block) => ({ ...block, percent: block.relative * 100 }));
  return (plot, width) =>
    plot.plot({
      ...FRAME,
      width,
      x: SECONDS,
      y: { label: null, grid: true, nice: true, ticks: 5 },
      // The key stands in the caption: Plot's own wants styles of its own.
      color: { domain: ["candidate", "reference"], range: ["var(--metric-throughput)", "var(--metric-other)"] },
      symbol: { domain: ["candidate", "reference"], range: ["circle", "square"] },
      marks: [
        plot.ruleY([100], { stroke: "var(--rule-strong)" }),
        plot.dot(speeds, { x: "start", y: "percent", fill: "model", symbol: "model", r: 3.5 }),
      ],
    });
}

/** Memory of the model's processes over the run, from zero. */
export function drawMemory(samples: readonly MemorySample[]): Draw {
  const mib = samples.map(({ seconds, gib }) => ({ seconds, mib: gib * 1024 }));
  return (plot, width) =>
    plot.plot({
      ...FRAME,
      width,
      x: SECONDS,
      y: { label: null, grid: true, zero: true, nice: true, ticks: 5 },
      marks: [
        plot.areaY(mib, { x: "seconds", y: "mib", fill: "var(--metric-memory)", fillOpacity: 0.16 }),
        plot.lineY(mib, { x: "seconds", y: "mib", stroke: "var(--metric-memory)", strokeWidth: 1.75 }),
      ],
    });
}

/** Latency of single requests over their phase, from zero: each window's median as a line, its slowest as a dot. */
export function drawLatency(windows: readonly LatencyWindow[]): Draw {
  return (plot, width) =>
    plot.plot({
      ...FRAME,
      width,
      x: { label: "seconds into the phase" },
      y: { label: null, grid: true, zero: true, nice: true, ticks: 5 },
      marks: [
        plot.dot(windows, { x: "seconds", y: "slowest", fill: "var(--metric-other)", r: 2.5 }),
        plot.lineY(windows, { x: "seconds", y: "median", stroke: "var(--accent)", strokeWidth: 1.75 }),
      ],
    });
}
