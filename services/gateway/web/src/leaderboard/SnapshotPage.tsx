import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { answered, api, type Shapes } from "../api/client";
import { useKey } from "../api/session";
import { places } from "../app/places";
import { Bundle } from "../bundles/Bundle";
import { Loaded } from "../components/Loaded";
import { Notice } from "../components/Notice";
import { Page, Part } from "../components/Page";
import { moment } from "../format/numbers";
import { BoardView } from "./BoardView";
import { Citations } from "./Citations";
import { Keep } from "./Keep";
import { useTitleOf } from "./LeaderboardPage";
import { useChoices } from "./useChoices";

/** A frozen leaderboard: the same numbers for ever, and how to cite them. */
export default function SnapshotPage({ id }: { readonly id: string }) {
  const key = useKey();
  const params = { path: { snapshot_id: id } };
  const card = useQuery({
    queryKey: ["citation", id, "json", key],
    queryFn: async () =>
      (await answered<unknown>(api.GET("/api/v1/snapshots/{snapshot_id}/citation", { params }))) as Shapes["Citation"],
    staleTime: Infinity,
  });
  const task = card.data?.task ?? "";
  const [choices] = useChoices();
  const title = useTitleOf(task);
  return (
    <Page
      title={task ? `${title}, frozen` : "A frozen leaderboard"}
      lead={card.data ? `${card.data.models} models as they stood on ${moment(card.data.timestamp)}` : undefined}
      actions={task ? <Keep task={task} choices={choices} snapshot={id} /> : null}
    >
      <Loaded query={card}>
        {(cited) => (
          <>
            <Notice>
              <p>
                These numbers never change. Weights may be moved, and the frozen models are ranked under them; what was
                frozen is this page without weights in its address. The board goes on <Live task={cited.task} />.
              </p>
            </Notice>
            <BoardView source={{ snapshot: id }} task={cited.task} />
            <Part title="Cite this">
              <Citations snapshot={id} />
              <p className="soft">
                Digest of the frozen bytes: <code>{cited.digest}</code>
              </p>
            </Part>
            <Bundle source={{ snapshot: id }} name={`board-${id}`} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Live({ task }: { readonly task: string }) {
  return <Link href={places.board(task)}>live</Link>;
}
