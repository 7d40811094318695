import { Link } from "wouter";
import { places } from "../app/places";
import { Button } from "../components/Button";
import { Flag } from "../components/Flag";
import { Row } from "../components/Form";
import { Loaded } from "../components/Loaded";
import { Notice, ProblemNotice } from "../components/Notice";
import { Part, Wide } from "../components/Page";
import { duration, number } from "../format/numbers";
import {
  type Action,
  actions,
  type Backfill,
  ended,
  state,
  useBackfill,
  useMissingMetrics,
  useSteer,
} from "./useBackfill";

const VERBS: Readonly<Record<Action, string>> = {
  start: "Start everything",
  pause: "Pause",
  resume: "Go on by itself",
};
const KINDS = { running: "good", queued: "plain", planned: "plain", waits: "caution", failed: "bad" } as const;

/** Old models on new data: what is missing, what it will take, and how it is steered; for task owners. */
export function BackfillPart({ task }: { readonly task: string }) {
  const backfill = useBackfill(task);
  return (
    <Part title="Old models on new data" aside={<small>Seen by task owners only.</small>}>
      <Loaded query={backfill} height="8rem">
        {(view) => (view ? <Shown view={view} /> : <p className="soft">Nothing is known of this task.</p>)}
      </Loaded>
      <Metrics task={task} />
    </Part>
  );
}

function Shown({ view }: { readonly view: Backfill }) {
  const steer = useSteer(view.task);
  return (
    <>
      <p aria-live="polite">{state(view)}</p>
      <Row>
        {actions(view).map((action) => (
          <Button
            key={action}
            look={action === "start" ? "main" : "plain"}
            disabled={steer.isPending}
            onClick={() => steer.mutate(action)}
          >
            {VERBS[action]}
          </Button>
        ))}
      </Row>
      {steer.error ? <ProblemNotice problem={steer.error} /> : null}
      {view.items.length ? <Items items={view.items} /> : null}
    </>
  );
}

/** Metrics that stored predictions lack; nothing is said where none is missing, or that is not known. */
function Metrics({ task }: { readonly task: string }) {
  const { data } = useMissingMetrics(task);
  return (
    <>
      {data?.cells ? <p>Metrics on stored predictions: {ended(data.sentence)}</p> : null}
      {data?.failed?.map(({ metric, version, evaluations, reason }) => (
        <Notice key={`${metric} ${version}`} kind="bad">
          <p>
            {ended(reason)} On {number(evaluations, 0)} {evaluations === 1 ? "evaluation" : "evaluations"}; others have
            it. Mend it and start the scoring service anew: then it is tried again.
          </p>
        </Notice>
      ))}
    </>
  );
}

function Items({ items }: { readonly items: Backfill["items"] }) {
  return (
    <Wide label="Models that are run again">
      <table>
        <caption className="visually-hidden">Models that are run again, and on what</caption>
        <thead>
          <tr>
            <th scope="col">Model</th>
            <th scope="col">State</th>
            <th scope="col">On</th>
            <th scope="col" className="number">
              Texts
            </th>
            <th scope="col" className="number">
              Predicted time
            </th>
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr key={item.submission_id}>
              <th scope="row">
                <Link href={places.submission(item.submission_id)}>
                  {item.model} <span className="soft">v{item.version}</span>
                </Link>
              </th>
              <td>
                <Flag name={item.state} kind={KINDS[item.state]} />
                {item.reason ?? item.step ?? ""}
              </td>
              <td>{item.texts.map(textOf).join(", ")}</td>
              <td className="number">{number(item.examples, 0)}</td>
              <td className="number">{duration(item.seconds)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Wide>
  );
}

function textOf({ dataset, version, suite }: Backfill["items"][number]["texts"][number]): string {
  return `${dataset} v${version}${suite ? ` (${suite})` : ""}`;
}
