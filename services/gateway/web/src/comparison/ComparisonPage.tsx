import { Page } from "../components/Page";

/** Of task. */
export default function ComparisonPage({ task }: { readonly task: string }) {
  return (
    <Page title="Comparison">
      <p>{task}</p>
    </Page>
  );
}
