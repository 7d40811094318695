import { Link } from "wouter";
import { SignIn } from "../account/SignIn";
import type { Shapes } from "../api/client";
import { useKey } from "../api/session";
import { places } from "../app/places";
import { type Choose, usePagedChoices } from "../app/search";
import { Button } from "../components/Button";
import { ExampleCard, ExampleCards } from "../components/ExampleCard";
import { Field } from "../components/Field";
import { Row } from "../components/Form";
import { Loaded } from "../components/Loaded";
import { Empty } from "../components/Notice";
import { Page } from "../components/Page";
import { number } from "../format/numbers";
import { useSubmission } from "../submissions/useSubmission";
import { type Filter, FILTERS, PAGE, useExamples, useOthers, type Wanted, wantedIn } from "./useExamples";

/** What a model answered to each example of a dataset, alone or beside another model. */
export default function ExamplesPage({ id }: { readonly id: string }) {
  const [search, choose] = usePagedChoices();
  const wanted = wantedIn(search);
  const submission = useSubmission(id).data;
  const reason = "Answers are shown to those who sign in, so that nobody gathers a test set by them.";
  return (
    <Page
      title={`Answers on ${wanted.dataset}`}
      lead={submission ? <Link href={places.model(submission.model_id)}>{submission.name}</Link> : undefined}
    >
      {useKey() ? (
        <Shown submission={submission} id={id} wanted={wanted} onChoose={choose} />
      ) : (
        <SignIn reason={reason} />
      )}
    </Page>
  );
}

interface Props {
  readonly id: string;
  readonly submission: Shapes["SubmissionView"] | undefined;
  readonly wanted: Wanted;
  readonly onChoose: Choose;
}

function Shown({ id, submission, wanted, onChoose }: Props) {
  const examples = useExamples(id, wanted);
  const others = useOthers(submission);
  const beside = others.data?.find((one) => one.id === wanted.other)?.name ?? "The other model";
  return (
    <>
      <Row>
        <Field label="Examples">
          {(ids) => (
            <select {...ids} value={wanted.filter} onChange={(e) => onChoose("filter", e.target.value)}>
              {(Object.keys(FILTERS) as Filter[]).map((name) => (
                <option key={name} value={name} disabled={name === "differs" && !wanted.other}>
                  {FILTERS[name]}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label="Beside">
          {(ids) => (
            <select {...ids} value={wanted.other} onChange={(e) => onChoose("other", e.target.value)}>
              <option value="">No other model</option>
              {(others.data ?? []).map((one) => (
                <option key={one.id} value={one.id}>
                  {one.name}
                </option>
              ))}
            </select>
          )}
        </Field>
      </Row>
      <Loaded query={examples} height="32rem">
        {(view) => (
          <Answers
            view={view}
            names={[submission?.name ?? "The model", beside]}
            page={wanted.page}
            onPage={(page) => onChoose("page", page > 1 ? String(page) : "")}
          />
        )}
      </Loaded>
    </>
  );
}

interface AnswersProps {
  readonly view: Shapes["ExamplesView"];
  readonly names: readonly [string, string];
  readonly page: number;
  readonly onPage: (page: number) => void;
}

function Answers({ view, names, page, onPage }: AnswersProps) {
  const last = page * PAGE >= view.matching;
  return (
    <>
      <p aria-live="polite">
        {number(view.matching, 0)} of {number(view.examples, 0)} examples of version {view.version}. {view.note}
      </p>
      {view.shown.length === 0 ? <Empty title="None of these">Choose other examples.</Empty> : null}
      <ExampleCards>
        {view.shown.map((example) => (
          <ExampleCard
            key={example.number}
            title={`Example ${example.number + 1}`}
            inputs={example.inputs}
            answers={answersOf(example, names)}
            label={example.label}
            tags={example.tags}
          />
        ))}
      </ExampleCards>
      {page === 1 && last ? null : (
        <Row>
          <Button disabled={page === 1} onClick={() => onPage(page - 1)}>
            Previous
          </Button>
          <Button disabled={last} onClick={() => onPage(page + 1)}>
            Next
          </Button>
        </Row>
      )}
    </>
  );
}

/** Whose answers are shown, and what they are. */
function answersOf({ answer, other }: Shapes["ShownExample"], [own, beside]: readonly [string, string]) {
  return [[own, answer] as const, ...(other == null ? [] : [[beside, other] as const])];
}
