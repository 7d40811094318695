/** What a reader has chosen of a board, as its address says it. Names are those of the API wherever it knows them. */

export type Weights = Readonly<Record<string, number>>;
export type Order = "ascending" | "descending";

export interface Choices {
  /** Only what was chosen, on the slider's scale; the rest is the task's. */
  readonly weights: Weights;
  readonly datasetWeights: Weights;
  readonly aggregation: "dynascore" | "zscore";
  readonly slope: "mean" | "median";
  readonly base: string;
  readonly tag: string;
  readonly hardware: string;
  readonly asOf: string;
  readonly unpublished: boolean;
  readonly sort: string;
  /** Empty: best first, names A to Z. */
  readonly order: Order | "";
  readonly search: string;
  /** From 1. */
  readonly page: number;
  /** model_ids of the rows whose details are shown. */
  readonly open: readonly string[];
  /** From when on changes are told: a number of days, or a moment. */
  readonly since: string;
}

export const NOTHING_CHOSEN: Choices = {
  weights: {},
  datasetWeights: {},
  aggregation: "dynascore",
  slope: "mean",
  base: "",
  tag: "",
  hardware: "",
  asOf: "",
  unpublished: false,
  sort: "score",
  order: "",
  search: "",
  page: 1,
  open: [],
  since: "",
};

const WEIGHT = "weight.";
const DATASET_WEIGHT = "dataset_weight.";

export function choicesOf(query: URLSearchParams): Choices {
  const order = query.get("order");
  return {
    weights: weightsOf(query, WEIGHT),
    datasetWeights: weightsOf(query, DATASET_WEIGHT),
    aggregation: query.get("aggregation") === "zscore" ? "zscore" : "dynascore",
    slope: query.get("amrs_method") === "median" ? "median" : "mean",
    base: query.get("base") ?? "",
    tag: query.get("tag") ?? "",
    hardware: query.get("hardware") ?? "",
    asOf: query.get("as_of") ?? "",
    unpublished: query.get("unpublished") === "true",
    sort: query.get("sort") ?? "score",
    order: order === "ascending" || order === "descending" ? order : "",
    search: query.get("search") ?? "",
    page: Math.max(1, Math.floor(Number(query.get("page"))) || 1),
    open: (query.get("open") ?? "").split(",").filter(Boolean),
    since: query.get("since") ?? "",
  };
}

/** The whole address of these choices; what is as usual is left out. */
export function queryOf(choices: Choices): URLSearchParams {
  const query = boardQuery(choices);
  const own: [string, string][] = [
    ["sort", choices.sort === "score" ? "" : choices.sort],
    ["order", choices.order],
    ["search", choices.search],
    ["page", choices.page > 1 ? String(choices.page) : ""],
    ["open", choices.open.join(",")],
    ["since", choices.since],
  ];
  for (const [name, value] of own) if (value) query.set(name, value);
  return query;
}

/** What of the choices makes the board: weights and method. */
export function boardQuery(choices: Choices): URLSearchParams {
  const query = methodQuery(choices);
  for (const [name, weight] of Object.entries(choices.weights)) query.set(WEIGHT + name, String(weight));
  for (const [name, weight] of Object.entries(choices.datasetWeights)) query.set(DATASET_WEIGHT + name, String(weight));
  return query;
}

/** What of the choices makes the board, but for the weights. */
export function methodQuery(choices: Choices): URLSearchParams {
  const query = new URLSearchParams();
  const chosen: [string, string][] = [
    ["aggregation", choices.aggregation === "dynascore" ? "" : choices.aggregation],
    ["amrs_method", choices.slope === "mean" ? "" : choices.slope],
    ["base", choices.base],
    ["tag", choices.tag],
    ["hardware", choices.hardware],
    ["as_of", choices.asOf],
    ["unpublished", choices.unpublished ? "true" : ""],
  ];
  for (const [name, value] of chosen) if (value) query.set(name, value);
  return query;
}

/** Whether weights or method are other than the task's. */
export function isChanged(choices: Choices): boolean {
  return boardQuery(choices).size > 0;
}

function weightsOf(query: URLSearchParams, prefix: string): Record<string, number> {
  const weights: Record<string, number> = {};
  for (const [name, text] of query) {
    const weight = Number(text);
    if (name.startsWith(prefix) && text.trim() && Number.isFinite(weight) && weight >= 0) {
      weights[name.slice(prefix.length)] = weight;
    }
  }
  return weights;
}
