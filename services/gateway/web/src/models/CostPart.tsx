import { useMemo } from "react";
import { Facts } from "../components/Card";
import { Chart } from "../components/Chart";
import { Flag } from "../components/Flag";
import { Part } from "../components/Page";
import { interval, number } from "../format/numbers";
import { drawMemory, drawSpeeds, drawThroughput } from "./costCharts";
import { blocksOf, memoryOf, observationsOf } from "./costs";
import styles from "./models.module.css";
import type { DatasetScores, Score } from "./scores";

const FACTS = [
  ["latency_p50", "Latency, median"],
  ["latency_p90", "Latency, 90th percentile"],
  ["latency_p99", "Latency, 99th percentile (bound)"],
  ["cold_start", "From start to ready"],
  ["memory", "Memory, mean"],
  ["memory_peak", "Memory, peak"],
  ["server_rate", "Requests a second that it stands"],
] as const;

/** What the model costs on a dataset, and the measurements that say so. */
export function CostPart({ dataset }: { readonly dataset: DatasetScores }) {
  const throughput = dataset.whole.get("throughput");
  if (!throughput) return null;
  const facts = FACTS.flatMap(([metric, title]) => {
    const score = dataset.whole.get(metric);
    return score ? [[title, <Cost key={metric} score={score} />] as const] : [];
  });
  return (
    <Part
      title="Cost"
      aside={
        <span className={styles.flags}>
          {throughput.flags.map((flag) => (
            <Flag key={flag} name={flag} />
          ))}
        </span>
      }
    >
      <p>
        <strong>{number(throughput.value)} examples a second</strong> (95 % interval{" "}
        {interval(throughput.low, throughput.high)}, {throughput.n} {paired(throughput) ? "pairs of blocks" : "blocks"}
        ), in batches of {String(throughput.provenance.batch_size ?? "?")}.
      </p>
      <Plots throughput={throughput} />
      <Facts facts={facts} />
    </Part>
  );
}

/** Whether it was measured in turns with a reference model, as protocol 2 does. */
function paired({ provenance }: Score): boolean {
  return provenance.rating != null;
}

function Cost({ score }: { readonly score: Score }) {
  const range = interval(score.low, score.high);
  const upper = !range && score.high != null ? `below ${number(score.high)}` : range;
  return (
    <>
      {number(score.value)} {score.unit}
      {upper ? <small> {upper}</small> : null}
    </>
  );
}

function Plots({ throughput }: { readonly throughput: Score }) {
  const observations = useMemo(() => observationsOf(throughput), [throughput]);
  const blocks = useMemo(() => blocksOf(throughput), [throughput]);
  const samples = useMemo(() => memoryOf(throughput), [throughput]);
  const overTime = useMemo(() => drawThroughput(observations, throughput), [observations, throughput]);
  const speeds = useMemo(() => drawSpeeds(blocks), [blocks]);
  const memory = useMemo(() => drawMemory(samples), [samples]);
  const beside = blocks.some(({ model }) => model === "reference");
  const peak = Math.max(...samples.map(({ gib }) => gib));
  return (
    <div className={styles.plots}>
      {observations.length ? (
        <figure>
          <figcaption>
            Throughput, examples a second, {beside ? "a dot for each pair of blocks" : "a dot for each block"}; the line
            is the median, the band its interval
          </figcaption>
          <Chart
            label={`${observations.length} observations of throughput, median ${number(throughput.value)} examples a second`}
            height={220}
            draw={overTime}
          />
        </figure>
      ) : null}
      {samples.length ? (
        <figure>
          <figcaption>Memory over the run, MiB</figcaption>
          <Chart label={`Memory over the run, at most ${number(peak * 1024)} MiB`} height={220} draw={memory} />
        </figure>
      ) : null}
      {beside ? (
        <figure>
          <figcaption>
            Speed of the model's blocks <i className={styles.dot}>●</i> and of the reference's between them{" "}
            <i className={styles.square}>■</i>, percent of their medians
          </figcaption>
          <Chart label="Speed of each block of the model and of the reference over time" height={220} draw={speeds} />
        </figure>
      ) : null}
    </div>
  );
}
