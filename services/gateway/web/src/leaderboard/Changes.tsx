import { useQuery } from "@tanstack/react-query";
import { answered, api, type Shapes } from "../api/client";
import { useKey } from "../api/session";
import { Loaded } from "../components/Loaded";
import { Part } from "../components/Page";
import { boardQuery, type Choices } from "./choices";
import styles from "./leaderboard.module.css";
import type { Change } from "./useChoices";

type Difference = Shapes["BoardDifference"];

const SPANS: Readonly<Record<string, string>> = {
  "": "Choose a time",
  "1h": "an hour ago",
  "1d": "yesterday",
  "7d": "a week ago",
  "30d": "30 days ago",
  "365d": "a year ago",
};
const HOUR_MS = 3_600_000;

interface Props {
  readonly task: string;
  readonly choices: Choices;
  readonly change: Change;
}

/** What changed the board since a time, model by model, in words. */
export function Changes({ task, choices, change }: Props) {
  const key = useKey();
  const query = boardQuery(choices);
  const difference = useQuery({
    queryKey: ["difference", task, choices.since, key, query.toString()],
    queryFn: () => {
      query.delete("as_of");
      const from = { from: startOf(choices.since) } as const;
      const asked = { ...Object.fromEntries(query), ...from, limit: 1000 };
      const params = { path: { task: task as "sentiment" }, query: asked as typeof asked & Record<string, never> };
      return answered<unknown>(api.GET("/api/v1/leaderboards/{task}/difference", { params }));
    },
    enabled: choices.since !== "",
    staleTime: 30_000,
  });
  return (
    <Part
      title="What changed since"
      aside={
        <select aria-label="Since" value={choices.since} onChange={(event) => change({ since: event.target.value })}>
          {Object.entries(SPANS).map(([since, words]) => (
            <option key={since} value={since}>
              {words}
            </option>
          ))}
        </select>
      }
    >
      {choices.since ? (
        <Loaded query={difference} height="8rem">
          {(found) => <Told found={found as Difference} />}
        </Loaded>
      ) : (
        <p className="soft">Choose a time, and every change of a score since then is told with its causes.</p>
      )}
    </Part>
  );
}

function Told({ found }: { readonly found: Difference }) {
  const moved = found.models.filter((model) => model.before !== model.after || model.rank_before !== model.rank_after);
  const joined = found.joined.length ? [`${listed(found.joined)} joined the ranking.`] : [];
  const left = found.left.length ? [`${listed(found.left)} left the ranking.`] : [];
  const said = [...joined, ...left, ...found.datasets.map(sentence), ...moved.map((model) => model.words)];
  if (!said.length) return <p>Nothing: all {found.models.length} models stand as they stood then.</p>;
  const still = found.models.length - moved.length;
  return (
    <ul className={styles.words} aria-live="polite">
      {said.map((words) => (
        <li key={words}>{words}</li>
      ))}
      {still > 0 ? <li>{still === 1 ? "One other model stands" : `${still} other models stand`} as before.</li> : null}
    </ul>
  );
}

function startOf(since: string): string {
  const count = Number.parseInt(since, 10) || 1;
  const hours = since.endsWith("h") ? count : count * 24;
  return new Date(Date.now() - hours * HOUR_MS).toISOString();
}

const NAMES = new Intl.ListFormat("en");
const MOST = 12;

function listed(names: readonly string[]): string {
  const more = names.length - MOST;
  return NAMES.format(more > 0 ? [...names.slice(0, MOST), `${more} more`] : names);
}

function sentence(words: string): string {
  return words.endsWith(".") ? words : `${words}.`;
}
