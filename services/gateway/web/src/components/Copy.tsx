import { useState } from "react";
import { Button } from "./Button";

interface Props {
  /** What goes to the clipboard. */
  readonly text: string;
  /** What is copied, for the button: "the citation". */
  readonly what: string;
  readonly look?: "plain" | "main" | "quiet";
}

/** Copies a text, and says so; where the browser forbids it, says that. */
export function Copy({ text, what, look = "plain" }: Props) {
  const [said, setSaid] = useState("");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setSaid("Copied");
    } catch {
      setSaid("Not allowed here: select it and copy");
    }
    window.setTimeout(() => setSaid(""), 2500);
  };
  return (
    <Button look={look} onClick={() => void copy()} aria-label={said ? undefined : `Copy ${what}`}>
      <span aria-live="polite">{said || "Copy"}</span>
    </Button>
  );
}
