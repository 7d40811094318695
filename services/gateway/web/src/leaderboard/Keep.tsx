import { useState } from "react";
import { Button } from "../components/Button";
import type { Choices } from "./choices";
import { ExportDialog } from "./ExportDialog";
import { ForkDialog } from "./ForkDialog";
import { FreezeDialog } from "./FreezeDialog";

type What = "freeze" | "fork" | "export";

interface Props {
  readonly task: string;
  readonly choices: Choices;
  /** A frozen board whose weights are named, instead of the live one. */
  readonly snapshot?: string;
}

/** What can be taken from a board: a frozen copy to cite, a name for its weights, a file. */
export function Keep({ task, choices, snapshot = "" }: Props) {
  const [what, setWhat] = useState<What | null>(null);
  const close = () => setWhat(null);
  return (
    <>
      {snapshot ? null : <Button onClick={() => setWhat("freeze")}>Freeze and cite</Button>}
      <Button onClick={() => setWhat("fork")}>Fork</Button>
      {snapshot ? null : <Button onClick={() => setWhat("export")}>Export</Button>}
      {what === "freeze" ? <FreezeDialog task={task} choices={choices} onClose={close} /> : null}
      {what === "fork" ? <ForkDialog task={task} choices={choices} snapshot={snapshot} onClose={close} /> : null}
      {what === "export" ? <ExportDialog task={task} choices={choices} onClose={close} /> : null}
    </>
  );
}
