import { type KeyboardEvent, memo, useId } from "react";
import { useKey } from "../api/session";
import { Field } from "../components/Field";
import { metricTitle } from "../components/metrics";
import { type Choices, methodQuery } from "./choices";
import type { View } from "./ranked";
import type { Change } from "./useChoices";
import styles from "./weights.module.css";

interface Props {
  readonly view: View;
  readonly choices: Choices;
  readonly change: Change;
}

/** How metrics become one number, and of which board: for those who want another way than the paper's. */
export const MethodChoices = memo(function MethodChoices({ view, choices, change }: Props) {
  const id = useId();
  const key = useKey();
  return (
    <details className={styles.more} open={methodQuery(choices).size > 0}>
      <summary>Method, slice and time</summary>
      <div className={styles.choices}>
        <Choice
          label="One number by"
          value={choices.aggregation}
          options={{ dynascore: "Dynascore", zscore: "Mean of z-scores" }}
          onChoose={(value) => change({ aggregation: value === "zscore" ? "zscore" : "dynascore" })}
        />
        <Choice
          label="Exchange rates by"
          value={choices.slope}
          options={{ mean: "Mean of slopes (the paper’s)", median: "Median of slopes" }}
          onChoose={(value) => change({ slope: value === "median" ? "median" : "mean" })}
        />
        <Choice
          label="Counted in points of"
          value={choices.base || view.base_metric}
          options={Object.fromEntries(Object.keys(view.units).map((metric) => [metric, metricTitle(metric)]))}
          onChoose={(base) => change({ base })}
        />
        <Text
          label="Only examples with the tag"
          value={choices.tag}
          hint="Counts performance on a slice."
          onSet={(tag) => change({ tag })}
        />
        <Text
          label="Measured on hardware"
          value={choices.hardware || view.hardware_profile || ""}
          hint="Fingerprint of the profile whose costs count."
          onSet={(hardware) => change({ hardware: hardware === view.hardware_profile ? "" : hardware })}
        />
        <Text
          label="As it stood at"
          type="datetime-local"
          value={choices.asOf ? localTime(choices.asOf) : ""}
          hint={choices.asOf ? "Empty it for the board of now." : "Left empty: now."}
          onSet={(time) => change({ asOf: time ? new Date(time).toISOString() : "" })}
        />
        {key ? (
          <div>
            <label htmlFor={id}>
              <input
                id={id}
                type="checkbox"
                checked={choices.unpublished}
                onChange={(event) => change({ unpublished: event.target.checked })}
              />{" "}
              With unpublished models that I may see
            </label>
          </div>
        ) : null}
      </div>
    </details>
  );
});

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly options: Readonly<Record<string, string>>;
  readonly onChoose: (value: string) => void;
}

function Choice({ label, value, options, onChoose }: ChoiceProps) {
  return (
    <Field label={label}>
      {(ids) => (
        <select {...ids} value={value} onChange={(event) => onChoose(event.target.value)}>
          {Object.entries(options).map(([name, title]) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface TextProps {
  readonly label: string;
  readonly value: string;
  readonly hint: string;
  readonly type?: string;
  readonly onSet: (value: string) => void;
}

/** Counts when it is left or with Enter, so that no board is asked for half a word. */
function Text({ label, value, hint, type = "text", onSet }: TextProps) {
  const set = (text: string) => {
    if (text.trim() !== value) onSet(text.trim());
  };
  const enter = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === "Enter") set(event.currentTarget.value);
  };
  return (
    <Field label={label} hint={hint}>
      {(ids) => (
        <input
          {...ids}
          key={value}
          type={type}
          defaultValue={value}
          onKeyDown={enter}
          onBlur={(event) => set(event.target.value)}
        />
      )}
    </Field>
  );
}

/** As `datetime-local` writes it, in the reader's own time. */
function localTime(iso: string): string {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return "";
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
