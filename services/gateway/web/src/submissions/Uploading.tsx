import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { places } from "../app/places";
import { Button } from "../components/Button";
import { Card } from "../components/Card";
import { Confirm } from "../components/Confirm";
import { Row } from "../components/Form";
import { Meter } from "../components/Meter";
import { Notice, ProblemNotice } from "../components/Notice";
import { bytes, duration, percent } from "../format/numbers";
import { left, speed } from "./pace";
import styles from "./submit.module.css";
import { close, giveUp, pause, resume, type Upload } from "./uploading";

/** An archive on its way. */
export function Uploading({ upload }: { readonly upload: Upload }) {
  const share = upload.phase === "checking" ? 1 : upload.sent / upload.file.size;
  return (
    <Card title={`${upload.name} is on its way`}>
      <Meter label={`Upload of ${upload.file.name}`} share={share} words={`${percent(share, 0)} sent`} />
      <p className={styles.pace}>{pace(upload)}</p>
      {upload.phase === "failed" ? <ProblemNotice problem={new Error(upload.problem ?? "")} /> : null}
      {upload.phase !== "failed" && upload.problem ? (
        <Notice kind="caution">
          <p>{upload.problem}</p>
        </Notice>
      ) : null}
      <Buttons upload={upload} />
      <p className="soft">
        You may look at other pages meanwhile. If you close this tab, choose the same file here later, and it goes on.
      </p>
    </Card>
  );
}

function pace({ phase, sent, file, samples }: Upload): string {
  const counted = `${bytes(sent)} of ${bytes(file.size)}`;
  if (phase === "checking") return `${bytes(file.size)} are there; the archive is being checked …`;
  if (phase === "paused") return `${counted}, paused`;
  if (phase === "failed") return `${counted}, stopped`;
  const [fast, rest] = [speed(samples), left(samples, file.size)];
  return fast && rest !== null ? `${counted} · ${bytes(Math.round(fast))}/s · about ${duration(rest)} left` : counted;
}

function Buttons({ upload }: { readonly upload: Upload }) {
  const [asking, setAsking] = useState(false);
  const end = useMutation({ mutationFn: giveUp });
  if (upload.phase === "checking" || upload.phase === "done") return null;
  if (upload.phase === "failed") {
    return (
      <Row>
        <Button look="main" onClick={close}>
          Choose another archive
        </Button>
        <Link href={places.submission(upload.submission)}>Its page</Link>
      </Row>
    );
  }
  return (
    <Row>
      {upload.phase === "paused" ? (
        <Button look="main" onClick={resume}>
          Go on
        </Button>
      ) : (
        <Button onClick={pause}>Pause</Button>
      )}
      <Button look="quiet" onClick={() => setAsking(true)}>
        Give up
      </Button>
      {asking ? (
        <Confirm
          title="Give this upload up?"
          verb="Give up"
          onConfirm={() => end.mutate()}
          onClose={() => setAsking(false)}
        >
          <p>What has arrived is thrown away, and the submission is cancelled.</p>
        </Confirm>
      ) : null}
    </Row>
  );
}
