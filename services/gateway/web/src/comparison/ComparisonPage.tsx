import { useSearchParams } from "wouter";
import { useTasks } from "../api/tasks";
import { NotFoundPage } from "../app/NotFoundPage";
import { places } from "../app/places";
import { ButtonLink } from "../components/Button";
import { Loaded } from "../components/Loaded";
import { Empty, Notice } from "../components/Notice";
import { Page } from "../components/Page";
import { Disagreements } from "./Disagreements";
import { Metrics } from "./Metrics";
import { Pickers } from "./Pickers";
import { type Board, type Row, useBoardWith } from "./useComparison";

/** Two models of a board held against one another. */
export default function ComparisonPage({ task }: { readonly task: string }) {
  const tasks = useTasks();
  const [search] = useSearchParams();
  const [a, b] = [search.get("a"), search.get("b")];
  const { query, unpublished } = useBoardWith(task, [a, b]);
  const found = tasks.data?.find(({ name }) => name === task);
  if (tasks.data && !found) return <NotFoundPage />;
  return (
    <Page
      title="Two models compared"
      lead={found ? `${found.title}: where they differ, and whether the data tells them apart.` : undefined}
      actions={
        <>
          {a && b ? <ButtonLink href={places.talk(task, a, b)}>Talk to both</ButtonLink> : null}
          <ButtonLink href={places.board(task)}>Leaderboard</ButtonLink>
        </>
      }
    >
      <Loaded query={query} height="50rem">
        {(board) =>
          board.rows.length < 2 ? (
            <Empty title="There are not two models yet">
              <p>As soon as two models of this task have results, they can be compared here.</p>
            </Empty>
          ) : (
            <Chosen board={board} unpublished={unpublished} performance={found?.performance_metric ?? ""} />
          )
        }
      </Loaded>
    </Page>
  );
}

interface ChosenProps {
  readonly board: Board;
  readonly unpublished: boolean;
  readonly performance: string;
}

/** The two of the address; where it names none, the two that stand highest. */
function Chosen({ board, unpublished, performance }: ChosenProps) {
  const [search, setSearch] = useSearchParams();
  const wanted = (["a", "b"] as const).map((side) => search.get(side));
  const [first, second] = twoOf(board.rows, wanted);
  const missing = wanted.some((id) => id && board.rows.every(({ model_id }) => model_id !== id));
  const choose = (a: string, b: string) => {
    const next = new URLSearchParams(search);
    next.set("a", a);
    next.set("b", b);
    setSearch(next, { replace: true });
  };
  return (
    <>
      {missing ? (
        <Notice kind="caution">
          <p>A model of this address is not on the board, or not yours to see; another one stands in its place.</p>
        </Notice>
      ) : null}
      <Pickers rows={board.rows} first={first} second={second} onChoose={choose} />
      <Metrics key={`${first.model_id} ${second.model_id}`} {...{ board, unpublished, performance, first, second }} />
      <Disagreements {...{ board, unpublished, performance, first, second }} />
    </>
  );
}

function twoOf(rows: readonly Row[], wanted: readonly (string | null)[]): [Row, Row] {
  const [a, b] = wanted.map((id) => rows.find(({ model_id }) => model_id === id));
  const first = a ?? rows.find((row) => row !== b)!;
  return [first, b && b !== first ? b : rows.find((row) => row !== first)!];
}
