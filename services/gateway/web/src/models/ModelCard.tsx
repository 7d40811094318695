import type { ReactNode } from "react";
import { Link } from "wouter";
import { useTasks } from "../api/tasks";
import { places } from "../app/places";
import { Card, Facts } from "../components/Card";
import { moment, number } from "../format/numbers";
import styles from "./models.module.css";
import type { Model } from "./useModel";

const TEXTS = [
  ["intended_use", "Intended use"],
  ["limitations", "Limitations"],
  ["ethics", "Ethical considerations"],
  ["training_data", "Training data"],
  ["citation", "Citation"],
] as const;

/** The author's own words, as plain text: nothing in them is read as markup. */
export function ModelCard({ model }: { readonly model: Model }) {
  const card = model.card ?? {};
  const texts = TEXTS.flatMap(([field, title]) => {
    const text = card[field];
    return typeof text === "string" && text ? [{ title, text }] : [];
  });
  return (
    <Card title="Model card">
      <Facts facts={useFacts(model)} />
      {texts.length ? (
        <div className={styles.texts}>
          {texts.map(({ title, text }) => (
            <section key={title}>
              <h3>{title}</h3>
              <p>{text}</p>
            </section>
          ))}
        </div>
      ) : null}
    </Card>
  );
}

function useFacts(model: Model): [string, ReactNode][] {
  const tasks = useTasks();
  const task = tasks.data?.find(({ name }) => name === model.task)?.title ?? model.task;
  const { licence, languages, parameters, source_url } = model.card ?? {};
  const facts: [string, ReactNode][] = [
    ["Task", <Link href={places.board(model.task)}>{task}</Link>],
    ["By", model.owner ?? "somebody who does not say"],
    ["Since", moment(model.created_at)],
  ];
  if (typeof licence === "string") facts.push(["Licence", licence]);
  if (Array.isArray(languages)) facts.push(["Languages", languages.join(", ")]);
  if (typeof parameters === "number") facts.push(["Parameters", number(parameters, 0)]);
  if (typeof source_url === "string") facts.push(["Source", <Source url={source_url} />]);
  return facts;
}

/** A link only to where the web is: an address of another kind is shown as it is, and not followed. */
function Source({ url }: { readonly url: string }) {
  if (!/^https?:\/\//i.test(url)) return url;
  return (
    <a href={url} rel="noreferrer noopener nofollow" target="_blank">
      {url.replace(/^https?:\/\//i, "")}
    </a>
  );
}
