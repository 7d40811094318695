import { type ReactNode, useId } from "react";
import styles from "./details.module.css";

/** A table in the details of a row; scrolls sideways by itself, under a title that stays. */
export function DetailTable({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const id = useId();
  return (
    <section className={styles.scroll} tabIndex={0} aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      <table aria-labelledby={id}>{children}</table>
    </section>
  );
}
