import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { answered, api } from "../api/client";
import { useTasks } from "../api/tasks";
import { Field } from "../components/Field";
import styles from "./datasets.module.css";
import { type Draft, FORMATS } from "./draft";
import { ROLES } from "./words";

interface Props {
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
  readonly onFile: (file: File | null) => void;
}

/** The fields of a new dataset. */
export function AddFields({ draft, onChange, onFile }: Props) {
  const tasks = useTasks();
  const entries = useCatalogue(draft.task);
  const set = (name: keyof Draft) => (value: string) => onChange({ ...draft, [name]: value });
  const text = (name: "name" | "licence", label: string, hint: string) => (
    <Field label={label} hint={hint}>
      {(ids) => <input {...ids} value={draft[name]} onChange={(event) => set(name)(event.target.value)} />}
    </Field>
  );
  const long = (name: "citation" | "description" | "mapping", label: string, hint: string) => (
    <Field label={label} hint={hint}>
      {(ids) => <textarea {...ids} rows={2} value={draft[name]} onChange={(event) => set(name)(event.target.value)} />}
    </Field>
  );
  return (
    <div className={styles.grid}>
      <div className={styles.whole}>
        <Field label="File" hint="Plain, gzipped or zipped.">
          {(ids) => <input {...ids} type="file" onChange={(event) => onFile(event.target.files?.[0] ?? null)} />}
        </Field>
      </div>
      <Options
        label="Task"
        value={draft.task}
        onChoose={set("task")}
        options={(tasks.data ?? []).map(({ name }) => name)}
      />
      <Options
        label="From the catalogue"
        hint="The paper’s datasets: name, licence, citation and mapping come from there."
        value={draft.catalogue}
        onChoose={set("catalogue")}
        options={entries}
      />
      {text("name", "Name", draft.catalogue ? "left out: the catalogue’s" : "of one that is there: its next version")}
      {draft.catalogue ? null : (
        <>
          <Options
            label="Role"
            hint={ROLES[draft.role]}
            value={draft.role}
            onChoose={set("role")}
            options={Object.keys(ROLES)}
          />
          <Options label="Format" value={draft.format} onChoose={set("format")} options={FORMATS} />
        </>
      )}
      {text("licence", "Licence", "as its authors name it")}
      {long("citation", "Citation", "whom to cite, in one line")}
      {long("description", "Description", "what is in it, in a sentence")}
      {long("mapping", "Mapping", 'JSON: which column is what, where names differ: {"id": "uid", "label": "gold"}')}
    </div>
  );
}

interface OptionsProps {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly value: string;
  readonly options: readonly string[];
  readonly onChoose: (value: string) => void;
}

function Options({ label, hint, value, options, onChoose }: OptionsProps) {
  return (
    <Field label={label} hint={hint}>
      {(ids) => (
        <select {...ids} value={value} onChange={(event) => onChoose(event.target.value)}>
          {options.includes(value) ? null : <option value={value}>{value || "–"}</option>}
          {value && label === "From the catalogue" ? <option value="">–</option> : null}
          {options.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** The names of the catalogue's entries, of a task if one is chosen. */
function useCatalogue(task: string): string[] {
  const catalogue = useQuery({
    queryKey: ["catalogue"],
    queryFn: () => answered(api.GET("/api/v1/catalogue")),
    staleTime: Infinity,
  });
  return (catalogue.data ?? []).filter((one) => !task || one.task === task).map((one) => String(one.name));
}
