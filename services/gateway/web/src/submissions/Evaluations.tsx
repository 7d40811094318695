import { Link } from "wouter";
import type { Shapes } from "../api/client";
import { places } from "../app/places";
import { Flag } from "../components/Flag";
import { Meter } from "../components/Meter";
import { Part, Wide } from "../components/Page";
import { duration, number, percent } from "../format/numbers";
import styles from "./submission.module.css";

type Evaluation = Shapes["EvaluationView"];

/** How far each dataset and each perturbed copy is. */
export function Evaluations({ submission }: { readonly submission: Shapes["SubmissionView"] }) {
  const all = submission.evaluations ?? [];
  if (all.length === 0) return null;
  return (
    <Part title="Datasets">
      <Wide label="Progress of each dataset">
        <table className={styles.progress}>
          <caption className="visually-hidden">Progress of each dataset and of its perturbed copies</caption>
          <thead>
            <tr>
              <th scope="col">Dataset</th>
              <th scope="col" className={styles.bar}>
                Progress
              </th>
              <th scope="col" className="number">
                Examples
              </th>
              <th scope="col" className="number">
                Examples/s
              </th>
              <th scope="col" className="number">
                Left
              </th>
              <th scope="col">Role</th>
            </tr>
          </thead>
          <tbody>
            {all.map((one) => (
              <Line
                key={`${one.dataset} ${one.dataset_version} ${one.perturbation}`}
                one={one}
                task={submission.task}
              />
            ))}
          </tbody>
        </table>
      </Wide>
    </Part>
  );
}

function Line({ one, task }: { readonly one: Evaluation; readonly task: string }) {
  const share = one.total ? one.done / one.total : Number(one.status === "finished");
  const copy = one.perturbation ? `, ${one.perturbation} copy` : "";
  return (
    <tr>
      <th scope="row" className={one.perturbation ? styles.copy : undefined}>
        {one.perturbation ? (
          `perturbed for ${one.perturbation}`
        ) : (
          <Link href={`${places.datasets(task)}&name=${encodeURIComponent(one.dataset)}`}>
            {one.dataset} v{one.dataset_version}
          </Link>
        )}
      </th>
      <td>
        <Meter label={`${one.dataset}${copy}`} share={share} words={`${one.status}, ${percent(share, 0)}`} />
        <small>{stateOf(one)}</small>
      </td>
      <td className="number">
        {number(one.done, 0)} / {number(one.total, 0)}
      </td>
      <td className="number">{one.examples_per_second ? number(one.examples_per_second, 0) : ""}</td>
      <td className="number">{one.eta_seconds ? duration(one.eta_seconds) : ""}</td>
      <td>{one.perturbation ? null : <Flag name={one.role} />}</td>
    </tr>
  );
}

function stateOf({ status, spared }: Evaluation): string {
  return spared ? `${status}; ${number(spared, 0)} texts were left unchanged and need no run` : status;
}
