import { Link } from "wouter";
import { atLeast } from "../account/roles";
import type { Shapes } from "../api/client";
import { useWhoAmI } from "../api/tasks";
import { places } from "../app/places";
import { Bundle } from "../bundles/Bundle";
import { Card, Facts } from "../components/Card";
import { Flag } from "../components/Flag";
import { Loaded } from "../components/Loaded";
import { Page, Part } from "../components/Page";
import { bytes, moment } from "../format/numbers";
import { Evaluations } from "./Evaluations";
import { Log } from "./Log";
import { Outcome } from "./Outcome";
import { kindOf } from "./status";
import { Steering } from "./Steering";
import { Stepper } from "./Stepper";
import { useSubmission } from "./useSubmission";

/** One submission on its way: where it is, how far, what went wrong, and what its owner may do. */
export default function SubmissionPage({ id }: { readonly id: string }) {
  const submission = useSubmission(id);
  if (submission.data) return <Shown submission={submission.data} />;
  return (
    <Page title="Submission">
      <Loaded query={submission} height="32rem">
        {() => null}
      </Loaded>
    </Page>
  );
}

function Shown({ submission }: { readonly submission: Shapes["SubmissionView"] }) {
  const who = useWhoAmI();
  const theirs = who.data?.role === "admin" || (who.data != null && who.data.name === submission.owner);
  const mayHave = theirs || atLeast(who.data?.role, "task-owner");
  // What went wrong stands in the log, so the log stands beside the failure.
  const failed = submission.status === "failed";
  const log = theirs && submission.started_at ? <Log submission={submission} /> : null;
  return (
    <Page
      title={`${submission.name} v${submission.version}`}
      lead={
        <>
          Submission to <Link href={places.board(submission.task)}>{submission.task}</Link>
        </>
      }
      actions={theirs ? <Steering submission={submission} /> : null}
    >
      <Card>
        <Stepper submission={submission} />
        <Outcome submission={submission} theirs={theirs} />
      </Card>
      {failed ? log : null}
      <Evaluations submission={submission} />
      {failed ? null : log}
      {mayHave && submission.status === "finished" ? (
        <Bundle source={{ submission: submission.id }} name={`${submission.name}-v${submission.version}`} />
      ) : null}
      <About submission={submission} />
    </Page>
  );
}

function About({ submission }: { readonly submission: Shapes["SubmissionView"] }) {
  const { digest, owner, size, started_at, finished_at, verified } = submission;
  return (
    <Part title="About it">
      <Card>
        <Facts
          facts={[
            ["Status", <Flag key="status" name={submission.status} kind={kindOf(submission.status)} />],
            ["Owner", owner ?? "anonymous"],
            ["Visible to", submission.published ? "everybody" : "its owner"],
            ["Kind", verified ? "a model that runs here" : "predictions only, unverified"],
            ["Archive", bytes(size ?? 0)],
            ["Handed in", moment(submission.created_at)],
            ["Began to run", started_at ? moment(started_at) : "not yet"],
            ["Ended", finished_at ? moment(finished_at) : "not yet"],
            ["sha256 of the archive", <code key="digest">{digest ?? "not known yet"}</code>],
          ]}
        />
      </Card>
    </Part>
  );
}
