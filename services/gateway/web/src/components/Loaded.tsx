import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Button } from "./Button";
import { ProblemNotice, Skeleton } from "./Notice";

interface Props<T> {
  readonly query: UseQueryResult<T>;
  /** The room the content will take, while it is fetched. */
  readonly height?: string;
  readonly children: (data: T) => ReactNode;
}

/** The content when it is there, else its place or what went wrong. */
export function Loaded<T>({ query, height = "20rem", children }: Props<T>) {
  if (query.data !== undefined) return children(query.data);
  if (query.error) {
    return (
      <ProblemNotice problem={query.error}>
        <div>
          <Button onClick={() => void query.refetch()}>Try again</Button>
        </div>
      </ProblemNotice>
    );
  }
  return <Skeleton height={height} />;
}
