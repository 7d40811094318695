import type { Shapes } from "../api/client";
import { Part } from "../components/Page";
import { moment } from "../format/numbers";
import { changes, PAPER } from "./draft";
import styles from "./tasks.module.css";

/** Every version of the settings, newest first, and what each changed. */
export function History({ versions }: { readonly versions: readonly Shapes["SettingsVersion"][] }) {
  return (
    <Part title="History of the settings">
      <ol className={styles.history} reversed>
        {versions.map(({ version, settings, created_by, created_at }, index) => {
          const before = versions[index + 1]?.settings ?? PAPER;
          return (
            <li key={version}>
              <span className={styles.version}>v{version}</span>
              <span>{changes(before, settings).join("; ") || "back to the paper’s defaults"}</span>
              <small>
                {created_by}, {created_at ? moment(created_at) : ""}
              </small>
            </li>
          );
        })}
      </ol>
    </Part>
  );
}
