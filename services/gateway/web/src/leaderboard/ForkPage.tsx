import { Page } from "../components/Page";

/** Of id. */
export default function ForkPage({ id }: { readonly id: string }) {
  return (
    <Page title="Fork">
      <p>{id}</p>
    </Page>
  );
}
