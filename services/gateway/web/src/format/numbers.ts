/** Numbers as readers see them. */

const GROUPED = new Map<number, Intl.NumberFormat>();

/** How many decimals a reader can use: 1,234 · 123.4 · 12.34 · 0.123. */
export function decimalsFor(value: number): number {
  const size = Math.abs(value);
  if (size >= 1000) return 0;
  if (size >= 100) return 1;
  if (size >= 1) return 2;
  return 3;
}

/** With as many digits as a reader can use, or exactly as many decimals as given. */
export function number(value: number, decimals: number = decimalsFor(value)): string {
  let format = GROUPED.get(decimals);
  if (!format) {
    format = new Intl.NumberFormat("en", { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
    GROUPED.set(decimals, format);
  }
  return format.format(value).replace("-", "−");
}

/** With its sign: +1.20 or −0.31. */
export function signed(value: number, decimals: number = decimalsFor(value)): string {
  return value > 0 ? `+${number(value, decimals)}` : number(value, decimals);
}

/** `low – high`, or nothing when an end is not known; with as many decimals as given, or as both ends want. */
export function interval(low: number | null | undefined, high: number | null | undefined, given?: number): string {
  if (low == null || high == null) return "";
  const decimals = given ?? Math.max(decimalsFor(low), decimalsFor(high));
  // A dash beside a minus would be read as one.
  return `${number(low, decimals)} ${low < 0 ? "to" : "–"} ${number(high, decimals)}`;
}

/** A share as percent: 0.256 is 25.6 %. */
export function percent(share: number, decimals = 1): string {
  return `${number(share * 100, decimals)} %`;
}

/** Decimals that a column needs, so that its points stand below one another: those of its median. */
export function columnDecimals(values: readonly number[]): number {
  const sorted = values.map(Math.abs).sort((a, b) => a - b);
  return sorted.length ? decimalsFor(sorted[Math.floor(sorted.length / 2)]!) : 2;
}

/** Seconds in words: 4 s · 3 min · 2 h 5 min. */
export function duration(seconds: number): string {
  if (seconds < 60) return `${Math.max(1, Math.round(seconds))} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h${minutes % 60 ? ` ${minutes % 60} min` : ""}`;
}

/** Bytes in words: 640 B · 12.3 MiB. */
export function bytes(count: number): string {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let size = count;
  let unit = 0;
  while (size >= 1024 && unit < units.length - 1) {
    size /= 1024;
    unit += 1;
  }
  return `${unit === 0 ? String(size) : number(size, size < 10 ? 1 : 0)} ${units[unit]}`;
}

/** A moment as a date and time of the reader's own place. */
export function moment(iso: string): string {
  return new Date(iso).toLocaleString("en", { dateStyle: "medium", timeStyle: "short" });
}
