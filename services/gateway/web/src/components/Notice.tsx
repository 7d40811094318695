import type { ReactNode } from "react";
import styles from "./notices.module.css";

interface Props {
  readonly kind?: "plain" | "caution" | "bad";
  readonly children: ReactNode;
}

/** A sentence that must be read before the numbers beside it. */
export function Notice({ kind = "plain", children }: Props) {
  return (
    <aside className={styles.notice} data-kind={kind}>
      {children}
    </aside>
  );
}

/** Something went wrong: what, and what to do. Said aloud by screen readers. */
export function ProblemNotice({ problem, children }: { readonly problem: unknown; readonly children?: ReactNode }) {
  const sentence = problem instanceof Error ? problem.message : "Something went wrong. Load the page again.";
  return (
    <div role="alert" className={styles.notice} data-kind="bad">
      <p>{sentence}</p>
      {children}
    </div>
  );
}

/** There is nothing yet: why, and what would change that. */
export function Empty({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className={styles.empty}>
      <h2>{title}</h2>
      {children}
    </div>
  );
}

/** Holds the place of what is being fetched, so that nothing moves when it comes. */
export function Skeleton({ height }: { readonly height: string }) {
  return (
    <div role="status" className={styles.skeleton} style={{ minHeight: height }}>
      <span className="visually-hidden">Loading …</span>
    </div>
  );
}
