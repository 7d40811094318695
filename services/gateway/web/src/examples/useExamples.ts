import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { answered, api, type Shapes } from "../api/client";
import { useKey } from "../api/session";

export const PAGE = 20;
export const FILTERS = { all: "All", wrong: "Wrong", right: "Right", differs: "Answered otherwise" } as const;
export type Filter = keyof typeof FILTERS;

export interface Wanted {
  readonly dataset: string;
  readonly version: number | null;
  readonly filter: Filter;
  /** A submission to hold beside it. */
  readonly other: string;
  readonly page: number;
}

/** What an address asks for; what it does not name is as usual. */
export function wantedIn(search: URLSearchParams): Wanted {
  const asked = search.get("filter") ?? "all";
  const other = search.get("other") ?? "";
  const filter = asked in FILTERS && (asked !== "differs" || other) ? (asked as Filter) : "all";
  const [version, page] = [Number(search.get("version")) || null, Math.max(1, Number(search.get("page")) || 1)];
  return { dataset: search.get("dataset") ?? "", version, filter, other, page };
}

/** A page of a dataset's examples with the model's answers. */
export function useExamples(submission: string, wanted: Wanted) {
  const { dataset, version, filter, other, page } = wanted;
  const key = useKey();
  const query = { dataset, version, filter, other: other || null, limit: PAGE, offset: (page - 1) * PAGE };
  return useQuery({
    queryKey: ["examples", submission, query, key],
    queryFn: () =>
      answered(
        api.GET("/api/v1/submissions/{submission_id}/examples", {
          params: { path: { submission_id: submission }, query },
        }),
      ),
    placeholderData: keepPreviousData,
    retry: false,
  });
}

/** The newest finished version of every other model of the task. */
export function useOthers(submission: Shapes["SubmissionView"] | undefined) {
  const task = submission?.task ?? "";
  return useQuery({
    queryKey: ["models", task, useKey()],
    queryFn: () => answered(api.GET("/api/v1/models", { params: { query: { task, limit: 200 } } })),
    enabled: task !== "",
    select: (models) =>
      models
        .filter(({ id }) => id !== submission?.model_id)
        .flatMap(({ versions }) => versions?.find(({ status }) => status === "finished") ?? []),
  });
}
