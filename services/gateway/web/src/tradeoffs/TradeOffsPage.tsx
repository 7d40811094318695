import { useSearchParams } from "wouter";
import { BroaderImpact } from "../components/BroaderImpact";
import { Loaded } from "../components/Loaded";
import { Empty, ProblemNotice } from "../components/Notice";
import { Page } from "../components/Page";
import { isChanged, type Weights } from "../leaderboard/choices";
import { BoardTabs, useTitleOf } from "../leaderboard/LeaderboardPage";
import { type Shown, useBoard } from "../leaderboard/useBoard";
import { useChoices } from "../leaderboard/useChoices";
import { useSliders } from "../leaderboard/useSliders";
import { WeightsPanel } from "../leaderboard/WeightsPanel";
import { Influence } from "./Influence";
import { ScatterPart } from "./ScatterPart";
import { WhoCouldBeFirst } from "./WhoCouldBeFirst";

/** What one metric costs in another, and for which weights who is first. */
export default function TradeOffsPage({ task }: { readonly task: string }) {
  return (
    <Page
      title={`Trade-offs in ${useTitleOf(task).toLowerCase()}`}
      lead="What one metric costs in another, and whom other weights would put first."
      tabs={<BoardTabs task={task} />}
    >
      <TradeOffs key={task} task={task} />
    </Page>
  );
}

function TradeOffs({ task }: { readonly task: string }) {
  const [choices, change] = useChoices();
  const [query, setQuery] = useSearchParams();
  const { chosen, move } = useSliders(choices, change);
  const { shown, ground, problem } = useBoard({ task }, choices, chosen);
  // Axes are of this page only; what the board's page keeps in the address stays as it is.
  const setAxes = (axes: Readonly<Record<string, string>>) =>
    setQuery(
      (now) => {
        const next = new URLSearchParams(now);
        for (const [name, metric] of Object.entries(axes)) next.set(name, metric);
        return next;
      },
      { replace: true },
    );
  if (!shown)
    return (
      <Loaded query={ground} height="100vh">
        {() => null}
      </Loaded>
    );
  if (shown.view.total === 0) return <Empty title="No model is on this board yet" />;
  const [x, y] = axesOf(query, shown);
  return (
    <>
      <ScatterPart shown={shown} x={x} y={y} onChoose={setAxes} />
      {problem ? <ProblemNotice problem={problem} /> : null}
      <WeightsPanel
        shown={shown}
        chosen={chosen}
        isChanged={isChanged(choices)}
        whose="the task’s"
        onMove={move}
        onReset={() => change({ weights: {}, datasetWeights: {} })}
      >
        {null}
      </WeightsPanel>
      <WhoCouldBeFirst
        task={task}
        choices={choices}
        axes={[query.get("map_x") ?? "", query.get("map_y") ?? ""]}
        onAxes={setAxes}
        onWeights={(weights: Weights) => change({ weights: { ...choices.weights, ...weights } })}
      />
      <Influence task={task} choices={choices} />
      <BroaderImpact warnings={shown.view.warnings} />
    </>
  );
}

function axesOf(query: URLSearchParams, { view, ranked }: Shown): [string, string] {
  const known = (name: string) => {
    const metric = query.get(name) ?? "";
    return ranked.metrics.includes(metric) ? metric : "";
  };
  const up = known("y") || view.base_metric;
  const across = known("x") || ranked.metrics.find((metric) => metric !== up) || up;
  return [across, up];
}
