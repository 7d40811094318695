/** Who does well on one dataset, from a board. */
import type { Shapes } from "../api/client";

export interface Result {
  readonly model: string;
  readonly name: string;
  readonly cell: Shapes["CellView"];
}

/** Models by their performance on a version of a dataset, best first. */
export function bestOn(board: Pick<Shapes["LeaderboardView"], "rows">, digest: string): Result[] {
  const results: Result[] = [];
  for (const row of board.rows) {
    const cell = row.datasets?.find((one) => one.digest === digest)?.cells.performance;
    if (cell) results.push({ model: row.model_id, name: row.name, cell });
  }
  return results.sort((a, b) => b.cell.value - a.cell.value);
}
