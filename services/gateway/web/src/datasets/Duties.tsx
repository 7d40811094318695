import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { answered, api, type Shapes } from "../api/client";
import { Button } from "../components/Button";
import { Card } from "../components/Card";
import { Choice, Choices } from "../components/Form";
import { ProblemNotice } from "../components/Notice";
import type { Dataset } from "./useDatasets";
import { ROLES } from "./words";

type Change = Shapes["DatasetChange"];

/** What a dataset counts for; for the owners of tasks. */
export function Duties({ dataset }: { readonly dataset: Dataset }) {
  const [role, setRole] = useState(dataset.role);
  const [active, setActive] = useState(dataset.active);
  const save = useChange(dataset.id);
  const same = role === dataset.role && active === dataset.active;
  return (
    <Card title="What it counts for">
      <Choices legend="Role">
        {Object.entries(ROLES).map(([name, meaning]) => (
          <Choice
            key={name}
            kind="radio"
            name="role"
            label={name}
            hint={meaning}
            checked={role === name}
            onChange={() => setRole(name as Dataset["role"])}
          />
        ))}
      </Choices>
      <Choice
        kind="checkbox"
        name="active"
        label="Models are run on this version"
        hint="One version of a dataset at most is active. Boards of the past stay as they were."
        checked={active}
        onChange={setActive}
      />
      {save.error ? <ProblemNotice problem={save.error} /> : null}
      <div>
        <Button disabled={same || save.isPending} onClick={() => save.mutate({ role, active })}>
          {save.isSuccess && same ? "Saved" : "Save"}
        </Button>
      </div>
    </Card>
  );
}

function useChange(dataset_id: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Change) =>
      answered(api.PATCH("/api/v1/datasets/{dataset_id}", { params: { path: { dataset_id } }, body })),
    onSuccess: (changed) => {
      queries.setQueryData(["dataset", dataset_id], changed);
      return Promise.all([
        queries.invalidateQueries({ queryKey: ["datasets"] }),
        queries.invalidateQueries({ queryKey: ["leaderboard"] }),
      ]);
    },
  });
}
