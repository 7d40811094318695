import { Page } from "../components/Page";

/** Of task. */
export default function TalkPage({ task }: { readonly task: string }) {
  return (
    <Page title="Talk">
      <p>{task}</p>
    </Page>
  );
}
