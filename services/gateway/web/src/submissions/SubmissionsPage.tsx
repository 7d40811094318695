import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { atLeast } from "../account/roles";
import { SignIn } from "../account/SignIn";
import { answered, api, type Shapes } from "../api/client";
import { useKey } from "../api/session";
import { useTasks, useWhoAmI } from "../api/tasks";
import { places } from "../app/places";
import { usePagedChoices } from "../app/search";
import { Button, ButtonLink } from "../components/Button";
import { Field } from "../components/Field";
import { Choice, Row } from "../components/Form";
import { Loaded } from "../components/Loaded";
import { Empty } from "../components/Notice";
import { Page } from "../components/Page";
import { hasEnded, STATUSES } from "./status";
import { SubmissionTable } from "./SubmissionTable";

const PAGE = 50;

/** One's own submissions; for task owners and administrators everybody's that they may see. */
export default function SubmissionsPage() {
  const secret = useKey();
  return (
    <Page
      title="Submissions"
      lead="Newest first."
      actions={
        <ButtonLink look="main" href={places.submit()}>
          Submit a model
        </ButtonLink>
      }
    >
      {secret ? <List /> : <SignIn reason="Your submissions are yours alone, so the platform must know who you are." />}
    </Page>
  );
}

function List() {
  const [search, choose] = usePagedChoices();
  const choices = {
    task: search.get("task") ?? "",
    status: search.get("status") ?? "",
    everybody: search.get("everybody") === "true",
    page: Math.max(1, Number(search.get("page")) || 1),
  };
  const found = useSubmissions(choices);
  return (
    <>
      <Filters choices={choices} onChoose={choose} />
      <Loaded query={found} height="24rem">
        {(all) => <Found all={all} choices={choices} onPage={(page) => choose("page", page > 1 ? String(page) : "")} />}
      </Loaded>
    </>
  );
}

interface Choices {
  readonly task: string;
  readonly status: string;
  readonly everybody: boolean;
  readonly page: number;
}

function Filters({
  choices,
  onChoose,
}: {
  readonly choices: Choices;
  readonly onChoose: (name: string, value: string) => void;
}) {
  const tasks = useTasks();
  const who = useWhoAmI();
  return (
    <Row>
      <Field label="Task">
        {(ids) => (
          <select {...ids} value={choices.task} onChange={(e) => onChoose("task", e.target.value)}>
            <option value="">All tasks</option>
            {(tasks.data ?? []).map(({ name, title }) => (
              <option key={name} value={name}>
                {title}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label="Status">
        {(ids) => (
          <select {...ids} value={choices.status} onChange={(e) => onChoose("status", e.target.value)}>
            <option value="">Any</option>
            {STATUSES.map((status) => (
              <option key={status}>{status}</option>
            ))}
          </select>
        )}
      </Field>
      {atLeast(who.data?.role, "task-owner") ? (
        <Choice
          kind="checkbox"
          name="everybody"
          label="Everybody’s"
          checked={choices.everybody}
          onChange={(on) => onChoose("everybody", on ? "true" : "")}
        />
      ) : null}
    </Row>
  );
}

interface FoundProps {
  readonly all: Shapes["SubmissionView"][];
  readonly choices: Choices;
  readonly onPage: (page: number) => void;
}

function Found({ all, choices, onPage }: FoundProps) {
  const shown = all.slice(0, PAGE);
  if (shown.length === 0) return <Nothing choices={choices} />;
  return (
    <>
      <SubmissionTable submissions={shown} withOwner={choices.everybody} />
      {choices.page === 1 && all.length <= PAGE ? null : (
        <Row>
          <Button disabled={choices.page === 1} onClick={() => onPage(choices.page - 1)}>
            Newer
          </Button>
          <Button disabled={all.length <= PAGE} onClick={() => onPage(choices.page + 1)}>
            Older
          </Button>
        </Row>
      )}
    </>
  );
}

function Nothing({ choices }: { readonly choices: Choices }) {
  if (choices.task || choices.status || choices.page > 1) {
    return <Empty title="None of these">Choose another task or status.</Empty>;
  }
  return (
    <Empty title="Nothing handed in yet">
      <p>A model that you submit shows up here, from its upload to its place on the board.</p>
      <ButtonLink href={places.submit()}>Submit a model</ButtonLink>
    </Empty>
  );
}

/** A page of them and one more, which tells whether there is a next page; fetched again while one of them moves. */
function useSubmissions({ task, status, everybody, page }: Choices) {
  const query = {
    task: task || null,
    status: (STATUSES.find((known) => known === status) ?? null) as Shapes["Status"] | null,
    everybody,
    limit: PAGE + 1,
    offset: (page - 1) * PAGE,
  };
  return useQuery({
    queryKey: ["submissions", query],
    queryFn: () => answered(api.GET("/api/v1/submissions", { params: { query } })),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.some((one) => !hasEnded(one.status)) ? 5_000 : false),
  });
}
