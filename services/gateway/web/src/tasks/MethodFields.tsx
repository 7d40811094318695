import { Field } from "../components/Field";
import { metricTitle } from "../components/metrics";
import { number } from "../format/numbers";
import { type Draft, type Metric, METRICS, rebased } from "./draft";
import styles from "./tasks.module.css";

interface Props {
  readonly draft: Draft;
  /** GiB that count now. */
  readonly granted: number;
  readonly onChange: (draft: Draft) => void;
}

/** Base metric, memory budget and epsilon. */
export function MethodFields({ draft, granted, onChange }: Props) {
  return (
    <div className={styles.method}>
      <Field label="Base metric" hint="In whose points the others are counted.">
        {(ids) => (
          <select {...ids} value={draft.base} onChange={(e) => onChange(rebased(draft, e.target.value as Metric))}>
            {METRICS.map((metric) => (
              <option key={metric} value={metric}>
                {metricTitle(metric)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field
        label="Memory budget, GiB"
        hint={`Saved memory is counted from it. Empty: what the hardware grants; now ${number(granted)}.`}
      >
        {(ids) => (
          <input
            {...ids}
            inputMode="decimal"
            value={draft.budget}
            onChange={(e) => onChange({ ...draft, budget: e.target.value })}
          />
        )}
      </Field>
      <Field label="Epsilon" hint="Smaller differences of the base metric make no trade-off.">
        {(ids) => (
          <input
            {...ids}
            inputMode="decimal"
            value={draft.epsilon}
            onChange={(e) => onChange({ ...draft, epsilon: e.target.value })}
          />
        )}
      </Field>
      <Field label="Epsilon is" hint="The paper’s: a share of the greatest value.">
        {(ids) => (
          <select
            {...ids}
            value={draft.mode}
            onChange={(e) => onChange({ ...draft, mode: e.target.value as Draft["mode"] })}
          >
            <option value="relative">a share of the greatest base value</option>
            <option value="absolute">points of the base metric</option>
          </select>
        )}
      </Field>
    </div>
  );
}
