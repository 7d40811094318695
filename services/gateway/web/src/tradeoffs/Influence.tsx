import { useQuery } from "@tanstack/react-query";
import { answered, api, type Shapes } from "../api/client";
import { useKey } from "../api/session";
import { Loaded } from "../components/Loaded";
import { Notice } from "../components/Notice";
import { Part, Wide } from "../components/Page";
import { number } from "../format/numbers";
import { boardQuery, type Choices } from "../leaderboard/choices";
import { threeDigits } from "../leaderboard/exchange";
import styles from "./tradeoffs.module.css";

type View = Shapes["InfluenceView"];
type Model = View["models"][number];

/** What the exchange rates owe to single models, and whose order that moves. */
export function Influence({ task, choices }: { readonly task: string; readonly choices: Choices }) {
  const key = useKey();
  const query = boardQuery(choices);
  const influence = useQuery({
    queryKey: ["influence", task, key, query.toString()],
    queryFn: async () => {
      const params = { path: { task: task as "sentiment" }, query: Object.fromEntries(query) as Record<string, never> };
      return (await answered<unknown>(api.GET("/api/v1/leaderboards/{task}/influence", { params }))) as View;
    },
    enabled: choices.aggregation === "dynascore",
  });
  if (choices.aggregation !== "dynascore") return null;
  return (
    <Part title="What the exchange rates rest on">
      <Loaded query={influence} height="16rem">
        {(found) => <Found found={found} />}
      </Loaded>
    </Part>
  );
}

function Found({ found }: { readonly found: View }) {
  const names = new Map(found.models.map((model) => [model.model_id, model.name]));
  const alarms = found.models.filter((model) => model.moved.length > 0);
  return (
    <>
      {alarms.length === 0 ? (
        <p>No single model turns the order of two others: take any away, and the rest stand as they stand.</p>
      ) : (
        <Notice kind="caution">
          <ul className={styles.alarms}>
            {alarms.map((model) => (
              <li key={model.model_id}>{alarmInWords(model, names)}</li>
            ))}
          </ul>
        </Notice>
      )}
      {found.models.length ? <Rates found={found} /> : null}
    </>
  );
}

/** Removing X would put B above A. */
export function alarmInWords(model: Model, names: ReadonlyMap<string, string>): string {
  const named = (id: string) => names.get(id) ?? "another model";
  const shown = model.moved.slice(0, 3);
  const pairs = shown.map((pair) => `${named(pair.below)} above ${named(pair.above)}`);
  const more = model.moved_total - shown.length;
  const clear = model.moved.filter((pair) => pair.told_apart).length;
  const sureness = clear === 0 ? "The data tells none of these pairs apart." : `The data tells ${clear} of them apart.`;
  return `Removing ${model.name} would put ${pairs.join(", ")}${more > 0 ? ` and turn ${more} more` : ""}. ${sureness}`;
}

function Rates({ found }: { readonly found: View }) {
  const metrics = Object.keys(found.amrs).filter((metric) => metric !== found.base_metric);
  return (
    <details className={styles.numbers}>
      <summary>Exchange rates without each model</summary>
      <Wide label="Exchange rates without each model">
        <table>
          <caption className="visually-hidden">AMRS of each metric, had a model never been submitted</caption>
          <thead>
            <tr>
              <th scope="col">Without</th>
              {metrics.map((metric) => (
                <th key={metric} scope="col" className="number">
                  AMRS of {metric}
                </th>
              ))}
              <th scope="col" className="number">
                Greatest change, a factor
              </th>
              <th scope="col" className="number">
                Pairs turned
              </th>
            </tr>
          </thead>
          <tbody>
            <RateRow name="nobody" rates={found.amrs} metrics={metrics} />
            {found.models.map((model) => (
              <RateRow key={model.model_id} name={model.name} rates={model.amrs} metrics={metrics} model={model} />
            ))}
          </tbody>
        </table>
      </Wide>
    </details>
  );
}

interface RateRowProps {
  readonly name: string;
  readonly rates: Readonly<Record<string, number | null>>;
  readonly metrics: readonly string[];
  readonly model?: Model;
}

function RateRow({ name, rates, metrics, model }: RateRowProps) {
  return (
    <tr>
      <th scope="row">{name}</th>
      {metrics.map((metric) => (
        <td key={metric} className="number">
          {rates[metric] == null ? "–" : threeDigits(rates[metric])}
        </td>
      ))}
      <td className="number">{model?.greatest_change == null ? "" : number(model.greatest_change, 2)}</td>
      <td className="number">{model ? model.moved_total : ""}</td>
    </tr>
  );
}
