import { useTasks } from "../api/tasks";
import { useChoice } from "../app/search";
import { Field } from "../components/Field";
import { Row } from "../components/Form";
import styles from "./datasets.module.css";
import type { Dataset } from "./useDatasets";
import { ROLES } from "./words";

/** Which datasets are shown; all of it lives in the address. */
export function Filters({ all, shown }: { readonly all: readonly Dataset[]; readonly shown: number }) {
  const tasks = useTasks();
  const titles = new Map((tasks.data ?? []).map(({ name, title }) => [name, title]));
  const licences = [...new Set(all.map(({ licence }) => licence))].sort();
  const [name, setName] = useChoice("name");
  return (
    <Row>
      <Field label="Name">
        {(ids) => <input {...ids} type="search" value={name} onChange={(event) => setName(event.target.value)} />}
      </Field>
      <Select label="Task" name="task" values={[...new Set(all.map(({ task }) => task))]} words={titles} />
      <Select label="Role" name="role" values={Object.keys(ROLES)} words={new Map()} />
      <Select label="Licence" name="licence" values={licences} words={new Map()} />
      <p role="status" className={styles.shown}>
        {shown === all.length ? `${all.length} datasets` : `${shown} of ${all.length} datasets`}
      </p>
    </Row>
  );
}

interface SelectProps {
  readonly label: string;
  readonly name: string;
  readonly values: readonly string[];
  readonly words: ReadonlyMap<string, string>;
}

function Select({ label, name, values, words }: SelectProps) {
  const [chosen, choose] = useChoice(name);
  return (
    <Field label={label}>
      {(ids) => (
        <select {...ids} className={styles.select} value={chosen} onChange={(event) => choose(event.target.value)}>
          <option value="">Any</option>
          {values.map((value) => (
            <option key={value} value={value}>
              {words.get(value) ?? value}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
