import { Link } from "wouter";
import { places } from "../app/places";
import { Button } from "../components/Button";
import { Field } from "../components/Field";
import styles from "./comparison.module.css";
import type { Row } from "./useComparison";

interface Props {
  readonly rows: readonly Row[];
  readonly first: Row;
  readonly second: Row;
  readonly onChoose: (a: string, b: string) => void;
}

/** Which two, and the other way round. */
export function Pickers({ rows, first, second, onChoose }: Props) {
  return (
    <div className={styles.pickers}>
      <Side
        label="First model"
        rows={rows}
        chosen={first}
        but={second}
        onChoose={(id) => onChoose(id, second.model_id)}
      />
      <Button onClick={() => onChoose(second.model_id, first.model_id)} aria-label="Swap the two">
        ⇄
      </Button>
      <Side
        label="Second model"
        rows={rows}
        chosen={second}
        but={first}
        onChoose={(id) => onChoose(first.model_id, id)}
      />
    </div>
  );
}

interface SideProps {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly chosen: Row;
  readonly but: Row;
  readonly onChoose: (id: string) => void;
}

function Side({ label, rows, chosen, but, onChoose }: SideProps) {
  const hint = (
    <>
      {chosen.rank === null ? "not ranked" : `rank ${chosen.rank}`} ·{" "}
      <Link href={places.model(chosen.model_id)}>its page</Link>
    </>
  );
  return (
    <Field label={label} hint={hint}>
      {(ids) => (
        <select {...ids} value={chosen.model_id} onChange={(event) => onChoose(event.target.value)}>
          {rows
            .filter((row) => row !== but)
            .map((row) => (
              <option key={row.model_id} value={row.model_id}>
                {row.name}
                {row.owner ? ` (${row.owner})` : ""}
              </option>
            ))}
        </select>
      )}
    </Field>
  );
}
