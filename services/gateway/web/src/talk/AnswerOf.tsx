import { useEffect, useState } from "react";
import { Link } from "wouter";
import { Problem, type Shapes } from "../api/client";
import { places } from "../app/places";
import { Button } from "../components/Button";
import { ProblemNotice } from "../components/Notice";
import { type Answer, readAnswer, tookWords } from "./answer";
import { useAnswers } from "./asking";
import type { Example, Speaker } from "./examples";
import { Probabilities } from "./Probabilities";
import { Span } from "./Span";
import styles from "./talk.module.css";
import { Tokens } from "./Tokens";

interface Props {
  readonly task: Shapes["TaskView"];
  readonly speaker: Speaker;
  readonly example: Example;
}

/** One model's answer to what was asked. */
export function AnswerOf({ task, speaker, example }: Props) {
  const asked = useAnswers(task, speaker, [example]);
  return (
    <article className={`sheet ${styles.answer}`} aria-label={`Answer of ${speaker.name}`} aria-busy={asked.isFetching}>
      <header>
        <h2>
          <Link href={places.model(speaker.model)}>{speaker.name}</Link>
        </h2>
        <small>{asked.data && !asked.isFetching ? tookWords(asked.data) : null}</small>
      </header>
      {asked.isFetching ? (
        <Thinking />
      ) : asked.error ? (
        <Refused problem={asked.error} again={() => void asked.refetch()} />
      ) : asked.data ? (
        <Said task={task} example={example} answer={readAnswer(task, asked.data.answers[0] ?? {})} />
      ) : null}
    </article>
  );
}

function Said({ task, example, answer }: { task: Shapes["TaskView"]; example: Example; answer: Answer }) {
  if (task.answer_kind === "token-labels") return <Tokens text={example[task.answer_of] ?? ""} answer={answer} />;
  return (
    <>
      <p className={styles.value}>{answer.value || <span className="soft">no answer</span>}</p>
      {task.labels.length ? <Probabilities labels={task.labels} answer={answer} /> : null}
      {task.answer_kind === "span" ? <Span context={example[task.answer_of] ?? ""} answer={answer} /> : null}
    </>
  );
}

/** Says after a moment why it takes so long: a model that nobody has asked for a while is started first. */
function Thinking() {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const started = Date.now();
    const timer = setInterval(() => setSeconds(Math.floor((Date.now() - started) / 1000)), 1000);
    return () => clearInterval(timer);
  }, []);
  return (
    <p role="status" className="soft">
      {seconds < 2 ? "Asking …" : "Starting the model: its first answer can take tens of seconds."}{" "}
      <span aria-hidden="true">{seconds >= 2 ? `${seconds} s` : null}</span>
    </p>
  );
}

function Refused({ problem, again }: { problem: Error; again: () => void }) {
  const passes =
    problem instanceof Problem && (problem.status === 503 || problem.status === 429 || problem.status === 0);
  return (
    <ProblemNotice problem={problem}>
      <div>
        <Button onClick={again}>{passes ? "Ask again" : "Try again"}</Button>
      </div>
    </ProblemNotice>
  );
}
