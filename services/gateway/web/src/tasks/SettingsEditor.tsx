import { useState } from "react";
import type { Shapes } from "../api/client";
import { Button } from "../components/Button";
import { Form, Row } from "../components/Form";
import { metricColour, metricTitle } from "../components/metrics";
import { ProblemNotice } from "../components/Notice";
import { Part } from "../components/Page";
import { WeightSlider } from "../leaderboard/WeightSlider";
import { type Draft, draftOf, METRICS, PAPER, problemOf, settingsOf, shares } from "./draft";
import { MethodFields } from "./MethodFields";
import { Preview } from "./Preview";
import styles from "./tasks.module.css";
import { useSave } from "./useSettings";

/** New settings, with the board they would make beside the present one; for the task's owners. */
export function SettingsEditor({ view }: { readonly view: Shapes["SettingsView"] }) {
  const names = Object.keys(view.dataset_weights);
  const first = draftOf(view.settings, names);
  const [draft, setDraft] = useState(first);
  const save = useSave(view.task);
  const settings = settingsOf(draft);
  const problem = problemOf(draft);
  const same = JSON.stringify(settings) === JSON.stringify(settingsOf(first));
  return (
    <Part title="Change it">
      <div className={`sheet ${styles.editor}`}>
        <Form
          label="Settings of the task"
          onSubmit={() => !problem && !same && save.mutate({ ...settings, based_on: view.version })}
        >
          <Sliders legend="Metrics" draft={draft} of="weights" names={METRICS} onChange={setDraft} />
          {names.length > 1 ? (
            <Sliders legend="Datasets" draft={draft} of="datasets" names={names} onChange={setDraft} />
          ) : null}
          <MethodFields draft={draft} granted={view.memory_budget_gib} onChange={setDraft} />
          {problem ? <p role="alert">{problem}</p> : null}
          {save.error ? <ProblemNotice problem={save.error} /> : null}
          <Row>
            <Button look="main" type="submit" disabled={Boolean(problem) || same || save.isPending}>
              Put in force
            </Button>
            <Button disabled={same} onClick={() => setDraft(first)}>
              Undo
            </Button>
            <Button look="quiet" onClick={() => setDraft(draftOf(PAPER, names))}>
              The paper’s defaults
            </Button>
          </Row>
        </Form>
        <Preview task={view.task} settings={problem ? null : settings} same={same} />
      </div>
    </Part>
  );
}

interface SlidersProps {
  readonly legend: string;
  readonly draft: Draft;
  readonly of: "weights" | "datasets";
  readonly names: readonly string[];
  readonly onChange: (draft: Draft) => void;
}

function Sliders({ legend, draft, of, names, onChange }: SlidersProps) {
  const weights = draft[of];
  const share = shares(weights);
  return (
    <fieldset className={styles.sliders}>
      <legend>{legend}</legend>
      {names.map((name) => (
        <WeightSlider
          key={name}
          name={of === "weights" ? metricTitle(name) : name}
          colour={of === "weights" ? metricColour(name) : ""}
          weight={weights[name] ?? 0}
          share={share[name] ?? 0}
          words={name === draft.base && of === "weights" ? "The base: the others are counted in its points." : ""}
          onMove={(weight) => onChange({ ...draft, [of]: { ...weights, [name]: weight } })}
        />
      ))}
    </fieldset>
  );
}
