import { Page } from "../components/Page";

/** x */
export default function SubmissionsPage() {
  return (
    <Page title="Submissions">
      <p>To be written.</p>
    </Page>
  );
}
