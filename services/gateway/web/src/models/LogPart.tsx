import { Problem } from "../api/client";
import { Button } from "../components/Button";
import { Copy } from "../components/Copy";
import { Loaded } from "../components/Loaded";
import { Part } from "../components/Page";
import { save } from "../components/save";
import styles from "./models.module.css";
import { type Submission, useLog } from "./useModel";

/** What the model printed; shown to its owner and administrators only, and given to nobody else by the server. */
export function LogPart({ submission }: { readonly submission: Submission }) {
  const log = useLog(submission.id);
  const missing = log.error instanceof Problem && log.error.status === 404;
  return (
    <Part title="Log" aside={<small>Seen by you and administrators only.</small>}>
      {missing ? (
        <p className="soft">{log.error?.message}</p>
      ) : (
        <Loaded query={log} height="8rem">
          {(text) => <Text text={String(text)} name={`${submission.name}-v${submission.version}.log`} />}
        </Loaded>
      )}
    </Part>
  );
}

function Text({ text, name }: { readonly text: string; readonly name: string }) {
  return (
    <>
      <pre className={styles.log} tabIndex={0} aria-label="Log of the last run">
        {text || "The model printed nothing."}
      </pre>
      <div className="buttons">
        <Copy text={text} what="the log" />
        <Button onClick={() => save(new Blob([text], { type: "text/plain" }), name)}>Download</Button>
      </div>
    </>
  );
}
