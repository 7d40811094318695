/**
 * The Dynascore in the browser, so that a board is re-ranked while a slider moves. It says what the server's Python
 * says (services/scoring: goods, amrs, dynascore, ranking); tests/gateway/web holds the two together on random boards.
 */

/** Raw results: `values[model][dataset][metric]`, each metric in its own unit; null where there is no result yet. */
export interface Board {
  readonly models: readonly string[];
  readonly datasets: readonly string[];
  readonly metrics: readonly string[];
  readonly values: readonly (readonly (readonly (number | null)[])[])[];
  /** Pairs [dataset, metric] that no model can have. */
  readonly inapplicable?: readonly (readonly [string, string])[];
}

/** What a viewer may choose; what is left out has the paper's default. Weights are on any scale. */
export interface Method {
  readonly weights?: Readonly<Record<string, number>>;
  readonly datasetWeights?: Readonly<Record<string, number>>;
  readonly base?: string;
  /** Metrics of which less is better, with the budget from which the saved part counts. */
  readonly budgets?: Readonly<Record<string, number>>;
  readonly epsilon?: { readonly mode: "relative" | "absolute"; readonly value: number };
  readonly slope?: "mean" | "median";
}

/** Rows are models as on the board. A model that lacks something has no score and the rank 0. */
export interface Ranking {
  readonly scores: readonly (number | null)[];
  readonly ranks: readonly number[];
  /** Rows as shown: best first, ties by base metric and id, the unranked last. */
  readonly order: readonly number[];
  /** Means over datasets, models × metrics. */
  readonly values: readonly (readonly (number | null)[])[];
  readonly weights: Readonly<Record<string, number>>;
  readonly datasetWeights: Readonly<Record<string, number>>;
  readonly amrs: Readonly<Record<string, number | null>>;
  readonly exchangeRates: Readonly<Record<string, number | null>>;
  readonly excluded: Readonly<Record<string, string>>;
  readonly keptPairs: number;
  readonly threshold: number;
}

const ROUNDING = 1e-12;
const NO_VALUE = "No model has a value yet.";
const OUT_OF_RANGE = "Its values are beyond the range in which they can be compared.";

/** Rank a board. Throws RangeError for names and weights that cannot be. */
export function dynascore(board: Board, method: Method = {}): Ranking {
  const base = board.metrics.indexOf(method.base ?? "performance");
  if (base < 0) {
    throw new RangeError(`The base metric must be one of ${board.metrics.join(", ")}.`);
  }
  const defaults = board.metrics.map((_, column) => (column === base ? Math.max(board.metrics.length - 1, 1) : 1));
  const sets = completed(
    "dataset",
    board.datasets,
    method.datasetWeights ?? {},
    board.datasets.map(() => 1),
  );
  const asked = completed("metric", board.metrics, method.weights ?? {}, defaults);
  const values = overDatasets(board, sets);
  const goods = asGoods(values, board.metrics, method.budgets ?? {});
  const known = board.metrics.map((_, column) => goods.some((row) => !Number.isNaN(row[column])));
  const pool = poolOf(board, goods, base, known);
  const epsilon = method.epsilon ?? { mode: "relative", value: 1e-4 };
  const greatest = pool.reduce((most, row) => Math.max(most, Math.abs(goods[row]![base]!)), 0);
  const threshold = epsilon.mode === "absolute" ? epsilon.value : epsilon.value * greatest;
  const slopes = keptSlopes(
    pool.map((row) => goods[row]!),
    base,
    threshold,
  );
  const rates = board.metrics.map((_, column) => rateOf(slopes, column, base, method.slope ?? "mean"));
  const units = rates.map((rate) => (rate > 0 ? rate : NaN));
  const terms = goods.map((row) => row.map((good, column) => good / units[column]!));
  const unpriced = exclusions(board, base, rates, known, { pool: pool.length, kept: slopes.length, threshold });
  const excluded = withOutOfRange(board.metrics, unpriced, goods, terms);
  const kept = board.metrics.map((metric) => !(metric in excluded));
  const weights = redistributed(asked, kept);
  const needed = known.map((has, column) => column === base || (has && asked[column]! > 0));
  const scores = scoresOf(goods, terms, weights, needed);
  const order = orderOf(
    board,
    scores,
    goods.map((row) => row[base]!),
  );
  const usual = redistributed(normalised(defaults), kept);
  return {
    scores: scores.map(orNull),
    ranks: placesOf(scores, order),
    order,
    values: values.map((row) => row.map(orNull)),
    weights: named(board.metrics, weights),
    datasetWeights: named(board.datasets, sets),
    amrs: named(
      board.metrics,
      units.map((unit, column) => (kept[column] ? orNull(unit) : null)),
    ),
    exchangeRates: named(
      board.metrics,
      units.map((unit, column) => (kept[column] ? orNull((usual[column]! / weights[column]!) * unit) : null)),
    ),
    excluded: inOrder(board.metrics, excluded),
    keptPairs: slopes.length,
    threshold,
  };
}

