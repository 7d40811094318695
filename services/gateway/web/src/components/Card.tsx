import type { ReactNode } from "react";
import styles from "./card.module.css";

/** A surface that holds together what belongs together. */
export function Card({ title, children }: { readonly title?: string; readonly children: ReactNode }) {
  return (
    <section className={`sheet ${styles.card}`}>
      {title ? <h2>{title}</h2> : null}
      {children}
    </section>
  );
}

/** What one came for, and beside it (below it, on a phone) what helps. */
export function Beside({ aside, children }: { readonly aside: ReactNode; readonly children: ReactNode }) {
  return (
    <div className={styles.beside}>
      <div className={styles.column}>{children}</div>
      <div className={styles.column}>{aside}</div>
    </div>
  );
}

/** Terms and what stands for each. */
export function Facts({ facts }: { readonly facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(([term, value]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
