import { Page } from "../components/Page";

/** x */
export default function AccountPage() {
  return (
    <Page title="Account">
      <p>To be written.</p>
    </Page>
  );
}
