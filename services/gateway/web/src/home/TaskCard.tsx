import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { answered, api } from "../api/client";
import { places } from "../app/places";
import { Flag } from "../components/Flag";
import { Loaded } from "../components/Loaded";
import { number } from "../format/numbers";
import { ContributionBar } from "../leaderboard/ContributionBar";
import { rankedThere } from "../leaderboard/ranked";
import { fetchBoard } from "../leaderboard/useBoard";
import styles from "./home.module.css";

const SHOWN = 5;

/** The top of a task's board. */
export function TaskCard({ task, title }: { readonly task: string; readonly title: string }) {
  const board = useQuery({
    queryKey: ["board", { task }, "top"],
    queryFn: ({ signal }) => {
      const query = new URLSearchParams({ detail: "ranking", limit: String(SHOWN) });
      return fetchBoard({ task }, query, signal);
    },
    staleTime: 30_000,
  });
  const datasets = board.data ? Object.keys(board.data.dataset_weights).length : 0;
  return (
    <article className={`sheet ${styles.card}`} aria-label={title}>
      <header>
        <h2>
          <Link href={places.board(task)}>{title}</Link>
        </h2>
        <p className="soft">
          {board.data ? `${counted(board.data.total, "model")} · ${counted(datasets, "dataset")}` : " "}
        </p>
      </header>
      <Loaded query={board} height="9.6rem">
        {(view) => <Top view={rankedThere(view)} task={task} />}
      </Loaded>
      <Newest task={task} />
    </article>
  );
}

function Top({ view, task }: { readonly view: ReturnType<typeof rankedThere>; readonly task: string }) {
  if (view.rows.length === 0) {
    return (
      <p className={styles.nobody}>
        No model yet. <Link href={places.submit()}>Yours would be the first.</Link>
      </p>
    );
  }
  return (
    <ol className={styles.top}>
      {view.rows.map(({ row, rank, score, parts }) => (
        <li key={row.model_id}>
          <span className={styles.rank}>{rank ?? "–"}</span>
          <span className={styles.model}>
            <Link className="name" href={places.model(row.model_id)}>
              {row.name}
            </Link>
            {row.baseline ? <Flag name="baseline" /> : null}
            {row.flags.includes("unverified") ? <Flag name="unverified" /> : null}
          </span>
          <span className={styles.bar}>
            <ContributionBar metrics={view.metrics} parts={parts} span={view.span} />
          </span>
          <span className={styles.score}>{score === null ? "–" : number(score, 2)}</span>
        </li>
      ))}
      {view.rows.length < SHOWN ? null : (
        <li className={styles.all}>
          <Link href={places.board(task)}>The whole board</Link>
        </li>
      )}
    </ol>
  );
}

/** When the board last gained a model. */
function Newest({ task }: { readonly task: string }) {
  const newest = useQuery({
    queryKey: ["newest", task],
    queryFn: () => answered(api.GET("/api/v1/models", { params: { query: { task: task as "sentiment", limit: 1 } } })),
    staleTime: 30_000,
  });
  const [model] = newest.data ?? [];
  const at = model?.versions.at(-1)?.finished_at ?? model?.created_at;
  return (
    <p className={`soft ${styles.newest}`}>
      {model && at ? `Newest: ${model.name}, ${new Date(at).toLocaleDateString("en", { dateStyle: "medium" })}` : " "}
    </p>
  );
}

function counted(count: number, noun: string): string {
  return `${number(count, 0)} ${noun}${count === 1 ? "" : "s"}`;
}
