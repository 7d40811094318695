import { useQuery } from "@tanstack/react-query";
import { answered, api } from "./client";
import { useKey } from "./session";

/** The tasks of this platform, in their own order. */
export function useTasks() {
  return useQuery({ queryKey: ["tasks"], queryFn: () => answered(api.GET("/api/v1/tasks")), staleTime: 60_000 });
}

/** Whose key this is; null for those without one. */
export function useWhoAmI() {
  const key = useKey();
  return useQuery({
    queryKey: ["whoami", key],
    queryFn: () => (key ? answered(api.GET("/api/v1/whoami")) : null),
    staleTime: 60_000,
    retry: false,
  });
}
