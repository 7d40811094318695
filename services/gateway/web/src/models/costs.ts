/** What a cost was computed from, as the plots need it: blocks of requests and samples of memory. Pure. */
import type { Score } from "./scores";

/** Requests sent one after the other: when (seconds into the run), and how many examples a second. */
export interface Block {
  readonly start: number;
  readonly rate: number;
  readonly seconds: number;
  readonly model: "candidate" | "reference";
  readonly pair: number;
}

export interface Observation {
  readonly start: number;
  readonly throughput: number;
}

export interface MemorySample {
  readonly seconds: number;
  readonly gib: number;
}

/** Single requests in a row: seconds into the phase, and milliseconds. */
export interface LatencyWindow {
  readonly seconds: number;
  readonly median: number;
  readonly slowest: number;
}

const GIB = 1024 ** 3;

/** Blocks of a throughput cell. Before protocol 2 there was no reference beside the model, and each block is a pair. */
export function blocksOf(throughput: Score): Block[] {
  return records(throughput.provenance.blocks).flatMap((block, at) => {
    const { start_s: start, seconds, examples, model, pair } = block;
    if (!isNumber(start) || !isNumber(seconds) || !isNumber(examples) || seconds <= 0) return [];
    const named = model === "reference" ? "reference" : "candidate";
    return [{ start, seconds, rate: examples / seconds, model: named, pair: isNumber(pair) ? pair : at } as const];
  });
}

/** What the throughput and its interval are made of: a number a block, or a pair of blocks beside the reference's. */
export function observationsOf(throughput: Score): Observation[] {
  const blocks = blocksOf(throughput);
  const { rating } = throughput.provenance;
  if (!isNumber(rating)) return blocks.map(({ start, rate }) => ({ start, throughput: rate }));
  return [...new Set(blocks.map(({ pair }) => pair))].flatMap((number) => {
    const pair = blocks.filter((block) => block.pair === number);
    const start = Math.min(...pair.map((block) => block.start));
    const [own, reference] = [rateOf(pair, "candidate"), rateOf(pair, "reference")];
    return own && reference ? [{ start, throughput: (own / reference) * rating }] : [];
  });
}

/** Each block's speed as a share of its model's median: what slows the machine down shows in both models at once. */
export function relativeSpeeds(blocks: readonly Block[]): (Block & { readonly relative: number })[] {
  return blocks.map((block) => {
    const alike = blocks.filter(({ model }) => model === block.model).map(({ rate }) => rate);
    return { ...block, relative: block.rate / median(alike) };
  });
}

export function memoryOf(throughput: Score): MemorySample[] {
  return rows(throughput.provenance.memory_samples).flatMap(([seconds, bytes]) =>
    isNumber(seconds) && isNumber(bytes) ? [{ seconds, gib: bytes / GIB }] : [],
  );
}

/** How the latency of single requests went over their phase; cells made before this was kept have none. */
export function latencyOf(median: Score): LatencyWindow[] {
  return rows(median.provenance.course_ms).flatMap(([seconds, median, slowest]) =>
    isNumber(seconds) && isNumber(median) && isNumber(slowest) ? [{ seconds, median, slowest }] : [],
  );
}

function records(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter((one): one is Record<string, unknown> => typeof one === "object") : [];
}

function rows(value: unknown): unknown[][] {
  return Array.isArray(value) ? value.filter((one): one is unknown[] => Array.isArray(one)) : [];
}

function isNumber(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

/** Examples a second over all of a model's blocks. */
function rateOf(blocks: readonly Block[], of: Block["model"]): number {
  const own = blocks.filter(({ model }) => model === of);
  const total = (size: (block: Block) => number) => own.reduce((sum, block) => sum + size(block), 0);
  return total(({ rate, seconds }) => rate * seconds) / total(({ seconds }) => seconds);
}

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
