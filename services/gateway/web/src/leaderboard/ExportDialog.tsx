import { Copy } from "../components/Copy";
import { Dialog } from "../components/Dialog";
import { boardQuery, type Choices } from "./choices";
import styles from "./leaderboard.module.css";

const FORMATS: readonly (readonly [string, string, string])[] = [
  ["csv", "CSV", "for spreadsheets and data frames"],
  ["json", "JSON", "everything that made the numbers"],
  ["tex", "LaTeX", "a booktabs table"],
  ["md", "Markdown", "a table for issues and READMEs"],
];

interface Props {
  readonly task: string;
  readonly choices: Choices;
  readonly onClose: () => void;
}

/** The board as a file, under the weights that are shown. */
export function ExportDialog({ task, choices, onClose }: Props) {
  const query = boardQuery(choices).toString();
  return (
    <Dialog title="Export" onClose={onClose}>
      <p>Each file holds every model with its intervals, under the weights you see.</p>
      <ul className={styles.files}>
        {FORMATS.map(([extension, name, what]) => (
          <li key={extension}>
            <a
              href={`/api/v1/leaderboards/${encodeURIComponent(task)}.${extension}${query ? `?${query}` : ""}`}
              download={`${task}.${extension}`}
            >
              {name}
            </a>
            <small>{what}</small>
          </li>
        ))}
      </ul>
      <p className="soft">To share the live board under these weights, send its address.</p>
      <div>
        <Copy text={location.href} what="the address of this page" />
      </div>
    </Dialog>
  );
}
