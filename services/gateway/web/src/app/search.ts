import { useSearchParams } from "wouter";

export type Choose = (name: string, value: string) => void;

/** One choice of the reader that lives in the address; empty when nothing is chosen. */
export function useChoice(name: string): [string, (value: string) => void] {
  const [search, setSearch] = useSearchParams();
  const choose = (value: string) => setSearch((now) => chosen(now, name, value), { replace: true });
  return [search.get(name) ?? "", choose];
}

/** The choices of a list that has pages: another choice than that of the page leads to its first. */
export function usePagedChoices(): [URLSearchParams, Choose] {
  const [search, setSearch] = useSearchParams();
  const choose: Choose = (name, value) =>
    setSearch(
      (now) => {
        const next = chosen(now, name, value);
        if (name !== "page") next.delete("page");
        return next;
      },
      { replace: true },
    );
  return [search, choose];
}

function chosen(now: URLSearchParams, name: string, value: string): URLSearchParams {
  const next = new URLSearchParams(now);
  if (value) next.set(name, value);
  else next.delete(name);
  return next;
}
