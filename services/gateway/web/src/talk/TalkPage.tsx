import { useState } from "react";
import { useSearchParams } from "wouter";
import type { Shapes } from "../api/client";
import { useTasks } from "../api/tasks";
import { places } from "../app/places";
import { ButtonLink } from "../components/Button";
import { Loaded } from "../components/Loaded";
import { Empty, Notice } from "../components/Notice";
import { Page } from "../components/Page";
import { Tabs } from "../components/Tabs";
import { NotFoundPage } from "../app/NotFoundPage";
import { useSpeakers } from "./asking";
import type { Speaker } from "./examples";
import { Conversation } from "./Conversation";

/** Asking models of a task about a text of one's own. */
export default function TalkPage({ task }: { readonly task: string }) {
  const tasks = useTasks();
  const found = tasks.data?.find(({ name }) => name === task);
  if (tasks.data && !found) return <NotFoundPage />;
  return (
    <Page
      title="Talk to a model"
      lead="Ask one model or two about a text of yours, and see whether the answer stays when the text is written otherwise."
      actions={<ButtonLink href={places.board(task)}>Leaderboard</ButtonLink>}
      tabs={
        <Tabs label="Tasks" tabs={(tasks.data ?? []).map(({ name, title }) => ({ title, to: places.talk(name) }))} />
      }
    >
      <Loaded query={tasks} height="30rem">
        {() => (found ? <WithModels key={found.name} task={found} /> : null)}
      </Loaded>
    </Page>
  );
}

function WithModels({ task }: { readonly task: Shapes["TaskView"] }) {
  const speakers = useSpeakers(task.name);
  return (
    <>
      <Notice kind={task.warning ? "caution" : "plain"}>
        <p>These are research models: their answers may be wrong, unfair, and sure of themselves all the same.</p>
        {task.warning ? <p>{task.warning}</p> : null}
      </Notice>
      <Loaded query={speakers} height="26rem">
        {(found) =>
          found.length ? (
            <Chosen task={task} speakers={found} />
          ) : (
            <Empty title="Nobody to talk to yet">
              <p>A model answers here as soon as it has been evaluated and published.</p>
            </Empty>
          )
        }
      </Loaded>
    </>
  );
}

/** Which models are asked stands in the address. */
function Chosen({ task, speakers }: { readonly task: Shapes["TaskView"]; readonly speakers: readonly Speaker[] }) {
  const [search, setSearch] = useSearchParams();
  const named = search
    .getAll("model")
    .slice(0, 2)
    .flatMap((id) => speakers.find(({ model }) => model === id) ?? []);
  const chosen = named.length ? named : speakers.slice(0, 1);
  const [missing] = useState(() => search.getAll("model").some((id) => !speakers.some(({ model }) => model === id)));
  const choose = (models: readonly string[]) =>
    setSearch(new URLSearchParams(models.map((id) => ["model", id])), { replace: true });
  return (
    <>
      {missing ? (
        <Notice kind="caution">
          <p>A model of this address cannot be asked: it has not been evaluated, or is not yours to see.</p>
        </Notice>
      ) : null}
      <Conversation task={task} speakers={speakers} chosen={chosen} onChoose={choose} />
    </>
  );
}
