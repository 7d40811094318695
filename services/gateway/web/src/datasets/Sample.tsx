import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { answered, api } from "../api/client";
import { useKey } from "../api/session";
import { places } from "../app/places";
import { Loaded } from "../components/Loaded";
import { Notice } from "../components/Notice";
import { Part, Wide } from "../components/Page";
import styles from "./datasets.module.css";
import type { Dataset } from "./useDatasets";

const SHOWN = 5;

/** A few examples as a model sees them; whether their labels come along the server decides. */
export function Sample({ dataset }: { readonly dataset: Dataset }) {
  return (
    <Part title="Some examples">
      {useKey() ? (
        <Examples id={dataset.id} />
      ) : (
        <Notice>
          <p>
            <Link href={places.account()}>Sign in</Link> to see some of its examples.
          </p>
        </Notice>
      )}
    </Part>
  );
}

function Examples({ id }: { readonly id: string }) {
  const sample = useQuery({
    queryKey: ["dataset", id, "sample"],
    queryFn: () =>
      answered(
        api.GET("/api/v1/datasets/{dataset_id}/sample", {
          params: { path: { dataset_id: id }, query: { limit: SHOWN } },
        }),
      ),
    staleTime: Infinity,
  });
  return (
    <Loaded query={sample} height="16rem">
      {(rows) => <Rows rows={rows} />}
    </Loaded>
  );
}

function Rows({ rows }: { readonly rows: readonly Record<string, unknown>[] }) {
  const fields = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const labelled = fields.some((field) => field === "label" || field === "answers");
  return (
    <>
      <Wide label="Examples of the dataset">
        <table className={styles.sample}>
          <caption className="visually-hidden">Its first examples</caption>
          <thead>
            <tr>
              {fields.map((field) => (
                <th scope="col" key={field}>
                  {field}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              <tr key={index}>
                {fields.map((field) => (
                  <td key={field}>{words(row[field])}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Wide>
      {labelled ? null : <p className="soft">As a model sees them: its labels are not shown.</p>}
    </>
  );
}

function words(value: unknown): string {
  if (Array.isArray(value)) return value.map(words).join(", ");
  return typeof value === "string" ? value : JSON.stringify(value);
}
