import { atLeast } from "../account/roles";
import { useWhoAmI } from "../api/tasks";
import { useChoice } from "../app/search";
import { Button } from "../components/Button";
import { Loaded } from "../components/Loaded";
import { Empty } from "../components/Notice";
import { Page } from "../components/Page";
import { AddDataset } from "./AddDataset";
import { DatasetTable } from "./DatasetTable";
import { Filters } from "./Filters";
import { type Dataset, useDatasets } from "./useDatasets";

/** What models are run on: all datasets, sought by task, role and licence. */
export default function DatasetsPage() {
  const datasets = useDatasets();
  const who = useWhoAmI();
  const [adding, setAdding] = useChoice("add");
  const owner = atLeast(who.data?.role, "task-owner");
  return (
    <Page
      title="Datasets"
      lead="What every model of a task is run on. Scoring datasets rank; standard ones are reported beside."
      actions={owner && !adding ? <Button onClick={() => setAdding("new")}>Add a dataset</Button> : null}
    >
      {owner && adding ? <AddDataset of={adding === "new" ? "" : adding} onClose={() => setAdding("")} /> : null}
      <Loaded query={datasets} height="30rem">
        {(all) => <Browse all={all} />}
      </Loaded>
    </Page>
  );
}

function Browse({ all }: { readonly all: Dataset[] }) {
  const [task] = useChoice("task");
  const [role] = useChoice("role");
  const [licence] = useChoice("licence");
  const [name] = useChoice("name");
  const shown = all.filter(
    (one) =>
      (!task || one.task === task) &&
      (!role || one.role === role) &&
      (!licence || one.licence === licence) &&
      one.name.includes(name.toLowerCase()),
  );
  return (
    <>
      <Filters all={all} shown={shown.length} />
      {shown.length ? (
        <DatasetTable datasets={shown} />
      ) : (
        <Empty title={all.length ? "None of these" : "No dataset yet"}>
          <p>{all.length ? "Choose another task, role or licence." : "A task’s owner adds the first one."}</p>
        </Empty>
      )}
    </>
  );
}
