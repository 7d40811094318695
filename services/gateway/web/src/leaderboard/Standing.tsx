import { moment } from "../format/numbers";
import styles from "./leaderboard.module.css";
import type { Shown } from "./useBoard";

interface Props {
  readonly shown: Shown;
  readonly found: number;
  readonly search: string;
  readonly onSearch: (text: string) => void;
  readonly fresh: ReadonlySet<string>;
  readonly lost: boolean;
  readonly isLive: boolean;
}

/** Above the table: how many models, how sure the numbers are, a search, and who has just come. */
export function Standing({ shown, found, search, onSearch, fresh, lost, isLive }: Props) {
  const { view, ranked } = shown;
  const came = ranked.rows.filter(({ row }) => fresh.has(row.model_id));
  return (
    <header className={styles.standing}>
      <div>
        <p className={styles.count}>
          {search ? `${found} of ${view.total} models` : models(view.total)} on{" "}
          {datasets(Object.keys(view.dataset_weights).length)}
          {view.tag ? `, examples tagged “${view.tag}” only` : ""}
        </p>
        <p className={styles.state} role="status">
          {came.length > 0 ? `New: ${came.map(({ row, rank }) => newcomer(row.name, rank)).join("; ")}. ` : ""}
          {lost ? "Live updates are interrupted; trying again. " : ""}
          {sureness(shown, isLive)}
        </p>
      </div>
      <input
        type="search"
        aria-label="Search models"
        placeholder="Search models, owners, marks"
        value={search}
        onChange={(event) => onSearch(event.target.value)}
      />
    </header>
  );
}

function sureness({ view, ranked, sure }: Shown, isLive: boolean): string {
  const first = ranked.rows[0];
  const leader = first?.rank ? `${first.row.name} is first` : "Nobody can be ranked yet";
  if (isLive && !sure) return `${leader}; intervals and ties for these weights are being worked out …`;
  if (!sure) return `${leader}; intervals and ties are shown for the frozen weights only.`;
  return `${leader}; intervals hold with ${percentOf(view.uncertainty?.confidence)} confidence, ${moment(view.generated_at)}.`;
}

function percentOf(confidence: number | undefined): string {
  return `${Math.round((confidence ?? 0.95) * 100)} %`;
}

function newcomer(name: string, rank: number | null): string {
  return rank ? `${name} at rank ${rank}` : `${name}, not ranked yet`;
}

function models(count: number): string {
  return count === 1 ? "1 model" : `${count.toLocaleString("en")} models`;
}

function datasets(count: number): string {
  return count === 1 ? "1 scoring dataset" : `${count} scoring datasets`;
}
