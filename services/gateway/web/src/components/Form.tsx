import { type ReactNode, useId } from "react";
import styles from "./form.module.css";

interface FormProps {
  readonly label: string;
  readonly onSubmit: () => void;
  readonly children: ReactNode;
}

/** Fields one under the other; Enter submits. */
export function Form({ label, onSubmit, children }: FormProps) {
  return (
    <form
      aria-label={label}
      className={`stack ${styles.form}`}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
    </form>
  );
}

interface ChoiceProps {
  readonly kind: "checkbox" | "radio";
  readonly name: string;
  readonly label: string;
  readonly hint?: ReactNode;
  readonly checked: boolean;
  readonly disabled?: boolean;
  readonly onChange: (checked: boolean) => void;
}

/** A box to tick or one of several, with what it means beside it. */
export function Choice({ kind, name, label, hint, checked, disabled = false, onChange }: ChoiceProps) {
  const id = useId();
  return (
    <div className={styles.choice}>
      <input
        id={id}
        type={kind}
        name={name}
        checked={checked}
        disabled={disabled}
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={(event) => onChange(event.target.checked)}
      />
      <label htmlFor={id}>{label}</label>
      {hint ? <small id={`${id}-hint`}>{hint}</small> : null}
    </div>
  );
}

/** Choices that belong together, under one heading. */
export function Choices({ legend, children }: { readonly legend: string; readonly children: ReactNode }) {
  return (
    <fieldset className={styles.choices}>
      <legend>{legend}</legend>
      {children}
    </fieldset>
  );
}

/** Fields or buttons beside one another where there is room. */
export function Row({ children }: { readonly children: ReactNode }) {
  return <div className={styles.row}>{children}</div>;
}