/** The given weights over the defaults, normalised to sum 1. */
function completed(
  kind: string,
  names: readonly string[],
  given: Readonly<Record<string, number>>,
  defaults: readonly number[],
): number[] {
  for (const [name, weight] of Object.entries(given)) {
    if (!names.includes(name)) throw new RangeError(`There is no ${kind} '${name}' here.`);
    if (!(Number.isFinite(weight) && weight >= 0)) {
      throw new RangeError(`The weight of ${kind} '${name}' must be a number of at least 0, not ${weight}.`);
    }
  }
  const weights = names.map((name, place) => (Object.hasOwn(given, name) ? given[name]! : defaults[place]!));
  if (weights.length && !weights.some((weight) => weight > 0)) {
    throw new RangeError(`All ${kind} weights are 0; give at least one ${kind} a weight above 0.`);
  }
  return normalised(weights);
}

/** The weights divided by their sum; all 0 stays all 0. Divided by the greatest first, so that no sum overflows. */
function normalised(weights: readonly number[]): number[] {
  const greatest = Math.max(0, ...weights);
  if (greatest === 0) return weights.map(() => 0);
  const scaled = weights.map((weight) => weight / greatest);
  const total = sum(scaled);
  return scaled.map((weight) => weight / total);
}

/** The weight of what is left out goes to the others in proportion. */
function redistributed(weights: readonly number[], kept: readonly boolean[]): number[] {
  return kept.every(Boolean) ? [...weights] : normalised(weights.map((weight, place) => (kept[place] ? weight : 0)));
}

/** Weighted means over the datasets that a metric applies to; NaN where one that counts has no result. */
function overDatasets(board: Board, weights: readonly number[]): number[][] {
  const never = new Set((board.inapplicable ?? []).map((pair) => JSON.stringify(pair)));
  const shares = board.metrics.map((metric) => {
    const applies = board.datasets.map((dataset) => !never.has(JSON.stringify([dataset, metric])));
    const counted = weights.map((weight, place) => (applies[place] ? weight : 0));
    const total = sum(counted);
    return applies.every(Boolean) || total === 0 ? counted : counted.map((weight) => weight / total);
  });
  return board.values.map((ofModel) =>
    shares.map((ofMetric, column) => {
      let mean = NaN;
      ofMetric.forEach((share, dataset) => {
        if (share === 0) return;
        const term = (ofModel[dataset]![column] ?? NaN) * share;
        mean = ofMetric.slice(0, dataset).every((before) => before === 0) ? term : mean + term;
      });
      return mean;
    }),
  );
}

/** "More is better" for every metric. */
function asGoods(
  values: readonly (readonly number[])[],
  metrics: readonly string[],
  budgets: Readonly<Record<string, number>>,
): number[][] {
  return values.map((row) =>
    row.map((value, column) => (Object.hasOwn(budgets, metrics[column]!) ? budgets[metrics[column]!]! - value : value)),
  );
}

/** The rows of the models that have every metric anybody has, best base metric first, ties by id. */
function poolOf(
  board: Board,
  goods: readonly (readonly number[])[],
  base: number,
  known: readonly boolean[],
): number[] {
  const rows = goods.map((_, row) => row);
  const whole = rows.filter((row) =>
    known.every((has, column) => !(has || column === base) || !Number.isNaN(goods[row]![column])),
  );
  return whole.sort((a, b) => goods[b]![base]! - goods[a]![base]! || byId(board, a, b));
}

/** |ΔM| / |Δbase| of the neighbours that differ by more than the threshold in the base metric, pairs × metrics. */
function keptSlopes(pool: readonly (readonly number[])[], base: number, threshold: number): number[][] {
  const slopes: number[][] = [];
  for (let row = 1; row < pool.length; row++) {
    const gap = pool[row]![base]! - pool[row - 1]![base]!;
    if (Math.abs(gap) <= threshold) continue;
    slopes.push(pool[row]!.map((good, column) => Math.abs(stepBetween(pool[row - 1]![column]!, good) / gap)));
  }
  return slopes;
}

/** second - first, and 0 where that is within the rounding of the numbers themselves. */
function stepBetween(first: number, second: number): number {
  const step = second - first;
  return Math.abs(step) <= ROUNDING * Math.max(Math.abs(first), Math.abs(second)) ? 0 : step;
}

