import { Page } from "../components/Page";

/** Of id. */
export default function DatasetPage({ id }: { readonly id: string }) {
  return (
    <Page title="Dataset">
      <p>{id}</p>
    </Page>
  );
}
