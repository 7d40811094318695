import { useQuery } from "@tanstack/react-query";
import { answered, api, Problem, type Shapes } from "./client";
import { useKey } from "./session";

/** The tasks of this platform, in their own order. */
export function useTasks() {
  return useQuery({ queryKey: ["tasks"], queryFn: () => answered(api.GET("/api/v1/tasks")), staleTime: 60_000 });
}

/** Whose key this is; null for those without one, or with one that is not accepted (any more). */
export function useWhoAmI() {
  const key = useKey();
  return useQuery({
    queryKey: ["whoami", key],
    queryFn: () => (key ? accepted() : null),
    staleTime: 60_000,
    retry: false,
  });
}

async function accepted(): Promise<Shapes["WhoAmI"] | null> {
  return answered(api.GET("/api/v1/whoami")).catch((problem: unknown) => {
    if (problem instanceof Problem && problem.status === 401) return null;
    throw problem;
  });
}
