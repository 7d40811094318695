import { Page } from "../components/Page";

/** Of id. */
export default function SnapshotPage({ id }: { readonly id: string }) {
  return (
    <Page title="Snapshot">
      <p>{id}</p>
    </Page>
  );
}
