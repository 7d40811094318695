import { useEffect } from "react";
import { useLocation } from "wouter";
import { atLeast } from "../account/roles";
import { SignIn } from "../account/SignIn";
import { useKey } from "../api/session";
import { useWhoAmI } from "../api/tasks";
import { places } from "../app/places";
import { Beside } from "../components/Card";
import { Notice, Skeleton } from "../components/Notice";
import { Page } from "../components/Page";
import { Announce } from "./Announce";
import { Contents } from "./Contents";
import { close, useUpload } from "./uploading";
import { Uploading } from "./Uploading";

/** Hands in a model: choose an archive, say what it is, and follow it on its way. */
export default function SubmitPage() {
  return (
    <Page
      title="Submit a model"
      lead="You hand in a folder as one archive; the platform runs it. Nobody but you sees its files."
    >
      <Beside aside={<Contents />}>
        <Way />
      </Beside>
    </Page>
  );
}

function Way() {
  const secret = useKey();
  const who = useWhoAmI();
  const upload = useUpload();
  useFollow();
  if (upload) return <Uploading upload={upload} />;
  if (secret && who.isPending) return <Skeleton height="22rem" />;
  if (!who.data) return <SignIn reason="A model has an owner, so the platform must know who hands it in." />;
  if (atLeast(who.data.role, "submitter")) return <Announce />;
  return (
    <Notice kind="caution">
      <p>Your key is a reader’s. Ask your administrator for one that may hand in models.</p>
    </Notice>
  );
}

/** Once all has arrived, there is more to see on the submission's own page. */
function useFollow(): void {
  const upload = useUpload();
  const [, go] = useLocation();
  const submission = upload?.phase === "done" ? upload.submission : null;
  useEffect(() => {
    if (!submission) return;
    go(places.submission(submission));
    close();
  }, [submission, go]);
}
