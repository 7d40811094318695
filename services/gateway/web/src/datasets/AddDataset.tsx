import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { answered, api } from "../api/client";
import { places } from "../app/places";
import { useChoice } from "../app/search";
import { Button } from "../components/Button";
import { Card } from "../components/Card";
import { Form, Row } from "../components/Form";
import { Notice, ProblemNotice } from "../components/Notice";
import { AddFields } from "./AddFields";
import { type Draft, DRAFT, problemOf, queryOf } from "./draft";
import { type Dataset, useDatasets } from "./useDatasets";

interface Props {
  /** The dataset that gets a new version; empty for a new one. */
  readonly of: string;
  readonly onClose: () => void;
}

/** A new dataset, or a new version of one; for the owners of tasks. */
export function AddDataset({ of, onClose }: Props) {
  const [task] = useChoice("task");
  const known = useDatasets();
  const earlier = known.data?.find((one) => one.name === of && (!task || one.task === task));
  if (of && known.isPending) return null;
  return (
    <Adding
      key={earlier?.id ?? ""}
      first={earlier ? draftOf(earlier) : { ...DRAFT, task, name: of }}
      onClose={onClose}
    />
  );
}

function draftOf({ task, name, role, licence, citation, description }: Dataset): Draft {
  return { ...DRAFT, task, name, role, licence, citation, description };
}

function Adding({ first, onClose }: { readonly first: Draft; readonly onClose: () => void }) {
  const [draft, setDraft] = useState(first);
  const [file, setFile] = useState<File | null>(null);
  const add = useAdd();
  const problem = problemOf(draft, file);
  return (
    <Card title={first.name ? `A new version of ${first.name}` : "A new dataset"}>
      <p>Every model of the task is run on it, those that are there already too. What is there is never replaced.</p>
      <Form label="New dataset" onSubmit={() => file && !problem && add.mutate({ draft, file })}>
        <AddFields draft={draft} onChange={setDraft} onFile={setFile} />
        {add.error ? <ProblemNotice problem={add.error} /> : null}
        {add.data ? <Added dataset={add.data} /> : null}
        <Row>
          <Button look="main" type="submit" disabled={Boolean(problem) || add.isPending}>
            {add.isPending ? "Sending …" : "Add"}
          </Button>
          <Button look="quiet" onClick={onClose}>
            Close
          </Button>
          <span className="soft">{problem}</span>
        </Row>
      </Form>
    </Card>
  );
}

function Added({ dataset }: { readonly dataset: Dataset }) {
  return (
    <Notice>
      <p role="status">
        <Link href={places.dataset(dataset.id)}>
          {dataset.name} v{dataset.version}
        </Link>{" "}
        is there, with {dataset.examples} examples.
      </p>
    </Notice>
  );
}

function useAdd() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ draft, file }: { draft: Draft; file: File }) =>
      answered(
        api.POST("/api/v1/datasets", {
          params: { query: queryOf(draft) },
          headers: { "content-type": "application/octet-stream" },
          // The file goes as it is; its type in the document is that of any binary body.
          body: file as unknown as string,
          bodySerializer: (body: unknown) => body as Blob,
        }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["datasets"] }),
  });
}
