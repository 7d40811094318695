import { Page } from "../components/Page";

/** Of task. */
export default function LeaderboardPage({ task }: { readonly task: string }) {
  return (
    <Page title="Leaderboard">
      <p>{task}</p>
    </Page>
  );
}
