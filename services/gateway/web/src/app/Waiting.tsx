import { Skeleton } from "../components/Notice";
import styles from "../components/page.module.css";

/** Holds the place of a page whose code is on its way. */
export function Waiting() {
  return (
    <main id="main" className={styles.page}>
      <Skeleton height="3rem" />
      <Skeleton height="24rem" />
    </main>
  );
}
