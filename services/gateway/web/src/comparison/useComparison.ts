/** What is fetched of two models of one board. */
import { useQueries, useQuery } from "@tanstack/react-query";
import { answered, api, type Shapes } from "../api/client";
import { useKey } from "../api/session";

export type Board = Shapes["LeaderboardView"];
export type Row = Shapes["LeaderboardRow"];
export type Pair = Shapes["PairView"];

const FRESH = 30_000;
// As many models as a board is given out with.
const MOST = 1000;

export const METRICS = ["performance", "throughput", "memory", "fairness", "robustness"] as const;
export type MetricName = (typeof METRICS)[number];

/** The board with everybody's models, or where one of these is missing from it, with those that the reader may see. */
export function useBoardWith(task: string, models: readonly (string | null)[]) {
  const key = useKey();
  const published = useRanking(task, false, true);
  const missing = models.some((id) => id && published.data?.rows.every(({ model_id }) => model_id !== id));
  const own = useRanking(task, true, Boolean(key) && missing);
  return missing && key ? { query: own, unpublished: true } : { query: published, unpublished: false };
}

function useRanking(task: string, unpublished: boolean, enabled: boolean) {
  const key = useKey();
  return useQuery({
    queryKey: ["ranking", task, unpublished, key],
    queryFn: async () => {
      const query = { detail: "ranking", limit: MOST, unpublished } as const;
      const board = await answered(api.GET("/api/v1/leaderboards/{task}", { params: { path: { task }, query } }));
      // openapi-fetch loses that an interval is a pair of numbers.
      return board as Board;
    },
    enabled,
    staleTime: FRESH,
  });
}

/** The pair under the task's weights, corrected for all pairs of the board; null where one of the two has no rank. */
export function usePair(task: string, a: string, b: string, unpublished: boolean) {
  return useQuery(pairQuery(task, a, b, unpublished, null));
}

/**
 * The pair by each metric alone, in points of the base metric: the same shared resamples as for the score, so that what
 * two models have in common cancels.
 */
export function usePairsByMetric(
  task: string,
  a: string,
  b: string,
  unpublished: boolean,
  metrics: readonly MetricName[],
) {
  return useQueries({ queries: metrics.map((metric) => pairQuery(task, a, b, unpublished, metric)) });
}

function pairQuery(task: string, a: string, b: string, unpublished: boolean, metric: MetricName | null) {
  const alone = metric && Object.fromEntries(METRICS.map((name) => [`weight.${name}`, Number(name === metric)]));
  return {
    queryKey: ["pair", task, a, b, unpublished, metric],
    queryFn: async (): Promise<Pair | null> => {
      const query = { model: a, limit: MOST, unpublished, ...(alone ? { ...alone, correction: "none" as const } : {}) };
      const { pairs } = await answered(
        api.GET("/api/v1/leaderboards/{task}/pairs", { params: { path: { task }, query } }),
      );
      return pairs.find(({ better, worse }) => better === b || worse === b) ?? null;
    },
    staleTime: FRESH,
  };
}

/** Where the two differ: tags, and examples of one dataset. */
export function useDiscordance(task: string, a: string, b: string, dataset: string | null, unpublished: boolean) {
  const key = useKey();
  return useQuery({
    queryKey: ["discordance", task, a, b, dataset, unpublished, key],
    queryFn: () =>
      answered(
        api.GET("/api/v1/leaderboards/{task}/discordance", {
          params: { path: { task }, query: { a, b, unpublished, limit: 20, ...(dataset ? { dataset } : {}) } },
        }),
      ),
    staleTime: FRESH,
    placeholderData: (before) => before,
  });
}
