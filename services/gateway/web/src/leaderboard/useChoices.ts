import { useCallback, useMemo } from "react";
import { useSearchParams } from "wouter";
import { type Choices, choicesOf, queryOf } from "./choices";

export type Change = (change: Partial<Choices>) => void;

/** The choices that the address holds, and a way to change it. Moving back goes back to where one came from. */
export function useChoices(): [Choices, Change] {
  const [query, setQuery] = useSearchParams();
  const text = query.toString();
  const choices = useMemo(() => choicesOf(new URLSearchParams(text)), [text]);
  const change = useCallback<Change>(
    (changed) => setQuery((now) => withOthers(now, queryOf({ ...choicesOf(now), ...changed })), { replace: true }),
    [setQuery],
  );
  return [choices, change];
}

/** What the address holds beside choices: axes of charts. */
const OTHERS = ["x", "y", "map_x", "map_y"];

function withOthers(now: URLSearchParams, next: URLSearchParams): URLSearchParams {
  for (const name of OTHERS) {
    const value = now.get(name);
    if (value !== null) next.set(name, value);
  }
  return next;
}