/** The AMRS of a metric: 0 without a kept pair, NaN where numbers leave the range of floats, 1 for the base metric. */
function rateOf(slopes: readonly (readonly number[])[], column: number, base: number, kind: "mean" | "median"): number {
  if (column === base) return 1;
  if (!slopes.length) return 0;
  const ofMetric = slopes.map((row) => row[column]!);
  const rate = kind === "mean" ? sum(ofMetric) / ofMetric.length : median(ofMetric);
  return Number.isFinite(rate) ? rate : NaN;
}

function exclusions(
  board: Board,
  base: number,
  rates: readonly number[],
  known: readonly boolean[],
  made: { readonly pool: number; readonly kept: number; readonly threshold: number },
): Record<string, string> {
  const name = board.metrics[base]!;
  let unknown = `It does not change between neighbouring models that differ in ${name}.`;
  if (made.kept === 0)
    unknown = `No two neighbouring models differ in ${name} by more than ${sixDigits(made.threshold)}.`;
  if (made.pool < 2) unknown = "Fewer than two models have every metric, so nothing says what a point of it is worth.";
  const excluded: Record<string, string> = {};
  board.metrics.forEach((metric, column) => {
    if (!known[column]) excluded[metric] = NO_VALUE;
    else if (rates[column]! <= 0) excluded[metric] = unknown;
  });
  return excluded;
}

/** Out of range are metrics whose terms cannot be summed; they join those that are left out already. */
function withOutOfRange(
  metrics: readonly string[],
  excluded: Readonly<Record<string, string>>,
  goods: readonly (readonly number[])[],
  terms: readonly (readonly number[])[],
): Record<string, string> {
  const beyond = metrics.filter((_, column) =>
    terms.some((row, place) => isBeyond(row[column]!, goods[place]![column]!)),
  );
  return { ...Object.fromEntries(beyond.map((metric) => [metric, OUT_OF_RANGE])), ...excluded };
}

function isBeyond(term: number, good: number): boolean {
  return Math.abs(term) === Infinity || (Number.isNaN(term) && !Number.isNaN(good));
}

/** The weighted sum of terms for every model that has the metrics asked for, else NaN. */
function scoresOf(
  goods: readonly (readonly number[])[],
  terms: readonly (readonly number[])[],
  weights: readonly number[],
  asked: readonly boolean[],
): number[] {
  return goods.map((row, place) => {
    if (asked.some((wanted, column) => wanted && Number.isNaN(row[column]))) return NaN;
    let score = 0;
    weights.forEach((weight, column) => {
      if (weight !== 0) score += weight * terms[place]![column]!;
    });
    return score;
  });
}

function orderOf(board: Board, scores: readonly number[], bases: readonly number[]): number[] {
  const rows = scores.map((_, row) => row);
  return rows.sort((a, b) => bestFirst(scores[a]!, scores[b]!) || bestFirst(bases[a]!, bases[b]!) || byId(board, a, b));
}

/** Greater numbers first, NaN last. */
function bestFirst(a: number, b: number): number {
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
  return a === b ? 0 : b > a ? 1 : -1;
}

function byId(board: Board, a: number, b: number): number {
  return board.models[a]! < board.models[b]! ? -1 : 1;
}

/** 1 for the best; equal scores share the better place; 0 for who has none. */
function placesOf(scores: readonly number[], order: readonly number[]): number[] {
  const ranks = scores.map(() => 0);
  let place = 0;
  order.forEach((row, at) => {
    if (at === 0 || scores[row] !== scores[order[at - 1]!]) place = at + 1;
    ranks[row] = Number.isNaN(scores[row]) ? 0 : place;
  });
  return ranks;
}

function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, value) => total + value, 0);
}

function orNull(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

function named<Value>(names: readonly string[], values: readonly Value[]): Record<string, Value> {
  return Object.fromEntries(names.map((name, place) => [name, values[place]!]));
}

function inOrder(names: readonly string[], reasons: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(names.filter((name) => name in reasons).map((name) => [name, reasons[name]!]));
}

/** Six significant digits without idle zeros, as Python's `:.6g` writes them. */
function sixDigits(value: number): string {
  if (value === 0) return "0";
  const [digits, power] = value.toExponential(5).split("e") as [string, string];
  const exponent = Number(power);
  const short = (text: string) => (text.includes(".") ? text.replace(/\.?0+$/, "") : text);
  if (exponent >= -4 && exponent < 6) return short(value.toFixed(5 - exponent));
  return `${short(digits)}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
}
