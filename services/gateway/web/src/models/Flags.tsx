import { Flag, flagMeaning } from "../components/Flag";
import styles from "./models.module.css";

/** The flags of these numbers, each with what it means. */
export function Flags({ flags }: { readonly flags: readonly string[] }) {
  if (!flags.length) return null;
  return (
    <dl className={styles.meanings} aria-label="Flags of these numbers">
      {flags.map((flag) => (
        <div key={flag}>
          <dt>
            <Flag name={flag} />
          </dt>
          <dd>{flagMeaning(flag)}</dd>
        </div>
      ))}
    </dl>
  );
}
