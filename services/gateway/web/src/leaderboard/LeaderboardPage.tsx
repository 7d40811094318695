import { useSearch } from "wouter";
import { useTasks } from "../api/tasks";
import { places } from "../app/places";
import { Page } from "../components/Page";
import { Tabs } from "../components/Tabs";
import { BoardView } from "./BoardView";
import { boardQuery, choicesOf } from "./choices";
import { Keep } from "./Keep";
import { useChoices } from "./useChoices";

/** The leaderboard of a task. */
export default function LeaderboardPage({ task }: { readonly task: string }) {
  const title = useTitleOf(task);
  const [choices] = useChoices();
  return (
    <Page
      title={title}
      lead="Move a weight: the models are ranked anew while you do, and the address keeps what you chose."
      actions={<Keep task={task} choices={choices} />}
      tabs={<BoardTabs task={task} />}
    >
      <BoardView key={task} source={{ task }} task={task} />
    </Page>
  );
}

/** The views of one board; weights go along. */
export function BoardTabs({ task }: { readonly task: string }) {
  const query = boardQuery(choicesOf(new URLSearchParams(useSearch()))).toString();
  const under = (place: string) => (query ? `${place}?${query}` : place);
  return (
    <Tabs
      label="Views of this board"
      tabs={[
        { title: "Leaderboard", to: under(places.board(task)) },
        { title: "Trade-offs", to: under(places.tradeOffs(task)) },
        { title: "Compare two models", to: places.comparison(task) },
      ]}
    />
  );
}

export function useTitleOf(task: string): string {
  return useTasks().data?.find((one) => one.name === task)?.title ?? task;
}
