import { type KeyboardEvent, memo, useId, useState } from "react";
import { useKey } from "../api/session";
import { Field } from "../components/Field";
import { metricTitle } from "../components/metrics";
import { Choice } from "./Choice";
import { type Choices, methodQuery } from "./choices";
import type { View } from "./ranked";
import { HardwareChoice, TagChoice } from "./SliceChoices";
import type { Change } from "./useChoices";
import styles from "./weights.module.css";

interface Props {
  readonly view: View;
  readonly choices: Choices;
  readonly change: Change;
}

const AGGREGATIONS = [
  ["dynascore", "Dynascore"],
  ["zscore", "Mean of z-scores"],
] as const;
const SLOPES = [
  ["mean", "Mean of slopes (the paper’s)"],
  ["median", "Median of slopes"],
] as const;

/** How metrics become one number, and of which board: for those who want another way than the paper's. */
export const MethodChoices = memo(function MethodChoices({ view, choices, change }: Props) {
  const id = useId();
  const key = useKey();
  // What there is to choose is asked for when somebody looks.
  const [isOpen, setOpen] = useState(methodQuery(choices).size > 0);
  return (
    <details className={styles.more} open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Method, slice and time</summary>
      <div className={styles.choices}>
        <Choice
          label="One number by"
          value={choices.aggregation}
          options={AGGREGATIONS}
          onChoose={(value) => change({ aggregation: value === "zscore" ? "zscore" : "dynascore" })}
        />
        <Choice
          label="Exchange rates by"
          value={choices.slope}
          options={SLOPES}
          onChoose={(value) => change({ slope: value === "median" ? "median" : "mean" })}
        />
        <Choice
          label="Counted in points of"
          value={choices.base || view.base_metric}
          options={Object.keys(view.units).map((metric) => [metric, metricTitle(metric)])}
          onChoose={(base) => change({ base })}
        />
        {isOpen ? (
          <>
            <TagChoice view={view} choices={choices} change={change} />
            <HardwareChoice view={view} choices={choices} change={change} />
          </>
        ) : null}
        <Moment
          label="As it stood at"
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

interface MomentProps {
  readonly label: string;
  readonly value: string;
  readonly hint: string;
  readonly onSet: (value: string) => void;
}

/** Counts when it is left or with Enter, so that no board is asked for half a date. */
function Moment({ label, value, hint, onSet }: MomentProps) {
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
          type="datetime-local"
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
