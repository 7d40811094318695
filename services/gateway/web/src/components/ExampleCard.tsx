import type { ReactNode } from "react";
import styles from "./example-card.module.css";
import { isRight } from "./isRight";

interface Props {
  readonly title?: string;
  readonly inputs: Readonly<Record<string, string | readonly string[]>>;
  /** Whose answers, and what they are; empty: none was given. */
  readonly answers: readonly (readonly [name: string, answer: string])[];
  /** Any of these is right; nothing where that is not shown. */
  readonly label: readonly string[] | null | undefined;
  readonly tags?: readonly string[] | null | undefined;
}

// Longer ones may scroll in their box, so the keyboard must reach them.
const LONG = 400;

/** An example with answers to it, and what is right where that is released. */
export function ExampleCard({ title, inputs, answers, label, tags }: Props) {
  return (
    <article className={`sheet ${styles.example}`}>
      {title ? (
        <header>
          <h2>{title}</h2>
          {tags?.length ? <small>{tags.join(", ")}</small> : null}
        </header>
      ) : null}
      {Object.entries(inputs).map(([field, value]) => (
        <Input key={field} field={field} text={typeof value === "string" ? value : value.join(" ")} />
      ))}
      <dl>
        {answers.map(([name, answer]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {answer || "no answer"}
              {label?.length ? <Mark right={isRight(answer, label)} /> : null}
            </dd>
          </div>
        ))}
        {label?.length ? (
          <div>
            <dt>What is right</dt>
            <dd>{[...new Set(label)].join(" or ")}</dd>
          </div>
        ) : null}
      </dl>
    </article>
  );
}

function Input({ field, text }: { readonly field: string; readonly text: string }) {
  return (
    <div className={styles.input}>
      <small>{field}</small>
      <p tabIndex={text.length > LONG ? 0 : undefined}>{text}</p>
    </div>
  );
}

function Mark({ right }: { readonly right: boolean }) {
  return <span className={right ? styles.right : styles.wrong}>{right ? "right" : "wrong"}</span>;
}

/** Cards beside one another where there is room. */
export function ExampleCards({ children }: { readonly children: ReactNode }) {
  return <div className={styles.examples}>{children}</div>;
}
