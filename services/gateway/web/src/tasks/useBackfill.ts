import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { answered, api, type Shapes } from "../api/client";
import { useKey } from "../api/session";

export type Backfill = Shapes["BackfillView"];
export type Action = "start" | "pause" | "resume";

const MOVING_MS = 5_000;

/** What a task's models still lack of its data, for task owners; looked at again while something runs. */
export function useBackfill(task: string) {
  const key = useKey();
  return useQuery({
    queryKey: ["backfill", task, key],
    queryFn: async () => {
      const all = await answered(api.GET("/api/v1/backfill", { params: { query: { task } } }));
      return all.find((one) => one.task === task) ?? null;
    },
    refetchInterval: ({ state }) => (state.data && moves(state.data) ? MOVING_MS : false),
  });
}

/** Which metrics its stored predictions still lack, and which an operator must mend. */
export function useMissingMetrics(task: string) {
  const key = useKey();
  return useQuery({
    queryKey: ["missing-metrics", task, key],
    queryFn: async () => {
      const all = await answered(api.GET("/api/v1/missing-metrics", { params: { query: { task } } }));
      return all.find((one) => one.task === task) ?? null;
    },
  });
}

/** Start, pause or resume it. */
export function useSteer(task: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (action: Action) =>
      answered(api.POST("/api/v1/backfill/{action}", { params: { path: { action }, query: { task } } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["backfill", task] }),
  });
}

/** Whether it goes on by itself just now. */
export function moves(view: Backfill): boolean {
  return view.items.some(({ state }) => state === "running" || state === "queued" || state === "planned");
}

/** What can be done now: what waits or has failed can be started; what is paused goes on; all else can be paused. */
export function actions(view: Backfill): Action[] {
  const startable = view.held.length > 0 || view.items.some(({ state }) => state === "waits" || state === "failed");
  return [...(startable ? ["start" as const] : []), view.mode === "paused" ? "resume" : "pause"];
}

/** How it stands, in words: what goes on by itself, what waits, or that nothing is missing. */
export function state(view: Backfill): string {
  const waits = view.items.some(({ state }) => state === "waits");
  const said = [
    view.mode === "paused" ? "Paused." : "",
    moves(view) || !waits ? ended(view.sentence) : "",
    waits ? `Waiting for somebody’s word: ${ended(view.waiting)}` : "",
    view.held.length ? `Held: ${view.held.join(", ")}.` : "",
  ];
  return said.filter(Boolean).join(" ");
}

export function ended(sentence: string): string {
  return sentence.endsWith(".") ? sentence : `${sentence}.`;
}
