import { Link } from "wouter";
import { atLeast } from "../account/roles";
import { useWhoAmI } from "../api/tasks";
import { places } from "../app/places";
import { ButtonLink } from "../components/Button";
import { Card, Facts } from "../components/Card";
import { Copy } from "../components/Copy";
import { Flag } from "../components/Flag";
import { Loaded } from "../components/Loaded";
import { Page, Part } from "../components/Page";
import { bytes, moment, number } from "../format/numbers";
import { Best } from "./Best";
import { Counts } from "./Counts";
import styles from "./datasets.module.css";
import { Duties } from "./Duties";
import { Perturbations } from "./Perturbations";
import { Sample } from "./Sample";
import { type Dataset, useDataset } from "./useDatasets";
import { Versions } from "./Versions";
import { phaseWords, ROLES } from "./words";

/** One version of a dataset: what it is, whose words it is, a look into it, and who does well on it. */
export default function DatasetPage({ id }: { readonly id: string }) {
  const dataset = useDataset(id);
  if (dataset.data) return <Shown dataset={dataset.data} />;
  return (
    <Page title="Dataset">
      <Loaded query={dataset} height="36rem">
        {() => null}
      </Loaded>
    </Page>
  );
}

function Shown({ dataset }: { readonly dataset: Dataset }) {
  const who = useWhoAmI();
  const owner = atLeast(who.data?.role, "task-owner");
  return (
    <Page
      title={`${dataset.name} v${dataset.version}`}
      lead={dataset.description}
      actions={
        owner ? (
          <ButtonLink href={`${places.datasets(dataset.task)}&add=${encodeURIComponent(dataset.name)}`}>
            Add a version
          </ButtonLink>
        ) : null
      }
    >
      <About dataset={dataset} />
      <Citation text={dataset.citation} />
      <Distribution dataset={dataset} />
      {owner ? <Duties dataset={dataset} /> : null}
      <Sample dataset={dataset} />
      <Perturbations dataset={dataset} />
      <Best dataset={dataset} />
      <Versions dataset={dataset} />
    </Page>
  );
}

function About({ dataset }: { readonly dataset: Dataset }) {
  const { task, role, phase, licence, examples, size, active, created_at, digest } = dataset;
  return (
    <Card>
      <Facts
        facts={[
          [
            "Task",
            <Link key="task" href={places.task(task)}>
              {task}
            </Link>,
          ],
          [
            "Role",
            <span key="role">
              <Flag name={role} kind={role === "scoring" ? "good" : "plain"} /> {ROLES[role]}
            </span>,
          ],
          ["Phase", phaseWords(phase)],
          ["Licence", licence],
          ["Examples", number(examples, 0)],
          ["Size", bytes(size)],
          ["Added", moment(created_at)],
          ["State", active ? "models are run on it" : "superseded; no model is run on it any more"],
          ["sha256", <code key="digest">{digest}</code>],
        ]}
      />
    </Card>
  );
}

function Citation({ text }: { readonly text: string }) {
  return (
    <Part title="Citation">
      <div className={styles.citation}>
        <blockquote>{text}</blockquote>
        <Copy text={text} what="the citation" />
      </div>
    </Part>
  );
}

function Distribution({ dataset }: { readonly dataset: Dataset }) {
  const { labels, tags, examples } = dataset;
  if (Object.keys(labels).length + Object.keys(tags).length === 0) return null;
  return (
    <div className={styles.two}>
      {Object.keys(labels).length ? (
        <Part title="Labels">
          <Counts counts={labels} of={examples} />
        </Part>
      ) : null}
      {Object.keys(tags).length ? (
        <Part title="Tags">
          <Counts counts={tags} of={examples} most={20} />
        </Part>
      ) : null}
    </div>
  );
}
