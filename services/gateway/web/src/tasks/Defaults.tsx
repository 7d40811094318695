import type { Shapes } from "../api/client";
import { Facts } from "../components/Card";
import { metricColour, metricTitle } from "../components/metrics";
import { moment, number, percent } from "../format/numbers";
import styles from "./tasks.module.css";

/** What counts on the board for a reader who chooses nothing. */
export function Defaults({ view }: { readonly view: Shapes["SettingsView"] }) {
  const { settings, version, created_by, created_at } = view;
  const { epsilon } = settings;
  const said = version
    ? `version ${version}, by ${created_by}, ${created_at ? moment(created_at) : ""}`
    : "the paper’s";
  return (
    <div className={`sheet ${styles.defaults}`}>
      <div>
        <h3>Metrics</h3>
        <Shares shares={view.weights} coloured />
      </div>
      <div>
        <h3>Datasets</h3>
        <Shares shares={view.dataset_weights} />
      </div>
      <div className={styles.whole}>
        <Facts
          facts={[
            ["Settings", said],
            ["Base metric", settings.base_metric],
            ["Memory budget", `${number(view.memory_budget_gib)} GiB, ${budgetFrom(settings)}`],
            ["Epsilon", `${epsilon.value} ${epsilon.mode === "absolute" ? "points" : "of the greatest base value"}`],
          ]}
        />
      </div>
    </div>
  );
}

/** Where the budget comes from that counts: a task's own, or what a model may use at most where it is measured. */
function budgetFrom({ memory_budget_gib }: Shapes["TaskSettings"]): string {
  return memory_budget_gib == null ? "what the measuring machine grants a model" : "as set here";
}

function Shares({
  shares,
  coloured = false,
}: {
  readonly shares: Record<string, number>;
  readonly coloured?: boolean;
}) {
  return (
    <dl className={styles.shares}>
      {Object.entries(shares).map(([name, share]) => (
        <div key={name}>
          <dt>{coloured ? metricTitle(name) : name}</dt>
          <dd>
            <span
              className={styles.bar}
              style={{ inlineSize: `${share * 100}%`, background: coloured ? metricColour(name) : "var(--accent)" }}
            />
            <span className={styles.share}>{percent(share)}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}
