import { Link } from "wouter";
import { places } from "../app/places";
import { Flag } from "../components/Flag";
import { Part, Wide } from "../components/Page";
import { bytes, moment } from "../format/numbers";
import styles from "./models.module.css";
import type { Submission } from "./useModel";

interface Props {
  readonly versions: readonly Submission[];
  readonly chosen: Submission | undefined;
}

const KINDS: Readonly<Record<string, "good" | "bad" | "plain">> = { finished: "good", failed: "bad" };

/** Every version with its state; the one whose results stand below is marked. */
export function Versions({ versions, chosen }: Props) {
  return (
    <Part title="Versions">
      <Wide label="Versions of this model">
        <table className={styles.versions}>
          <caption className="visually-hidden">Versions, newest first</caption>
          <thead>
            <tr>
              <th scope="col">Version</th>
              <th scope="col">State</th>
              <th scope="col">Handed in</th>
              <th scope="col">Ended</th>
              <th scope="col" className="number">
                Size
              </th>
              <th scope="col">Digest (sha256)</th>
              <th scope="col">Submission</th>
            </tr>
          </thead>
          <tbody>
            {versions.map((one) => (
              <tr key={one.id} className={one.id === chosen?.id ? styles.chosen : undefined}>
                <th scope="row">
                  {one.id === chosen?.id ? (
                    <span aria-current="true">{one.version}, shown here</span>
                  ) : (
                    <Link href={`${places.model(one.model_id)}?version=${one.version}`}>{one.version}</Link>
                  )}
                </th>
                <td>
                  <Flag name={one.status} kind={KINDS[one.status] ?? "plain"} />
                </td>
                <td>{moment(one.created_at)}</td>
                <td>{one.finished_at ? moment(one.finished_at) : "–"}</td>
                <td className="number">{one.size ? bytes(one.size) : "–"}</td>
                <td>
                  <code title={one.digest ?? undefined}>{one.digest?.slice(0, 12) ?? "–"}</code>
                </td>
                <td>
                  <Link href={places.submission(one.id)}>
                    <code>{one.id.slice(0, 8)}</code>
                  </Link>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Wide>
    </Part>
  );
}
