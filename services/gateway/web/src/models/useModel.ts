/** What is fetched of a model, and what its owner may change. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { answered, api, type Shapes } from "../api/client";
import { useKey } from "../api/session";
import { useWhoAmI } from "../api/tasks";

export type Model = Shapes["ModelView"];
export type Submission = Shapes["SubmissionView"];

export function useModel(id: string) {
  const key = useKey();
  return useQuery({
    queryKey: ["model", id, key],
    queryFn: () => answered(api.GET("/api/v1/models/{model_id}", { params: { path: { model_id: id } } })),
  });
}

export function useScores(submission: string) {
  const key = useKey();
  return useQuery({
    queryKey: ["scores", submission, key],
    queryFn: () =>
      answered(
        api.GET("/api/v1/submissions/{submission_id}/scores", { params: { path: { submission_id: submission } } }),
      ),
    staleTime: 60_000,
  });
}

/** Whether the reader may change the model: its owner, and administrators. The server decides in the end. */
export function useMayChange(model: Model): boolean {
  const { data } = useWhoAmI();
  return data?.role === "admin" || (data != null && data.name === model.owner);
}

/** Publish, withdraw, hide or show the owner's name. */
export function useChange(id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Shapes["ModelChange"]) =>
      answered(api.PATCH("/api/v1/models/{model_id}", { params: { path: { model_id: id } }, body })),
    // Boards and lists show it too; whoever looks at them next sees the change.
    onSuccess: () => queries.invalidateQueries(),
  });
}

/** What the model printed when it ran; asked for only where it may be read. */
export function useLog(submission: string) {
  const key = useKey();
  return useQuery({
    queryKey: ["log", submission, key],
    queryFn: () =>
      answered(
        api.GET("/api/v1/submissions/{submission_id}/log", {
          params: { path: { submission_id: submission } },
          parseAs: "text",
        }),
      ),
    retry: false,
  });
}
