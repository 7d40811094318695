import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useSearchParams } from "wouter";
import type { Shapes } from "../api/client";
import { useTasks } from "../api/tasks";
import { Button } from "../components/Button";
import { Field } from "../components/Field";
import { Choice, Choices, Form } from "../components/Form";
import { ProblemNotice } from "../components/Notice";
import { type Look, nameProblem } from "./archive";
import styles from "./submit.module.css";
import { begin } from "./uploading";

interface Props {
  readonly file: File;
  readonly look: Look;
}

/** What the archive is, prefilled from its dynaboard.yaml; then it is sent. */
export function MetaForm({ file, look }: Props) {
  const tasks = useTasks();
  const [search] = useSearchParams();
  const [task, setTask] = useState(look.task ?? search.get("task") ?? "");
  const [name, setName] = useState(look.name ?? file.name.replace(/\.(zip|mar)$/i, "").toLowerCase());
  const [publish, setPublish] = useState(false);
  const [anonymous, setAnonymous] = useState(false);
  const send = useMutation({ mutationFn: (announced: Shapes["SubmissionCreate"]) => begin(file, announced) });
  const wrong = nameProblem(name);
  const mismatch =
    look.task && task && look.task !== task ? `dynaboard.yaml says ${look.task}; choose that, or change it there.` : "";
  const ready = Boolean(task) && !wrong && !mismatch && !send.isPending;
  return (
    <Form label="What it is" onSubmit={() => ready && send.mutate({ task, name, size: file.size, publish, anonymous })}>
      <div className={styles.pair}>
        <Field label="Task" hint={mismatch || (look.task ? "as dynaboard.yaml says" : "")}>
          {(ids) => (
            <select
              {...ids}
              value={task}
              aria-invalid={mismatch ? true : undefined}
              onChange={(e) => setTask(e.target.value)}
            >
              <option value="" disabled>
                Choose …
              </option>
              {(tasks.data ?? []).map((one) => (
                <option key={one.name} value={one.name}>
                  {one.title}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label="Model’s name" hint={wrong || "of the same name as before: its next version"}>
          {(ids) => (
            <input
              {...ids}
              value={name}
              spellCheck={false}
              aria-invalid={wrong ? true : undefined}
              onChange={(e) => setName(e.target.value)}
            />
          )}
        </Field>
      </div>
      <Visibility publish={publish} anonymous={anonymous} onPublish={setPublish} onAnonymous={setAnonymous} />
      {send.error ? <ProblemNotice problem={send.error} /> : null}
      <div>
        <Button look="main" type="submit" disabled={!ready}>
          Submit
        </Button>
      </div>
    </Form>
  );
}

interface VisibilityProps {
  readonly publish: boolean;
  readonly anonymous: boolean;
  readonly onPublish: (publish: boolean) => void;
  readonly onAnonymous: (anonymous: boolean) => void;
}

function Visibility({ publish, anonymous, onPublish, onAnonymous }: VisibilityProps) {
  return (
    <Choices legend="Who sees it">
      <Choice
        kind="checkbox"
        name="publish"
        label="Publish as soon as it is ranked"
        hint="Everybody sees its results and may ask it questions. You can withdraw it at any time."
        checked={publish}
        onChange={onPublish}
      />
      <Choice
        kind="checkbox"
        name="anonymous"
        label="Hide my name"
        hint="For models under review: only you and administrators see whose it is."
        checked={anonymous}
        onChange={onAnonymous}
      />
    </Choices>
  );
}
