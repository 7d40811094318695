import { memo, useMemo, useState } from "react";
import { Button } from "../components/Button";
import { BroaderImpact } from "../components/BroaderImpact";
import { Empty, Notice, ProblemNotice } from "../components/Notice";
import { moment } from "../format/numbers";
import { Loaded } from "../components/Loaded";
import { places } from "../app/places";
import { ButtonLink } from "../components/Button";
import { arranged } from "./arranged";
import { BoardTable } from "./BoardTable";
import { Explanations } from "./Explanations";
import { type Choices, isChanged, type Weights } from "./choices";
import { MethodChoices } from "./MethodChoices";
import { Pages } from "./Pages";
import { Forks } from "./Forks";
import { Changes } from "./Changes";
import type { View } from "./ranked";
import { Standing } from "./Standing";
import { type Shown, type Source, useBoard } from "./useBoard";
import { type Change, useChoices } from "./useChoices";
import { useLiveBoard, useNewcomers } from "./useLanding";
import { useSliders } from "./useSliders";
import { WeightsPanel } from "./WeightsPanel";

interface Props {
  readonly source: Source;
  readonly task: string;
  /** Weights that stand where the reader chose none: those of a fork. */
  readonly preset?: { readonly weights: Weights; readonly datasetWeights: Weights } | undefined;
}

/** A board with its sliders, its table and what must be known to read it. */
export function BoardView({ source, task, preset }: Props) {
  const [own, change] = useChoices();
  const choices = useMemo(() => over(own, preset), [own, preset]);
  const { chosen, move } = useSliders(choices, change);
  const { shown, ground, problem } = useBoard(source, choices, chosen);
  const isLive = "task" in source;
  const lost = useLiveBoard(task, isLive && !choices.asOf);
  const fresh = useNewcomers(shown?.view);
  if (!shown)
    return (
      <Loaded query={ground} height="100vh">
        {() => null}
      </Loaded>
    );
  if (shown.view.total === 0) return <NoModels asOf={choices.asOf} change={change} />;
  return (
    <>
      {isLive && choices.asOf ? <Then asOf={choices.asOf} change={change} /> : null}
      {problem ? <ProblemNotice problem={problem} /> : null}
      <WeightsPanel
        shown={shown}
        chosen={chosen}
        isChanged={isChanged(own)}
        whose={preset ? "the fork’s" : isLive ? "the task’s" : "the frozen"}
        onMove={move}
        onReset={() => change({ weights: {}, datasetWeights: {} })}
      >
        {isLive ? <MethodChoices view={shown.view} choices={choices} change={change} /> : null}
      </WeightsPanel>
      <Table shown={shown} choices={choices} change={change} fresh={fresh} lost={lost} isLive={isLive} />
      <Explanations shown={shown} />
      <Beneath
        task={task}
        choices={choices}
        change={change}
        warnings={shown.view.warnings}
        isLive={isLive}
        isFork={preset !== undefined}
      />
    </>
  );
}

interface BeneathProps {
  readonly task: string;
  readonly choices: Choices;
  readonly change: Change;
  readonly warnings: readonly string[];
  readonly isLive: boolean;
  readonly isFork: boolean;
}

/** What is the same while a slider moves. */
const Beneath = memo(function Beneath({ task, choices, change, warnings, isLive, isFork }: BeneathProps) {
  return (
    <>
      {isLive ? <Changes task={task} choices={choices} change={change} /> : null}
      {isLive && !isFork ? <Forks task={task} /> : null}
      <BroaderImpact warnings={warnings} />
    </>
  );
});

interface TableProps {
  readonly shown: Shown;
  readonly choices: Choices;
  readonly change: Change;
  readonly fresh: ReadonlySet<string>;
  readonly lost: boolean;
  readonly isLive: boolean;
}

function Table({ shown, choices, change, fresh, lost, isLive }: TableProps) {
  const [typed, setTyped] = useState(choices.search);
  const page = arranged(shown.ranked.rows, shown.ranked.metrics, { ...choices, search: typed });
  const search = (text: string) => {
    setTyped(text);
    change({ search: text, page: 1 });
  };
  return (
    <section className="stack" aria-label="Models">
      <Standing
        shown={shown}
        found={page.found}
        search={typed}
        onSearch={search}
        fresh={fresh}
        lost={lost}
        isLive={isLive}
      />
      {page.found === 0 ? (
        <Empty title="No model matches">
          <Button onClick={() => search("")}>Show all models</Button>
        </Empty>
      ) : (
        <BoardTable shown={shown} page={page} choices={choices} change={change} fresh={fresh} />
      )}
      {page.pages > 1 ? (
        <Pages page={page.page} pages={page.pages} onPage={(number) => change({ page: number })} />
      ) : null}
    </section>
  );
}

/** Nobody should take a board of the past for that of now. */
function Then({ asOf, change }: { readonly asOf: string; readonly change: Change }) {
  return (
    <Notice kind="caution">
      <p>This is the board as it stood on {moment(asOf)}.</p>
      <div>
        <Button onClick={() => change({ asOf: "" })}>Show the board of now</Button>
      </div>
    </Notice>
  );
}

function NoModels({ asOf, change }: { readonly asOf: View["generated_at"]; readonly change: Change }) {
  if (asOf) {
    return (
      <Empty title="The board was empty then">
        <Button onClick={() => change({ asOf: "" })}>Show the board of now</Button>
      </Empty>
    );
  }
  return (
    <Empty title="No model is on this board yet">
      <p>It has its first row as soon as a model has been handed in, run and published.</p>
      <ButtonLink look="main" href={places.submit()}>
        Submit a model
      </ButtonLink>
    </Empty>
  );
}

function over(own: Choices, preset: Props["preset"]): Choices {
  if (!preset) return own;
  return {
    ...own,
    weights: { ...preset.weights, ...own.weights },
    datasetWeights: { ...preset.datasetWeights, ...own.datasetWeights },
  };
}
