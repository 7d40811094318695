/** What a unit of a metric is worth, in words that fit beside a slider. */
import { number } from "../format/numbers";

const POINTS: Readonly<Record<string, string>> = { throughput: "examples/s of throughput", memory: "GiB of memory" };

/** The worth of one handy unit of a metric in units of the base metric, from its AMRS. */
export function worth(metric: string, base: string, rate: number): string {
  const { amount, words } = handy(metric, 1 / rate);
  return `${words} ${words.startsWith("1 ") ? "is" : "are"} worth ${threeDigits(amount)} ${basePoints(base, amount)}`;
}

/** Three digits, written out. */
export function threeDigits(value: number): string {
  const size = Math.abs(value);
  if (size >= 100) return number(value, 0);
  if (size >= 10) return number(value, 1);
  if (size >= 1) return number(value, 2);
  if (size >= 0.001 || size === 0) return number(value, 3);
  return value.toPrecision(2);
}

function basePoints(base: string, amount: number): string {
  return POINTS[base] ?? `${threeDigits(amount) === "1.00" ? "point" : "points"} of ${base}`;
}

/** A unit small or great enough that its worth is a number of everyday size. */
function handy(metric: string, worthOfOne: number): { amount: number; words: string } {
  if (metric === "throughput") {
    let count = 1;
    while (worthOfOne * count < 0.1 && count < 1e6) count *= 10;
    const words = count === 1 ? "1 example a second more" : `${number(count, 0)} examples a second more`;
    return { amount: worthOfOne * count, words };
  }
  if (metric === "memory") {
    if (worthOfOne >= 1000) return { amount: worthOfOne / 1024, words: "1 MiB less" };
    return { amount: worthOfOne, words: "1 GiB less" };
  }
  return { amount: worthOfOne, words: `1 point of ${metric}` };
}
