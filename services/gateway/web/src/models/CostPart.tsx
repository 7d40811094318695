import { Facts } from "../components/Card";
import { Flag } from "../components/Flag";
import { Part } from "../components/Page";
import { interval, number } from "../format/numbers";
import { CostPlots } from "./CostPlots";
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
      <CostPlots throughput={throughput} latency={dataset.whole.get("latency_p50")} />
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
