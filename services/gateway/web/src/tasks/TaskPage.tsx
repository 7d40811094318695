import { Link } from "wouter";
import { atLeast } from "../account/roles";
import type { Shapes } from "../api/client";
import { useTasks, useWhoAmI } from "../api/tasks";
import { NotFoundPage } from "../app/NotFoundPage";
import { places } from "../app/places";
import { BroaderImpact } from "../components/BroaderImpact";
import { ButtonLink } from "../components/Button";
import { Card, Facts } from "../components/Card";
import { Loaded } from "../components/Loaded";
import { metricTitle } from "../components/metrics";
import { Page, Part } from "../components/Page";
import { DatasetTable } from "../datasets/DatasetTable";
import { useDatasets } from "../datasets/useDatasets";
import { asks, wanted } from "./answers";
import { BackfillPart } from "./Backfill";
import { Defaults } from "./Defaults";
import { Example } from "./Example";
import { History } from "./History";
import { SettingsEditor } from "./SettingsEditor";
import { usePresent, useSettings } from "./useSettings";

type Task = Shapes["TaskView"];

/** What a task asks of a model, what it is tested on, and how its board is made. */
export default function TaskPage({ task }: { readonly task: string }) {
  const tasks = useTasks();
  const found = tasks.data?.find(({ name }) => name === task);
  if (tasks.data && !found) return <NotFoundPage />;
  if (found) return <Shown task={found} />;
  return (
    <Page title="Task">
      <Loaded query={tasks} height="36rem">
        {() => null}
      </Loaded>
    </Page>
  );
}

function Shown({ task }: { readonly task: Task }) {
  const board = usePresent(task.name);
  return (
    <Page title={task.title} lead={task.description || asks(task)} actions={<Ways task={task.name} />}>
      {task.description ? <p>{asks(task)}</p> : null}
      <About task={task} />
      <Example task={task} />
      <Datasets task={task.name} />
      <Settings task={task} />
      {board.data ? <BroaderImpact warnings={board.data.warnings ?? []} about="this task’s numbers" /> : null}
    </Page>
  );
}

function Ways({ task }: { readonly task: string }) {
  return (
    <>
      <ButtonLink href={places.talk(task)}>Talk to a model</ButtonLink>
      <ButtonLink href={`${places.submit()}?task=${encodeURIComponent(task)}`}>Submit a model</ButtonLink>
      <ButtonLink look="main" href={places.board(task)}>
        Leaderboard
      </ButtonLink>
    </>
  );
}

function About({ task }: { readonly task: Task }) {
  return (
    <Card>
      <Facts
        facts={[
          ["A model gets", task.inputs.join(", ")],
          ["It answers", wanted(task)],
          ["Labels", [...task.labels, ...task.token_labels].join(", ") || "none: the answer is words"],
          ["Performance is", metricTitle(task.performance_metric)],
          ["Also reported", task.metrics.map(metricTitle).join(", ") || "nothing else"],
          ["Perturbed for", task.suites.join(", ") || "nothing"],
        ]}
      />
    </Card>
  );
}

function Datasets({ task }: { readonly task: string }) {
  const datasets = useDatasets();
  return (
    <Part title="Datasets" aside={<Link href={places.datasets(task)}>Seek among them</Link>}>
      <Loaded query={datasets} height="12rem">
        {(all) => <DatasetTable datasets={all.filter((one) => one.task === task)} ofOneTask />}
      </Loaded>
    </Part>
  );
}

function Settings({ task }: { readonly task: Task }) {
  const settings = useSettings(task.name);
  const who = useWhoAmI();
  const owner = atLeast(who.data?.role, "task-owner");
  return (
    <>
      <Part title="How its board is made">
        <Loaded query={settings} height="14rem">
          {(view) => <Defaults view={view} />}
        </Loaded>
      </Part>
      {owner && settings.data ? <SettingsEditor key={settings.data.version} view={settings.data} /> : null}
      {owner ? <BackfillPart task={task.name} /> : null}
      {settings.data?.history.length ? <History versions={settings.data.history} /> : null}
    </>
  );
}
