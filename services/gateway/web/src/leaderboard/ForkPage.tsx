import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { Link } from "wouter";
import { answered, api, type Shapes } from "../api/client";
import { useKey } from "../api/session";
import { places } from "../app/places";
import { Loaded } from "../components/Loaded";
import { Page } from "../components/Page";
import { moment } from "../format/numbers";
import { BoardView } from "./BoardView";
import { weightsInWords } from "./Forks";
import { useTitleOf } from "./LeaderboardPage";
import styles from "./leaderboard.module.css";

/** A leaderboard under weights that somebody named. */
export default function ForkPage({ id }: { readonly id: string }) {
  const key = useKey();
  const fork = useQuery({
    queryKey: ["fork", id, key],
    queryFn: () => answered(api.GET("/api/v1/forks/{fork_id}", { params: { path: { fork_id: id } } })),
    staleTime: Infinity,
  });
  return (
    <Page title={fork.data?.name ?? "A fork"} lead={fork.data?.description || undefined}>
      <Loaded query={fork}>{(found) => <Forked fork={found} />}</Loaded>
    </Page>
  );
}

function Forked({ fork }: { readonly fork: Shapes["ForkView"] }) {
  const title = useTitleOf(fork.task);
  const preset = useMemo(() => ({ weights: fork.weights, datasetWeights: fork.dataset_weights }), [fork]);
  return (
    <>
      <p className={styles.forkOf}>
        {weightsInWords(fork.weights, fork.dataset_weights)}. A fork of{" "}
        <Link href={places.board(fork.task)}>{title}</Link> by {fork.created_by}, {moment(fork.created_at)}
        {fork.snapshot ? (
          <>
            , over <Link href={places.snapshot(fork.snapshot)}>a frozen board</Link>
          </>
        ) : null}
        .
      </p>
      <BoardView
        source={fork.snapshot ? { snapshot: fork.snapshot } : { task: fork.task }}
        task={fork.task}
        preset={preset}
      />
    </>
  );
}
