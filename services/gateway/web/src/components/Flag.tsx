import styles from "./notices.module.css";

/** What a flag means, in a sentence; the server's words for them are in docs/leaderboards.md. */
const MEANINGS: Readonly<Record<string, string>> = {
  baseline: "A reference model of the task's owner, not a contender.",
  unverified: "Only predictions were handed in, so nobody has seen the model run.",
  incomplete: "A result is missing, so the model is not ranked.",
  quick: "Cost was measured with short blocks: good for a first look only.",
  noisy: "The interval of a cost is wider than 3 %: the machine was not quiet enough.",
  unsettled: "The model's speed had not become steady when it was measured.",
  unsandboxed: "The model ran without the sandbox that keeps it from the network.",
  unwatched: "Nothing could tell whether other programs disturbed the machine.",
  harness: "The measuring itself took a good part of the time, so the model is quicker than this number.",
  cached: "Inputs asked before were answered more than a tenth faster than new ones that cost the same.",
  selective: "Another selection of inputs gave another throughput.",
  restless: "The model worked while it was not asked, which slows the reference that it is measured beside.",
  inconsistent: "The model answered otherwise when it was timed than when it was scored.",
  unchecked: "The model failed on texts it had not seen, so a cache cannot be excluded.",
  standard: "Cost was measured at medium length.",
  unpublished: "Only you and the task's owners see this model.",
};

const CAUTIONS = new Set([
  "unverified",
  "incomplete",
  "noisy",
  "unsettled",
  "unsandboxed",
  "unwatched",
  "harness",
  "unchecked",
]);
const FAULTS = new Set(["cached", "selective", "restless", "inconsistent"]);

function kindOf(name: string): "plain" | "caution" | "bad" {
  if (FAULTS.has(name)) return "bad";
  return CAUTIONS.has(name) ? "caution" : "plain";
}

/** The meaning of a flag, to be shown beside it where there is room. */
export function flagMeaning(name: string): string {
  return MEANINGS[name] ?? "";
}

interface Props {
  readonly name: string;
  readonly kind?: "plain" | "caution" | "good" | "bad";
}

/** A word beside a number or a model; what it means is its title. */
export function Flag({ name, kind = kindOf(name) }: Props) {
  const look = kind === "plain" ? styles.flag : `${styles.flag} ${styles[kind]}`;
  return (
    <span className={look} title={MEANINGS[name]}>
      {name}
    </span>
  );
}
