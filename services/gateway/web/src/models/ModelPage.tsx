import { Page } from "../components/Page";

/** Of id. */
export default function ModelPage({ id }: { readonly id: string }) {
  return (
    <Page title="Model">
      <p>{id}</p>
    </Page>
  );
}
