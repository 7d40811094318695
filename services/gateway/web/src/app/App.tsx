import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { Route, Switch } from "wouter";
import { Problem } from "../api/client";
import { HomePage } from "../home/HomePage";
import { NotFoundPage } from "./NotFoundPage";
import { Shell } from "./Shell";
import { Waiting } from "./Waiting";

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // A sentence of the server will be the same the next time; a lost connection may not.
      retry: (failures, error) => failures < 2 && !(error instanceof Problem && error.status > 0 && error.status < 500),
      refetchOnWindowFocus: false,
    },
  },
});

const LeaderboardPage = lazy(() => import("../leaderboard/LeaderboardPage"));
const SnapshotPage = lazy(() => import("../leaderboard/SnapshotPage"));
const ForkPage = lazy(() => import("../leaderboard/ForkPage"));
const TradeOffsPage = lazy(() => import("../tradeoffs/TradeOffsPage"));
const ComparisonPage = lazy(() => import("../comparison/ComparisonPage"));
const ModelPage = lazy(() => import("../models/ModelPage"));
const TalkPage = lazy(() => import("../talk/TalkPage"));
const SubmitPage = lazy(() => import("../submissions/SubmitPage"));
const SubmissionsPage = lazy(() => import("../submissions/SubmissionsPage"));
const SubmissionPage = lazy(() => import("../submissions/SubmissionPage"));
const ExamplesPage = lazy(() => import("../examples/ExamplesPage"));
const DatasetsPage = lazy(() => import("../datasets/DatasetsPage"));
const DatasetPage = lazy(() => import("../datasets/DatasetPage"));
const TaskPage = lazy(() => import("../tasks/TaskPage"));
const AccountPage = lazy(() => import("../account/AccountPage"));

/** Every page and its address; places.ts writes the same addresses. */
export function App() {
  return (
    <QueryClientProvider client={queries}>
      <Shell>
        <Suspense fallback={<Waiting />}>
          <Switch>
            <Route path="/" component={HomePage} />
            <Route path="/boards/:task">{({ task }) => <LeaderboardPage task={task} />}</Route>
            <Route path="/boards/:task/trade-offs">{({ task }) => <TradeOffsPage task={task} />}</Route>
            <Route path="/boards/:task/compare">{({ task }) => <ComparisonPage task={task} />}</Route>
            <Route path="/snapshots/:id">{({ id }) => <SnapshotPage id={id} />}</Route>
            <Route path="/forks/:id">{({ id }) => <ForkPage id={id} />}</Route>
            <Route path="/models/:id">{({ id }) => <ModelPage id={id} />}</Route>
            <Route path="/talk/:task">{({ task }) => <TalkPage task={task} />}</Route>
            <Route path="/submit" component={SubmitPage} />
            <Route path="/submissions" component={SubmissionsPage} />
            <Route path="/submissions/:id">{({ id }) => <SubmissionPage id={id} />}</Route>
            <Route path="/submissions/:id/examples">{({ id }) => <ExamplesPage id={id} />}</Route>
            <Route path="/datasets" component={DatasetsPage} />
            <Route path="/datasets/:id">{({ id }) => <DatasetPage id={id} />}</Route>
            <Route path="/tasks/:task">{({ task }) => <TaskPage task={task} />}</Route>
            <Route path="/account" component={AccountPage} />
            <Route component={NotFoundPage} />
          </Switch>
        </Suspense>
      </Shell>
    </QueryClientProvider>
  );
}
