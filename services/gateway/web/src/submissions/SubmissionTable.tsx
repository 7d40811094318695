import { Link } from "wouter";
import type { Shapes } from "../api/client";
import { places } from "../app/places";
import { Flag } from "../components/Flag";
import { Wide } from "../components/Page";
import { bytes, moment } from "../format/numbers";
import { kindOf } from "./status";
import styles from "./submission.module.css";

interface Props {
  readonly submissions: readonly Shapes["SubmissionView"][];
  readonly withOwner: boolean;
}

/** Submissions, a line each. */
export function SubmissionTable({ submissions, withOwner }: Props) {
  return (
    <Wide label="Submissions">
      <table className={styles.list}>
        <caption className="visually-hidden">Submissions, newest first</caption>
        <thead>
          <tr>
            <th scope="col">Model</th>
            <th scope="col">Status</th>
            <th scope="col">Task</th>
            {withOwner ? <th scope="col">Owner</th> : null}
            <th scope="col">Handed in</th>
            <th scope="col" className="number">
              Archive
            </th>
          </tr>
        </thead>
        <tbody>
          {submissions.map((one) => (
            <tr key={one.id}>
              <th scope="row">
                <Link href={places.submission(one.id)}>
                  {one.name} <span className="soft">v{one.version}</span>
                </Link>
              </th>
              <td>
                <Flag name={one.status} kind={kindOf(one.status)} />
                {one.status === "finished" && !one.published ? <Flag name="unpublished" /> : null}
                {one.reason && one.status === "failed" ? <p className={styles.reason}>{one.reason}</p> : null}
              </td>
              <td>{one.task}</td>
              {withOwner ? <td>{one.owner ?? "anonymous"}</td> : null}
              <td className={styles.time}>{moment(one.created_at)}</td>
              <td className="number">{bytes(one.size ?? 0)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Wide>
  );
}
