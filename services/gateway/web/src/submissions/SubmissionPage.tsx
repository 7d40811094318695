import { Page } from "../components/Page";

/** Of id. */
export default function SubmissionPage({ id }: { readonly id: string }) {
  return (
    <Page title="Submission">
      <p>{id}</p>
    </Page>
  );
}
