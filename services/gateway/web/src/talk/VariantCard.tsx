import { Edited } from "../components/Edited";
import { percent } from "../format/numbers";
import { agree, type Pieces } from "./agreement";
import { type Answer, readAnswer } from "./answer";
import { useAnswers } from "./asking";
import { type Example, perturbed, type Speaker, type Task, type Variant } from "./examples";
import styles from "./talk.module.css";

interface Props {
  readonly title: string;
  /** All variants are asked at once, so that each further one is there when it is clicked; this card shows one. */
  readonly variants: readonly Variant[];
  readonly at: number;
  readonly task: Task;
  readonly speakers: readonly Speaker[];
  readonly example: Example;
}

// As many examples as a question may have.
const MOST = 32;
// Beyond this many characters only what is near an edit is shown.
const LONG = 280;

/** A variant with its edits marked, and each model's answer to it beside whether that is the answer to the original. */
export function VariantCard({ title, variants, at, task, speakers, example }: Props) {
  const variant = variants[at]!;
  return (
    <article className={styles.variant} aria-label={title}>
      <h4>{title}</h4>
      {Object.entries(variant.fields).map(([field, pieces]) => (
        <p key={field}>
          {task.inputs.length > 1 ? <small>{field} </small> : null}
          <Edited pieces={pieces} short={(example[field]?.length ?? 0) > LONG} />
        </p>
      ))}
      <ul>
        {speakers.map((speaker) => (
          <li key={speaker.submission}>
            <Verdict speaker={speaker} named={speakers.length > 1} {...{ variants, at, task, example }} />
          </li>
        ))}
      </ul>
    </article>
  );
}

function Verdict({
  speaker,
  named,
  variants,
  at,
  task,
  example,
}: Omit<Props, "title" | "speakers"> & { speaker: Speaker; named: boolean }) {
  const page = Math.floor(at / MOST);
  const asked = variants.slice(page * MOST, (page + 1) * MOST).map((variant) => perturbed(example, variant));
  const before = useAnswers(task, speaker, [example]);
  const after = useAnswers(task, speaker, before.data ? asked : []);
  const name = named ? <span className={styles.who}>{speaker.name}</span> : null;
  const problem = before.error ?? after.error;
  if (problem)
    return (
      <>
        {name} <span className={styles.changed}>{problem.message}</span>
      </>
    );
  if (!before.data || !after.data)
    return (
      <>
        {name} <span className="soft">Asking …</span>
      </>
    );
  const original = readAnswer(task, before.data.answers[0] ?? {});
  const answer = readAnswer(task, after.data.answers[at - page * MOST] ?? {});
  const stays = agree(original.value, answer.value, piecesOf(task, variants[at]!, example));
  return (
    <>
      {name}
      <strong>{answer.value || "no answer"}</strong> <span className="soft">{sureness(original, answer)}</span>
      <span className={stays ? styles.stays : styles.changed}>
        {stays ? "stays" : `was ${original.value || "no answer"}`}
      </span>
    </>
  );
}

/** What an answer is a piece of, as the variant has it; nothing of free text, and no pieces where labels are compared. */
function piecesOf({ answer_kind, answer_of }: Task, variant: Variant, example: Example): Pieces | undefined {
  if (answer_kind === "text") return [];
  const text = example[answer_of] ?? "";
  const unchanged = [{ original: text, variant: text, edited: false }];
  return answer_kind === "span" ? (variant.fields[answer_of] ?? unchanged) : undefined;
}

/** How sure the model is of its label now, and was of the same label before. */
function sureness(original: Answer, answer: Answer): string {
  const now = answer.prob?.[answer.value];
  const before = original.prob?.[answer.value];
  return now === undefined || before === undefined ? "" : `${percent(now)}, before ${percent(before)}`;
}
