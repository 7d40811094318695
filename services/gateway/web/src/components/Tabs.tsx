import { Link, useLocation } from "wouter";
import styles from "./controls.module.css";

interface Props {
  readonly label: string;
  readonly tabs: readonly { readonly title: string; readonly to: string }[];
}

/** The parts of one subject, each at an address of its own. */
export function Tabs({ label, tabs }: Props) {
  const [here] = useLocation();
  return (
    <nav aria-label={label} className={styles.tabs}>
      {tabs.map(({ title, to }) => (
        <Link key={to} href={to} className={styles.tab} aria-current={here === to.split("?")[0] ? "page" : undefined}>
          {title}
        </Link>
      ))}
    </nav>
  );
}
