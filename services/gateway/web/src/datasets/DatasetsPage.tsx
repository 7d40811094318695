import { Page } from "../components/Page";

/** x */
export default function DatasetsPage() {
  return (
    <Page title="Datasets">
      <p>To be written.</p>
    </Page>
  );
}
