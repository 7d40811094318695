import type { ReactNode } from "react";
import { useTitle } from "../app/title";
import styles from "./page.module.css";

interface Props {
  readonly title: string;
  /** A line under the title: what this page is about. */
  readonly lead?: ReactNode;
  /** Buttons at the right of the title. */
  readonly actions?: ReactNode;
  /** Tabs, under the lead. */
  readonly tabs?: ReactNode;
  readonly children: ReactNode;
}

/** One page: its title, what it is about, what can be done, and its parts one under the other. */
export function Page({ title, lead, actions, tabs, children }: Props) {
  useTitle(title);
  return (
    <main id="main" className={styles.page} tabIndex={-1}>
      <header className={styles.head}>
        <div className={styles.words}>
          <h1>{title}</h1>
          {lead ? <p className={styles.lead}>{lead}</p> : null}
        </div>
        {actions ? <div className="buttons">{actions}</div> : null}
      </header>
      {tabs}
      {children}
    </main>
  );
}

/** A part of a page with a heading. */
export function Part({
  title,
  aside,
  children,
}: {
  readonly title: string;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <section className="stack">
      <header className={styles.partHead}>
        <h2>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  );
}

/** A box that scrolls sideways by itself when its table is wider than the screen. */
export function Wide({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <section className={`sheet ${styles.wide}`} tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}
