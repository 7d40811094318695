import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { answered, api } from "../api/client";
import { useKey } from "../api/session";
import { places } from "../app/places";
import { Part } from "../components/Page";
import { moment } from "../format/numbers";
import styles from "./leaderboard.module.css";

/** The named weights of a task, newest first. Nothing where there are none. */
export function Forks({ task }: { readonly task: string }) {
  const key = useKey();
  const forks = useQuery({
    queryKey: ["forks", task, key],
    queryFn: () =>
      answered(api.GET("/api/v1/leaderboards/{task}/forks", { params: { path: { task: task as "sentiment" } } })),
  });
  if (!forks.data?.length) return null;
  return (
    <Part title="Forks: weights with a name">
      <ul className={styles.forks}>
        {forks.data.map((fork) => (
          <li key={fork.id}>
            <Link href={places.fork(fork.id)}>{fork.name}</Link>
            <p>{fork.description}</p>
            <small>
              {weightsInWords(fork.weights, fork.dataset_weights)}. {fork.created_by}, {moment(fork.created_at)}
              {fork.snapshot ? ", over a frozen board" : ""}
            </small>
          </li>
        ))}
      </ul>
    </Part>
  );
}

/** memory 3, throughput 2: only what a fork sets. */
export function weightsInWords(...all: Readonly<Record<string, number>>[]): string {
  const words = all.flatMap((weights) => Object.entries(weights).map(([name, weight]) => `${name} ${weight}`));
  return words.length ? `Weighs ${words.join(", ")}` : "The task’s own weights";
}
