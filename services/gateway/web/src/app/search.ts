import { useSearchParams } from "wouter";

/** One choice of the reader that lives in the address; empty when nothing is chosen. */
export function useChoice(name: string): [string, (value: string) => void] {
  const [search, setSearch] = useSearchParams();
  const choose = (value: string) =>
    setSearch(
      (now) => {
        const next = new URLSearchParams(now);
        if (value) next.set(name, value);
        else next.delete(name);
        return next;
      },
      { replace: true },
    );
  return [search.get(name) ?? "", choose];
}
