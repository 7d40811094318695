import { useState } from "react";
import type { Shapes } from "../api/client";
import { Beside, Card } from "../components/Card";
import { AnswerOf } from "./AnswerOf";
import type { Example, Speaker } from "./examples";
import { Past } from "./Past";
import { Pickers } from "./Pickers";
import styles from "./talk.module.css";
import { TalkForm } from "./TalkForm";
import { useTypedText } from "./useTypedText";
import { Variants } from "./Variants";

interface Props {
  readonly task: Shapes["TaskView"];
  readonly speakers: readonly Speaker[];
  readonly chosen: readonly Speaker[];
  readonly onChoose: (models: readonly string[]) => void;
}

/** The text, the models, their answers, and what was asked before in this visit. */
export function Conversation({ task, speakers, chosen, onChoose }: Props) {
  const [asked, setAsked] = useState<readonly Example[]>([]);
  const question = asked.at(-1);
  const [text, setText] = useTypedText(task.inputs, question, chosen.map(({ model }) => model).join());
  const ask = (example: Example) => setAsked([...asked.filter((one) => !alike(one, example)), example]);
  const again = (example: Example) => {
    setText(example);
    ask(example);
  };
  return (
    <>
      <Beside
        aside={
          <div className={styles.answers} aria-live="polite">
            {question ? (
              chosen.map((speaker) => (
                <AnswerOf
                  key={`${speaker.submission} ${asked.length}`}
                  task={task}
                  speaker={speaker}
                  example={question}
                />
              ))
            ) : (
              <p className={styles.waiting}>The answer will stand here.</p>
            )}
          </div>
        }
      >
        <Card>
          <Pickers speakers={speakers} chosen={chosen} onChoose={onChoose} />
          <TalkForm task={task} text={text} onText={setText} onAsk={ask} />
        </Card>
      </Beside>
      {question ? <Variants key={JSON.stringify(question)} task={task} speakers={chosen} example={question} /> : null}
      <Past asked={asked} task={task} onAgain={again} />
    </>
  );
}

function alike(one: Example, other: Example): boolean {
  const fields = Object.keys(one);
  return fields.length === Object.keys(other).length && fields.every((field) => one[field] === other[field]);
}
