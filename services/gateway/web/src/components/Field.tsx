import { type ReactNode, useId } from "react";
import styles from "./controls.module.css";

interface Props {
  readonly label: string;
  readonly hint?: ReactNode;
  /** Gets the ids that tie the control to its label and hint. */
  readonly children: (ids: { id: string; "aria-describedby"?: string }) => ReactNode;
}

/** A control with its label above and what it wants below. */
export function Field({ label, hint, children }: Props) {
  const id = useId();
  const described = hint ? { "aria-describedby": `${id}-hint` } : {};
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {children({ id, ...described })}
      {hint ? <small id={`${id}-hint`}>{hint}</small> : null}
    </div>
  );
}
