import { ProblemNotice } from "../components/Notice";
import { Part, Wide } from "../components/Page";
import { metricColour, metricTitle } from "../components/metrics";
import { Whisker } from "../components/Whisker";
import { decimalsFor, interval, number, percent, signed } from "../format/numbers";
import styles from "./comparison.module.css";
import { type Difference, inWords, metricDifference, scoreDifference } from "./differences";
import { PairHeads } from "./PairHeads";
import { type Board, METRICS, type Row, usePair, usePairsByMetric } from "./useComparison";

interface Props {
  readonly board: Board;
  readonly unpublished: boolean;
  readonly performance: string;
  readonly first: Row;
  readonly second: Row;
}

/** Score and metrics of the two, with paired differences. */
export function Metrics({ board, unpublished, performance, first, second }: Props) {
  const [a, b] = [first.model_id, second.model_id];
  const ranked = first.score !== null && second.score !== null;
  const known = METRICS.filter((metric) => first.metrics[metric] && second.metrics[metric]);
  const compared = known.filter((metric) => ranked && !(metric in board.excluded));
  const overall = usePair(board.task, a, b, unpublished);
  const alone = usePairsByMetric(board.task, a, b, unpublished, compared);
  const problem = overall.error ?? alone.find(({ error }) => error)?.error;
  const waiting = overall.isPending || alone.some(({ isPending }) => isPending);
  const differences = [
    scoreDifference(first, second, overall.data ?? null),
    ...known.map((metric) =>
      metricDifference(metric, board, [first, second], alone[compared.indexOf(metric)]?.data ?? null),
    ),
  ].filter((one) => one !== null);
  const names = [first.name, second.name] as const;
  return (
    <>
      {problem ? <ProblemNotice problem={problem} /> : null}
      <Part title="In words">
        <ul className={styles.words} aria-busy={waiting}>
          {differences.map((one) => (
            <li key={one.metric} data-apart={one.toldApart || undefined}>
              {waiting ? <span className="soft">…</span> : inWords(one, names, performance)}
            </li>
          ))}
        </ul>
      </Part>
      <Part
        title="In numbers"
        aside={<small>First less second, on the same resampled examples; intervals at 95 %.</small>}
      >
        <Table differences={differences} names={names} />
        <small>
          The score is told apart as on the board, corrected for all its pairs ({board.total} models); each metric is
          judged by itself, without correction. “Better” is the share of resamples in which the first is.
        </small>
      </Part>
    </>
  );
}

function Table({ differences, names }: { differences: readonly Difference[]; names: readonly [string, string] }) {
  return (
    <Wide label="Differences of the two">
      <table className={styles.differences}>
        <caption className="visually-hidden">
          Score and metrics of {names[0]} and {names[1]}, with their differences
        </caption>
        <thead>
          <tr>
            <th scope="col">Metric</th>
            <PairHeads names={names} />
            <td aria-hidden="true">
              <small>around no difference</small>
            </td>
            <th scope="col" className="number">
              First better
            </th>
            <th scope="col">Told apart</th>
          </tr>
        </thead>
        <tbody>
          {differences.map((one) => (
            <Line key={one.metric} difference={one} />
          ))}
        </tbody>
      </table>
    </Wide>
  );
}

function Line({ difference }: { readonly difference: Difference }) {
  const { metric, unit, first, second, value, low, high, better, toldApart, reason } = difference;
  const decimals = unit === "%" || metric === "score" ? 1 : Math.max(decimalsFor(first), decimalsFor(second));
  const reach = Math.max(Math.abs(low ?? value), Math.abs(high ?? value)) || 1;
  return (
    <tr>
      <th scope="row">
        {metricTitle(metric)} <small>{unit}</small>
      </th>
      <td className="number">{number(first, decimals)}</td>
      <td className="number">{number(second, decimals)}</td>
      <td className="number">{signed(value, decimals)}</td>
      <td className="number soft">{interval(low, high, decimals) || "–"}</td>
      <td>
        {low === null ? null : (
          <Whisker {...{ value, low, high }} domain={[-reach, reach]} mark={0} colour={metricColour(metric)} />
        )}
      </td>
      <td className="number">{better === null ? "–" : percent(better)}</td>
      <td>{low === null ? <small>{reason}</small> : toldApart ? "yes" : "no"}</td>
    </tr>
  );
}
