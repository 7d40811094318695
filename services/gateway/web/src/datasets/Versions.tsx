import { Link } from "wouter";
import { places } from "../app/places";
import { Part } from "../components/Page";
import { moment, number } from "../format/numbers";
import { type Dataset, useDatasets } from "./useDatasets";

/** Every version of the dataset that there is. */
export function Versions({ dataset }: { readonly dataset: Dataset }) {
  const all = useDatasets(true);
  const versions = (all.data ?? []).filter(({ task, name }) => task === dataset.task && name === dataset.name);
  if (versions.length < 2) return null;
  return (
    <Part title="Versions">
      <ul>
        {versions.map(({ id, version, examples, active, created_at }) => (
          <li key={id} aria-current={id === dataset.id || undefined}>
            <Link href={places.dataset(id)}>v{version}</Link>: {number(examples, 0)} examples, {moment(created_at)}
            {active ? ", active" : ""}
          </li>
        ))}
      </ul>
    </Part>
  );
}
