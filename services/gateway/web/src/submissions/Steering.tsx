import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { answered, api, type Shapes } from "../api/client";
import { Button } from "../components/Button";
import { Confirm } from "../components/Confirm";
import { ProblemNotice } from "../components/Notice";
import { hasEnded } from "./status";

type Submission = Shapes["SubmissionView"];
type Verb = "cancel" | "retry" | "publish" | "withdraw" | "hide my name" | "show my name";

/** What the owner may do with a submission now. */
export function Steering({ submission }: { readonly submission: Submission }) {
  const [asking, setAsking] = useState(false);
  const act = useAct(submission);
  const { status, published, anonymous } = submission;
  const visible = published ? "withdraw" : "publish";
  const named = anonymous ? "show my name" : "hide my name";
  return (
    <>
      {hasEnded(status) || status === "scoring" ? null : <Button onClick={() => setAsking(true)}>Cancel</Button>}
      {(status === "failed" || status === "cancelled") && submission.digest ? (
        <Button look="main" disabled={act.isPending} onClick={() => act.mutate("retry")}>
          Try again
        </Button>
      ) : null}
      {status === "finished" ? (
        <>
          <Button look="quiet" disabled={act.isPending} onClick={() => act.mutate(named)}>
            {capital(named)}
          </Button>
          <Button look={published ? "plain" : "main"} disabled={act.isPending} onClick={() => act.mutate(visible)}>
            {capital(visible)}
          </Button>
        </>
      ) : null}
      {act.error ? <ProblemNotice problem={act.error} /> : null}
      {asking ? (
        <Cancel onConfirm={() => (setAsking(false), act.mutate("cancel"))} onClose={() => setAsking(false)} />
      ) : null}
    </>
  );
}

function Cancel({ onConfirm, onClose }: { readonly onConfirm: () => void; readonly onClose: () => void }) {
  return (
    <Confirm title="Cancel this submission?" verb="Cancel it" onConfirm={onConfirm} onClose={onClose}>
      <p>The model is stopped within seconds. What is predicted stays: trying again goes on from there.</p>
    </Confirm>
  );
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function useAct({ id, model_id }: Submission) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (verb: Verb) => {
      if (verb === "cancel" || verb === "retry") await steer(id, verb);
      else await change(model_id, verb);
    },
    onSuccess: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ["submission", id] }),
        queries.invalidateQueries({ queryKey: ["submissions"] }),
      ]),
  });
}

function steer(submission_id: string, verb: "cancel" | "retry"): Promise<unknown> {
  const params = { path: { submission_id } };
  if (verb === "cancel") return answered(api.POST("/api/v1/submissions/{submission_id}/cancel", { params }));
  return answered(api.POST("/api/v1/submissions/{submission_id}/retry", { params }));
}

function change(model_id: string, verb: Exclude<Verb, "cancel" | "retry">): Promise<unknown> {
  const body =
    verb === "publish" || verb === "withdraw"
      ? { published: verb === "publish" }
      : { anonymous: verb === "hide my name" };
  return answered(api.PATCH("/api/v1/models/{model_id}", { params: { path: { model_id } }, body }));
}
