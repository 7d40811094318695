import { useMutation } from "@tanstack/react-query";
import { Link } from "wouter";
import { answered, api } from "../api/client";
import { useKey } from "../api/session";
import { places } from "../app/places";
import { Button } from "../components/Button";
import { Copy } from "../components/Copy";
import { Dialog } from "../components/Dialog";
import { ProblemNotice } from "../components/Notice";
import { boardQuery, type Choices } from "./choices";
import { Citations } from "./Citations";
import { SignInFirst } from "./SignInFirst";

interface Props {
  readonly task: string;
  readonly choices: Choices;
  readonly onClose: () => void;
}

/** Freezes the board as it is shown, under an address that never changes, and says how to cite it. */
export function FreezeDialog({ task, choices, onClose }: Props) {
  const key = useKey();
  const freeze = useMutation({
    mutationFn: () => {
      const query = Object.fromEntries(boardQuery(choices)) as Record<string, never>;
      const path = { task: task as "sentiment" };
      return answered(api.POST("/api/v1/leaderboards/{task}/snapshots", { params: { path, query } }));
    },
  });
  const made = freeze.data;
  return (
    <Dialog title="Freeze and cite" onClose={onClose}>
      {made ? (
        <>
          <p>
            Frozen{made.public ? "" : ", for you alone"}:{" "}
            <Link href={places.snapshot(made.id)}>{`${location.origin}${places.snapshot(made.id)}`}</Link>
          </p>
          <div>
            <Copy text={`${location.origin}${places.snapshot(made.id)}`} what="the address" />
          </div>
          <Citations snapshot={made.id} />
        </>
      ) : (
        <>
          <p>
            A snapshot keeps all models, numbers, weights and dataset versions as they are now, under an address that
            will give the same bytes for ever. That is what to cite: the live board goes on changing.
          </p>
          {freeze.error ? <ProblemNotice problem={freeze.error} /> : null}
          {key ? (
            <div>
              <Button look="main" disabled={freeze.isPending} onClick={() => freeze.mutate()}>
                Freeze this board
              </Button>
            </div>
          ) : (
            <SignInFirst what="freeze a board" />
          )}
        </>
      )}
    </Dialog>
  );
}
