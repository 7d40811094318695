import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { answered, api, type Shapes } from "../api/client";
import { places } from "../app/places";
import { ButtonLink } from "../components/Button";
import { Row } from "../components/Form";
import { Meter } from "../components/Meter";
import { Notice } from "../components/Notice";
import { duration, number, percent } from "../format/numbers";
import { sentence } from "./status";
import styles from "./submission.module.css";

type Submission = Shapes["SubmissionView"];

/** Where it stands, in a sentence; with how far it is, what it came to, or why it stopped. */
export function Outcome({ submission, theirs }: { readonly submission: Submission; readonly theirs: boolean }) {
  const { status } = submission;
  if (status === "failed" || status === "cancelled") {
    return (
      <Notice kind={status === "failed" ? "bad" : "plain"}>
        <p role="status">
          <strong>{status === "failed" ? "Failed. " : "Cancelled. "}</strong>
          {sentence(submission)}
        </p>
      </Notice>
    );
  }
  return (
    <div className={styles.outcome}>
      <p role="status" className={styles.sentence}>
        {sentence(submission)}
      </p>
      {status === "running" ? <Overall submission={submission} /> : null}
      {status === "submitting" && theirs ? (
        <p>
          <Link href={places.submit()}>Choose its file again</Link> to go on with an upload that stopped.
        </p>
      ) : null}
      {status === "finished" ? <Standing submission={submission} /> : null}
    </div>
  );
}

function Overall({ submission }: { readonly submission: Submission }) {
  const all = submission.evaluations ?? [];
  const [done, total] = [all.reduce((sum, one) => sum + one.done, 0), all.reduce((sum, one) => sum + one.total, 0)];
  const share = total ? done / total : 0;
  const rest = submission.eta_seconds;
  return (
    <>
      <Meter label="All datasets" share={share} words={`${percent(share, 0)} predicted`} />
      <p className="soft">
        {number(done, 0)} of {number(total, 0)} predictions
        {rest ? `, about ${duration(rest)} left, then its cost is measured` : ""}
      </p>
    </>
  );
}

function Standing({ submission }: { readonly submission: Submission }) {
  const row = useRow(submission);
  return (
    <>
      <p className={styles.rank}>
        {row.data === undefined ? "\u00a0" : <Rank row={row.data} task={submission.task} />}
      </p>
      <Row>
        <ButtonLink look={submission.published ? "main" : "plain"} href={places.board(submission.task)}>
          See the board
        </ButtonLink>
        <ButtonLink href={places.model(submission.model_id)}>Its model page</ButtonLink>
        {submission.verified ? (
          <ButtonLink href={places.talk(submission.task, submission.model_id)}>Talk to it</ButtonLink>
        ) : null}
      </Row>
    </>
  );
}

interface Place {
  readonly row: Shapes["LeaderboardRow"] | null;
  readonly total: number;
}

function Rank({ row: { row, total }, task }: { readonly row: Place; readonly task: string }) {
  if (!row) return "A newer version of this model stands on the board.";
  if (row.rank === null) return `It is not ranked: ${row.missing?.join(", ") ?? "a result"} is missing.`;
  const open = row.rank_low != null && row.rank_high != null && row.rank_low !== row.rank_high;
  return (
    <>
      Rank <strong>{row.rank}</strong> of {total} on {task}
      {open ? `; the data leaves ranks ${row.rank_low} to ${row.rank_high} open` : ""}
      {row.published ? "" : ", seen by you only until you publish it"}.
    </>
  );
}

/** Its row of the board, unpublished ones included where one may see them. */
function useRow({ id, task, published }: Submission) {
  return useQuery({
    queryKey: ["submission", id, "row", published],
    queryFn: async (): Promise<Place> => {
      const query = { unpublished: !published, limit: 1000 };
      const board = await answered(api.GET("/api/v1/leaderboards/{task}", { params: { path: { task }, query } }));
      return { row: board.rows.find((row) => row.submission_id === id) ?? null, total: board.total };
    },
  });
}
