/** The board that is shown: fetched whole, ranked here while sliders move, made sure by the server when they rest. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { answered, api } from "../api/client";
import { useKey } from "../api/session";
import { type Choices, boardQuery, methodQuery, type Weights } from "./choices";
import { type Chosen, type Ranked, rankedHere, rankedThere, type Row, type View } from "./ranked";

import { type Usual, usualOf } from "./usual";

/** A live board, or one that was frozen: that is always whole, and sure of its own weights only. */
export type Source = { readonly task: string } | { readonly snapshot: string };

/** Up to so many models are fetched with all their cells at once. */
const WHOLE = 200;
const ALL = 1000;

export interface Shown {
  readonly view: View;
  readonly ranked: Ranked;
  /** Every weight as its slider stands. */
  readonly weights: Chosen;
  /** Whether intervals and ties are those of the weights shown. */
  readonly sure: boolean;
}

/** `chosen` are the weights that sliders were moved to; `choices` those of the address, which follow when they rest. */
export function useBoard(source: Source, choices: Choices, chosen: Chosen) {
  const key = useKey();
  const ground = useQuery({
    queryKey: ["board", source, "ground", key, groundQuery(choices).toString()],
    queryFn: ({ signal }) => fetchBoard(source, groundQuery(choices), signal),
    placeholderData: keepPreviousData,
  });
  const isLive = "task" in source;
  const large = (ground.data?.total ?? 0) > WHOLE;
  const asked = isLive ? sureQuery(choices, large) : groundQuery(choices);
  const sure = useQuery({
    queryKey: ["board", source, "sure", key, asked.toString()],
    queryFn: ({ signal }) => fetchBoard(source, asked, signal),
    placeholderData: keepPreviousData,
    enabled: isLive && ground.data !== undefined,
  });
  const view = useMemo(() => merged(ground.data, sure.data), [ground.data, sure.data]);
  const weights = useMemo(() => view && over(usualOf(view, !isLive), chosen), [view, isLive, chosen]);
  const ranked = useMemo(() => {
    if (!view || !weights) return undefined;
    return choices.aggregation === "zscore" ? rankedThere(view) : rankedHere(view, weights);
  }, [view, weights, choices.aggregation]);
  const atRest = chosen.weights === choices.weights && chosen.datasetWeights === choices.datasetWeights;
  const settled = isLive ? sure.data !== undefined && !sure.isPlaceholderData : boardQuery(choices).size === 0;
  const isSure = settled && !ground.isPlaceholderData && atRest;
  const shown: Shown | undefined = view && ranked && weights ? { view, ranked, weights, sure: isSure } : undefined;
  return { shown, ground, problem: shown ? (ground.error ?? sure.error) : null };
}

/** Chosen weights over the usual ones. What no board can be ranked by, the server tells; here it is passed over. */
function over(usual: Usual, chosen: Chosen): Chosen {
  return {
    weights: known(usual.weights, chosen.weights),
    datasetWeights: known(usual.datasetWeights, chosen.datasetWeights),
  };
}

function known(usual: Weights, chosen: Weights): Weights {
  const all = Object.fromEntries(Object.entries(usual).map(([name, weight]) => [name, chosen[name] ?? weight]));
  return Object.values(all).some((weight) => weight > 0) ? all : usual;
}

/** All models with their mean values. Sliders of metrics need no more; those of datasets, on a large board, a new one. */
function groundQuery(choices: Choices): URLSearchParams {
  const query = choices.aggregation === "zscore" ? boardQuery(choices) : methodQuery(choices);
  for (const [name, weight] of Object.entries(choices.datasetWeights)) {
    query.set(`dataset_weight.${name}`, String(weight));
  }
  query.set("detail", "ranking");
  query.set("limit", String(ALL));
  return query;
}

/** Intervals, ties and cells: of all models of a board that is not large, else of the page that is looked at. */
function sureQuery(choices: Choices, large: boolean): URLSearchParams {
  const query = boardQuery(choices);
  if (!large || choices.search) {
    query.set("limit", String(large ? ALL : WHOLE));
    return query;
  }
  query.set("limit", "50");
  if (choices.page > 1) query.set("offset", String((choices.page - 1) * 50));
  if (choices.sort !== "score") query.set("sort", choices.sort);
  if (choices.order) query.set("order", choices.order);
  return query;
}

/** The ground with what is known more surely of some of its rows, and with the words that go with it. */
function merged(ground: View | undefined, sure: View | undefined): View | undefined {
  if (!ground || !sure) return ground;
  const known = new Map<string, Row>(sure.rows.map((row) => [row.model_id, row]));
  const whole = ground.rows.every((row) => known.has(row.model_id));
  const rows = ground.rows.map((row) => known.get(row.model_id) ?? row);
  const words = { explanations: sure.explanations, uncertainty: sure.uncertainty ?? null };
  // Dataset weights belong to the values: cells bring their own, means have those they were made with.
  return { ...ground, ...words, rows: whole ? rows : withMeans(rows, ground) };
}

/** On a large board the ground's means count, which were made for all models alike. */
function withMeans(rows: readonly Row[], ground: View): Row[] {
  return rows.map((row, at) => {
    const brief = ground.rows[at]!.metrics;
    const metrics = Object.entries(row.metrics).map(([name, cell]) => {
      const mean = brief[name];
      return [name, cell && mean ? { ...cell, value: mean.value } : (mean ?? null)] as const;
    });
    return { ...row, metrics: Object.fromEntries(metrics) };
  });
}

/** A board as the query describes it. Throws Problem. */
export async function fetchBoard(source: Source, query: URLSearchParams, signal: AbortSignal): Promise<View> {
  // Names of datasets are part of the query's names, so its type cannot list them all.
  const asked = Object.fromEntries(query) as Record<string, never>;
  const found =
    "task" in source
      ? api.GET("/api/v1/leaderboards/{task}", {
          params: { path: { task: source.task as "sentiment" }, query: asked },
          signal,
        })
      : api.GET("/api/v1/snapshots/{snapshot_id}", { params: { path: { snapshot_id: source.snapshot } }, signal });
  // The client's type of an answer loses the length of pairs.
  const view = (await answered<unknown>(found)) as View;
  return { ...view, rows: view.rows.map(filledIn) };
}

/** A ranking without details leaves out what it does not know. */
function filledIn(row: Row): Row {
  const metrics = Object.entries(row.metrics).map(([name, cell]) => [
    name,
    cell && { ...cell, flags: cell.flags ?? [], provenance: cell.provenance ?? {} },
  ]);
  return {
    ...row,
    datasets: row.datasets ?? [],
    aggregations: row.aggregations ?? {},
    metrics: Object.fromEntries(metrics) as Row["metrics"],
  };
}
