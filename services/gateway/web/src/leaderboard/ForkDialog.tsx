import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { answered, api } from "../api/client";
import { useKey } from "../api/session";
import { places } from "../app/places";
import { Button } from "../components/Button";
import { Copy } from "../components/Copy";
import { Dialog } from "../components/Dialog";
import { Field } from "../components/Field";
import { ProblemNotice } from "../components/Notice";
import type { Choices } from "./choices";
import styles from "./leaderboard.module.css";
import type { View } from "./ranked";
import { SignInFirst } from "./SignInFirst";
import { type Usual, usualOf } from "./usual";

interface Props {
  readonly task: string;
  readonly choices: Choices;
  readonly snapshot: string;
  readonly onClose: () => void;
}

/** Gives the weights shown a name and a reason, under an address of their own. */
export function ForkDialog({ task, choices, snapshot, onClose }: Props) {
  const key = useKey();
  const queries = useQueryClient();
  const [name, setName] = useState("");
  const [description, setDescription] = useState("");
  const fork = useMutation({
    mutationFn: async () => {
      // Over a frozen board all weights are named: those that stood there when it was frozen are not the task's.
      const usual = snapshot ? await frozenWeights(snapshot) : { weights: {}, datasetWeights: {} };
      const weights = { ...usual.weights, ...choices.weights };
      const datasetWeights = { ...usual.datasetWeights, ...choices.datasetWeights };
      const body = { name, description, weights, dataset_weights: datasetWeights, snapshot: snapshot || null };
      const params = { path: { task: task as "sentiment" } };
      return answered(api.POST("/api/v1/leaderboards/{task}/forks", { params, body }));
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: ["forks", task] }),
  });
  if (fork.data) {
    const address = `${location.origin}${places.fork(fork.data.id)}`;
    return (
      <Dialog title="Forked" onClose={onClose}>
        <p>
          These weights are now <Link href={places.fork(fork.data.id)}>{fork.data.name}</Link>. Everybody may read them
          at <code>{address}</code>.
        </p>
        <div>
          <Copy text={address} what="the address" />
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog title="Fork this board" onClose={onClose}>
      <p>A fork is a name and a reason for weights. It shows the same models, under your weights, to everybody.</p>
      {key ? (
        <form
          className={`stack ${styles.form}`}
          onSubmit={(event) => {
            event.preventDefault();
            fork.mutate();
          }}
        >
          <Field label="Name" hint="Lower case letters, digits and hyphens, such as for-phones.">
            {(ids) => (
              <input {...ids} required maxLength={62} value={name} onChange={(event) => setName(event.target.value)} />
            )}
          </Field>
          <Field label="Why these weights">
            {(ids) => (
              <textarea
                {...ids}
                rows={3}
                maxLength={2000}
                value={description}
                onChange={(event) => setDescription(event.target.value)}
              />
            )}
          </Field>
          {fork.error ? <ProblemNotice problem={fork.error} /> : null}
          <div>
            <Button look="main" type="submit" disabled={!name.trim() || fork.isPending}>
              Fork
            </Button>
          </div>
        </form>
      ) : (
        <SignInFirst what="name your weights" />
      )}
    </Dialog>
  );
}

async function frozenWeights(snapshot: string): Promise<Usual> {
  const params = { path: { snapshot_id: snapshot } };
  const view = (await answered<unknown>(api.GET("/api/v1/snapshots/{snapshot_id}", { params }))) as View;
  return usualOf(view, true);
}
