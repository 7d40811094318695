import { Link, useSearchParams } from "wouter";
import { useTasks } from "../api/tasks";
import { places } from "../app/places";
import { Card } from "../components/Card";
import { Command } from "../components/Command";
import styles from "./submit.module.css";

const MANIFEST = `name: my-model
task: sentiment
handler: handler.py:Handler
requirements: [scikit-learn]
card:
  summary: Logistic regression on word counts.
  licence: MIT`;

/** What an archive must hold, and how one makes it. */
export function Contents() {
  const [search] = useSearchParams();
  const task = search.get("task") ?? "sentiment";
  return (
    <>
      <Card title="What the archive holds">
        <Files />
        <p>This makes such a folder, tries it out as the server will, and packs it:</p>
        <Command
          lines={[
            `dynaboard init my-model --task ${task} --framework scikit-learn`,
            "dynaboard check my-model",
            "dynaboard package my-model",
          ]}
        />
        <p className="soft">
          The model runs without network, with limits on memory and time. Labels never reach it.{" "}
          <Link href={places.task(task)}>What it gets and must answer</Link>
        </p>
      </Card>
      <Card title="Predictions without a model">
        <p>
          Leave <code>handler</code> out and put <code>predictions/DATASET.jsonl</code> in for each scoring dataset.
          They are scored and marked <em>unverified</em>: nobody has seen the model run, so it has no cost, no fairness
          and no robustness, and is ranked only where these have no weight.
        </p>
      </Card>
      <Afterwards />
    </>
  );
}

function Files() {
  return (
    <dl className={styles.files}>
      <div>
        <dt>
          <code>dynaboard.yaml</code>
        </dt>
        <dd>
          <p>Name, task and card; a summary and a licence are required.</p>
          <pre tabIndex={0}>{MANIFEST}</pre>
        </dd>
      </div>
      <div>
        <dt>
          <code>handler.py</code>
        </dt>
        <dd>
          <p>
            A class with <code>load(model_dir)</code> and <code>predict(examples)</code>.
          </p>
        </dd>
      </div>
      <div>
        <dt>Weights</dt>
        <dd>
          <p>Whatever the handler reads, beside it.</p>
        </dd>
      </div>
    </dl>
  );
}

function Afterwards() {
  const tasks = useTasks();
  return (
    <Card title="What happens then">
      <p>
        It waits for its turn, answers a few trial examples, then every dataset of its task and their perturbed copies;
        its cost is measured, everything is scored, and it stands on the board of{" "}
        {(tasks.data ?? []).map(({ name, title }, index) => (
          <span key={name}>
            {index ? " or " : ""}
            <Link href={places.board(name)}>{title.toLowerCase()}</Link>
          </span>
        ))}
        . You can watch all of it.
      </p>
    </Card>
  );
}
