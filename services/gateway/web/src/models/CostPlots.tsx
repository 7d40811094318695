import { type ComponentProps, type ReactNode, useMemo } from "react";
import { Chart } from "../components/Chart";
import { number } from "../format/numbers";
import { drawLatency, drawMemory, drawSpeeds, drawThroughput, HEIGHT } from "./costCharts";
import { blocksOf, latencyOf, memoryOf, observationsOf } from "./costs";
import styles from "./models.module.css";
import type { Score } from "./scores";

interface Props {
  readonly throughput: Score;
  /** The median latency, which holds how latency went. */
  readonly latency: Score | undefined;
}

/** The measurements behind a cost, over the run. What is not there is not plotted. */
export function CostPlots({ throughput, latency }: Props) {
  return (
    <div className={styles.plots}>
      <Throughput score={throughput} />
      <Memory score={throughput} />
      {latency ? <Latency score={latency} /> : null}
      <Speeds score={throughput} />
    </div>
  );
}

interface Measured {
  readonly score: Score;
}

function Throughput({ score }: Measured) {
  const observations = useMemo(() => observationsOf(score), [score]);
  const draw = useMemo(() => drawThroughput(observations, score), [observations, score]);
  const dots = score.provenance.rating == null ? "a dot for each block" : "a dot for each pair of blocks";
  if (!observations.length) return null;
  return (
    <Plotted
      label={`${observations.length} observations of throughput, median ${number(score.value)} examples a second`}
      draw={draw}
    >
      Throughput, examples a second, {dots}; the line is the median, the band its interval
    </Plotted>
  );
}

function Memory({ score }: Measured) {
  const samples = useMemo(() => memoryOf(score), [score]);
  const draw = useMemo(() => drawMemory(samples), [samples]);
  if (!samples.length) return null;
  const peak = Math.max(...samples.map(({ gib }) => gib));
  return (
    <Plotted label={`Memory over the run, at most ${number(peak * 1024)} MiB`} draw={draw}>
      Memory over the run, MiB
    </Plotted>
  );
}

function Latency({ score }: Measured) {
  const windows = useMemo(() => latencyOf(score), [score]);
  const draw = useMemo(() => drawLatency(windows), [windows]);
  if (!windows.length) return null;
  const slowest = Math.max(...windows.map((window) => window.slowest));
  return (
    <Plotted
      label={`Latency of single requests over the run, median ${number(score.value)} ms, slowest ${number(slowest)} ms`}
      draw={draw}
    >
      Latency of {number(score.n, 0)} single requests, one after the other, ms: the line is the median, each dot{" "}
      <i className={styles.other}>●</i> the slowest of a moment
    </Plotted>
  );
}

function Speeds({ score }: Measured) {
  const blocks = useMemo(() => blocksOf(score), [score]);
  const draw = useMemo(() => drawSpeeds(blocks), [blocks]);
  if (!blocks.some(({ model }) => model === "reference")) return null;
  return (
    <Plotted label="Speed of each block of the model and of the reference over time" draw={draw}>
      Speed of the model's blocks <i className={styles.dot}>●</i> and of the reference's between them{" "}
      <i className={styles.other}>■</i>, percent of their medians
    </Plotted>
  );
}

interface PlottedProps {
  readonly label: string;
  readonly draw: ComponentProps<typeof Chart>["draw"];
  readonly children: ReactNode;
}

function Plotted({ label, draw, children }: PlottedProps) {
  return (
    <figure>
      <figcaption>{children}</figcaption>
      <Chart label={label} height={HEIGHT} draw={draw} />
    </figure>
  );
}
