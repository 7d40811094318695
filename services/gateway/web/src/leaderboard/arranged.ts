/** Which rows are shown, and in which order. */
import type { Order } from "./choices";
import type { RankedRow } from "./ranked";

export const PAGE_SIZE = 50;

export interface Wanted {
  readonly sort: string;
  readonly order: Order | "";
  readonly search: string;
  readonly page: number;
}

export interface Arranged {
  readonly rows: readonly RankedRow[];
  /** How many the search leaves. */
  readonly found: number;
  readonly page: number;
  readonly pages: number;
}

/** The order a column has unless turned round: best first, names A to Z. */
export function usualOrder(sort: string): Order {
  return sort === "name" || sort === "memory" ? "ascending" : "descending";
}

export function arranged(rows: readonly RankedRow[], metrics: readonly string[], wanted: Wanted): Arranged {
  const words = wanted.search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = words.length ? rows.filter(({ row }) => words.every((word) => textOf(row).includes(word))) : rows;
  const sorted = inOrder(found, metrics, wanted);
  const pages = Math.max(1, Math.ceil(sorted.length / PAGE_SIZE));
  const page = Math.min(wanted.page, pages);
  return { rows: sorted.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE), found: sorted.length, page, pages };
}

/** What a search looks into: name, version, owner, marks. */
function textOf(row: RankedRow["row"]): string {
  const marks = [...row.flags, row.baseline ? "baseline" : "", row.published ? "" : "unpublished"];
  return [row.name, `v${row.version}`, row.owner ?? "", ...marks].join(" ").toLowerCase();
}

/** `rows` come by place; those without the value stay last either way. */
function inOrder(rows: readonly RankedRow[], metrics: readonly string[], wanted: Wanted): readonly RankedRow[] {
  const order = wanted.order || usualOrder(wanted.sort);
  if (wanted.sort === "score" && order === "descending") return rows;
  const turn = order === "ascending" ? 1 : -1;
  if (wanted.sort === "name") {
    return [...rows].sort((a, b) => turn * a.row.name.localeCompare(b.row.name, "en") || a.place - b.place);
  }
  const column = metrics.indexOf(wanted.sort);
  const valueOf = (ranked: RankedRow) => (column < 0 ? ranked.score : ranked.values[column]);
  return [...rows].sort((a, b) => {
    const [first, second] = [valueOf(a), valueOf(b)];
    if (first == null || second == null) return Number(first == null) - Number(second == null) || a.place - b.place;
    return turn * (first - second) || a.place - b.place;
  });
}
