import { Page } from "../components/Page";

/** x */
export default function SubmitPage() {
  return (
    <Page title="Submit">
      <p>To be written.</p>
    </Page>
  );
}
