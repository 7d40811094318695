import { interval, number } from "../format/numbers";

/** An interval that fits under its number: from ten thousand on in thousands. */
export function shortInterval(low: number | null | undefined, high: number | null | undefined): string {
  if (low == null || high == null || Math.max(Math.abs(low), Math.abs(high)) < 10_000) return interval(low, high);
  return `${number(low / 1000, 0)}k – ${number(high / 1000, 0)}k`;
}
