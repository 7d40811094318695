import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { answered, api } from "../api/client";
import { PAPER, type Settings } from "./draft";

const PATIENCE_MS = 250;

/** The settings in force, and every version before. */
export function useSettings(task: string) {
  return useQuery({
    queryKey: ["settings", task],
    queryFn: () => answered(api.GET("/api/v1/tasks/{task}/settings", { params: { path: { task } } })),
  });
}

/** The board as it is. */
export function usePresent(task: string) {
  return useQuery({
    queryKey: ["leaderboard", task, "present"],
    queryFn: () =>
      answered(
        api.GET("/api/v1/leaderboards/{task}", {
          params: { path: { task }, query: { limit: 1000, detail: "ranking" } },
        }),
      ),
  });
}

/** The board that settings would make, asked for when they rest for a moment; null: they are not worth asking for. */
export function usePreview(task: string, settings: Settings | null) {
  const body = useRested(settings);
  return useQuery({
    queryKey: ["settings", task, "preview", body],
    queryFn: () =>
      answered(
        api.POST("/api/v1/tasks/{task}/settings/preview", {
          params: { path: { task }, query: { limit: 1000, detail: "ranking" } },
          body: body ?? PAPER,
        }),
      ),
    enabled: body !== null,
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 30_000,
  });
}

/** Puts settings in force. */
export function useSave(task: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (change: Settings & { based_on: number }) =>
      answered(api.PUT("/api/v1/tasks/{task}/settings", { params: { path: { task } }, body: change })),
    onSuccess: (view) => {
      queries.setQueryData(["settings", task], view);
      return Promise.all([
        queries.invalidateQueries({ queryKey: ["tasks"] }),
        queries.invalidateQueries({ queryKey: ["leaderboard"] }),
      ]);
    },
  });
}

/** The value once it has not changed for a moment: a slider that moves asks nothing. */
function useRested<T>(value: T): T {
  const [rested, setRested] = useState(value);
  const words = JSON.stringify(value);
  useEffect(() => {
    const timer = window.setTimeout(() => setRested(JSON.parse(words) as T), PATIENCE_MS);
    return () => window.clearTimeout(timer);
  }, [words]);
  return rested;
}
