import { useEffect, useState } from "react";
import type { Example } from "./examples";

// Longer texts make addresses that programs cut off.
const LONGEST = 2000;

/**
 * The text as it is typed. What was asked last stands behind the `#` of the address, so that it can be sent to somebody:
 * that part never reaches a server. Whoever opens it finds the text typed, and asks when they want.
 */
export function useTypedText(inputs: readonly string[], asked: Example | undefined, models: string) {
  const [text, setText] = useState<Example>(() => textOf(window.location.hash, inputs));
  // Choosing another model writes the address anew, without what stands behind the `#`.
  useEffect(() => {
    if (!asked) return;
    const hash = hashOf(inputs, asked);
    if (window.location.hash !== hash) window.history.replaceState(null, "", hash || window.location.search);
  }, [inputs, asked, models]);
  return [text, setText] as const;
}

/** A text as it stands behind the `#`; nothing of one that is too long. */
export function hashOf(inputs: readonly string[], text: Example): string {
  const hash = `#${new URLSearchParams(inputs.map((field) => [field, text[field] ?? ""])).toString()}`;
  return hash.length > LONGEST ? "" : hash;
}

export function textOf(hash: string, inputs: readonly string[]): Example {
  const given = new URLSearchParams(hash.slice(1));
  return Object.fromEntries(inputs.flatMap((field) => (given.get(field) ? [[field, given.get(field)!]] : [])));
}
