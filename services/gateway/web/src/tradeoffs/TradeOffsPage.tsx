import { Page } from "../components/Page";

/** Of task. */
export default function TradeOffsPage({ task }: { readonly task: string }) {
  return (
    <Page title="TradeOffs">
      <p>{task}</p>
    </Page>
  );
}
