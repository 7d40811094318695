import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { answered, api, Problem, type Shapes } from "../api/client";
import { Copy } from "../components/Copy";
import { Loaded } from "../components/Loaded";
import { Part } from "../components/Page";
import { hasEnded } from "./status";
import styles from "./submission.module.css";

/** What the model printed in its last run; for its owner. */
export function Log({ submission }: { readonly submission: Shapes["SubmissionView"] }) {
  const log = useLog(submission);
  return (
    <Part title="What the model printed" aside={log.data ? <Copy text={log.data} what="the log" /> : null}>
      <Loaded query={log} height="6rem">
        {(text) => <Printed text={text} />}
      </Loaded>
    </Part>
  );
}

function Printed({ text }: { readonly text: string }) {
  const box = useRef<HTMLPreElement>(null);
  // What went wrong stands at the end.
  useEffect(() => {
    box.current?.scrollTo(0, box.current.scrollHeight);
  }, [text]);
  if (!text.trim()) return <p className="soft">Nothing yet: it is stored when the model has stopped.</p>;
  return (
    <pre ref={box} tabIndex={0} role="region" aria-label="Log" className={styles.log}>
      {text}
    </pre>
  );
}

function useLog({ id, status }: Shapes["SubmissionView"]) {
  return useQuery({
    queryKey: ["submission", id, "log", hasEnded(status)],
    queryFn: async () => {
      const asked = api.GET("/api/v1/submissions/{submission_id}/log", {
        params: { path: { submission_id: id } },
        parseAs: "text",
      });
      return answered(asked).catch((problem: unknown) => {
        if (problem instanceof Problem && problem.status === 404) return "";
        throw problem;
      });
    },
  });
}
