import { Page } from "../components/Page";

/** Of task. */
export default function TaskPage({ task }: { readonly task: string }) {
  return (
    <Page title="Task">
      <p>{task}</p>
    </Page>
  );
}
