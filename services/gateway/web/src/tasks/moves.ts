/** Two boards of the same models, side by side. */
import type { Shapes } from "../api/client";

type Row = Pick<Shapes["LeaderboardRow"], "model_id" | "name" | "rank" | "score">;

export interface Move {
  readonly id: string;
  readonly name: string;
  readonly before: number | null;
  readonly after: number | null;
  /** Places gained; 0 also where a rank is missing on either side. */
  readonly gained: number;
  readonly score: number | null;
}

/** Each model's place on both boards, in the order of the proposed one. */
export function moves(present: readonly Row[], proposed: readonly Row[]): Move[] {
  const before = new Map(present.map((row) => [row.model_id, row.rank]));
  return proposed.map((row) => {
    const was = before.get(row.model_id) ?? null;
    return {
      id: row.model_id,
      name: row.name,
      before: was,
      after: row.rank,
      gained: was !== null && row.rank !== null ? was - row.rank : 0,
      score: row.score,
    };
  });
}

/** The moves in one sentence. */
export function summary(all: readonly Move[]): string {
  const moved = all.filter(({ gained }) => gained !== 0);
  if (moved.length === 0) return "No model would change its rank.";
  const first = all.find(({ after }) => after === 1);
  const crowned = first && first.before !== 1 ? ` ${first.name} would come first.` : "";
  return `${moved.length} of ${all.length} models would change their rank.${crowned}`;
}
