import { Field } from "../components/Field";
import type { Speaker } from "./examples";
import styles from "./talk.module.css";

interface Props {
  readonly speakers: readonly Speaker[];
  readonly chosen: readonly Speaker[];
  readonly onChoose: (models: readonly string[]) => void;
}

/** One model, and another beside it if wanted. */
export function Pickers({ speakers, chosen, onChoose }: Props) {
  const [first, second] = [chosen[0]?.model ?? "", chosen[1]?.model ?? ""];
  const choose = (...models: string[]) => onChoose(models.filter(Boolean));
  return (
    <div className={styles.pickers}>
      <Field label="Model">
        {(ids) => (
          <select {...ids} value={first} onChange={(event) => choose(event.target.value, second)}>
            <Options speakers={speakers} but={second} />
          </select>
        )}
      </Field>
      <Field label="Beside it">
        {(ids) => (
          <select {...ids} value={second} onChange={(event) => choose(first, event.target.value)}>
            <option value="">no other</option>
            <Options speakers={speakers} but={first} />
          </select>
        )}
      </Field>
    </div>
  );
}

function Options({ speakers, but }: { readonly speakers: readonly Speaker[]; readonly but: string }) {
  return speakers
    .filter(({ model }) => model !== but)
    .map(({ model, name }) => (
      <option key={model} value={model}>
        {name}
      </option>
    ));
}
