import { useTasks } from "../api/tasks";
import { places } from "../app/places";
import { ButtonLink } from "../components/Button";
import { Loaded } from "../components/Loaded";
import { Empty } from "../components/Notice";
import { metricColour } from "../components/metrics";
import { Page } from "../components/Page";
import styles from "./home.module.css";
import { TaskCard } from "./TaskCard";

const METRICS = ["performance", "throughput", "memory", "fairness", "robustness"];

/** What this is, and the top of every board. */
export function HomePage() {
  const tasks = useTasks();
  return (
    <Page
      title="Models that were run, not reported"
      lead="Hand in a model; it is run on every dataset of its task, on one kind of machine, and ranked under the weights that matter to you."
      actions={
        <ButtonLink look="main" href={places.submit()}>
          Submit a model
        </ButtonLink>
      }
    >
      <ol className={styles.steps} aria-label="How it works">
        <li>
          <strong>Run.</strong> The platform runs each model itself and measures performance, speed, memory, fairness
          and robustness.
        </li>
        <li>
          <strong>Weighed.</strong> The Dynascore turns all five into one number, at exchange rates that the models
          themselves reveal.
        </li>
        <li>
          <strong>Yours.</strong> Move a slider, and the board ranks anew for what you need. Every number says how sure
          it is.
        </li>
      </ol>
      <p className={styles.legend}>
        A bar shows what lifts a model above the weakest one beside it:
        {METRICS.map((metric) => (
          <span key={metric}>
            <span className={styles.dot} style={{ background: metricColour(metric) }} aria-hidden="true" />
            {metric}
          </span>
        ))}
      </p>
      <Loaded query={tasks} height="40rem">
        {(known) =>
          known.length === 0 ? (
            <Empty title="There is no task yet" />
          ) : (
            <div className={styles.cards}>
              {known.map((task) => (
                <TaskCard key={task.name} task={task.name} title={task.title} />
              ))}
            </div>
          )
        }
      </Loaded>
    </Page>
  );
}
