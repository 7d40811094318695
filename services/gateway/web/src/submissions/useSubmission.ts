import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { answered, api } from "../api/client";
import { lookAgain } from "./status";

/** A submission with its progress, looked at again while it moves; not while the tab is hidden. */
export function useSubmission(id: string) {
  return useQuery({
    queryKey: ["submission", id],
    queryFn: () =>
      answered(api.GET("/api/v1/submissions/{submission_id}/evaluations", { params: { path: { submission_id: id } } })),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => lookAgain(state.data?.status, state.error !== null),
    refetchOnWindowFocus: true,
  });
}
