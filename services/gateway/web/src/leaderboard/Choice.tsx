import { Field } from "../components/Field";
import type { Options } from "./offered";

interface Props {
  readonly label: string;
  readonly hint?: string;
  readonly value: string;
  readonly options: Options;
  readonly onChoose: (value: string) => void;
}

/** One of several, in a list that opens. */
export function Choice({ label, hint, value, options, onChoose }: Props) {
  return (
    <Field label={label} hint={hint}>
      {(ids) => (
        <select {...ids} value={value} onChange={(event) => onChoose(event.target.value)}>
          {options.map(([name, title]) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
