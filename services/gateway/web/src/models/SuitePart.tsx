import { metricColour, metricTitle } from "../components/metrics";
import { Part } from "../components/Page";
import { groupTitle, kindMeaning, kindTitle } from "../components/perturbations";
import { interval, number } from "../format/numbers";
import type { DatasetScores, Suite, SuiteRow } from "./scores";
import { type ScoreRow, ScoreTable } from "./ScoreTable";

interface Props {
  readonly dataset: DatasetScores;
  readonly suite: Suite;
}

const MEANINGS: Readonly<Record<Suite, string>> = {
  robustness: "The share of variants with slips of writing whose prediction stays, right or wrong.",
  fairness: "The share of variants about other people whose prediction stays, right or wrong.",
};

/** A suite of perturbations: the number that ranks, then by transformation and by group. */
export function SuitePart({ dataset, suite }: Props) {
  const { whole, kinds, groups, coverage } = dataset.suites[suite];
  if (!whole) return null;
  const { kept } = whole;
  return (
    <Part title={metricTitle(suite)} aside={<small>{MEANINGS[suite]}</small>}>
      <p>
        <strong>{number(kept.value, 1)} %</strong> of {number(kept.n, 0)} variants keep their prediction (95 % interval{" "}
        {interval(kept.low, kept.high, 1)}).{" "}
        {coverage ? `${number(coverage.value, 0)} % of the examples have a variant.` : null}
      </p>
      <ScoreTable
        {...TABLE}
        caption={`${metricTitle(suite)} by transformation`}
        first="Transformation"
        colour={metricColour(suite)}
        mark={kept.value}
        rows={kinds.map((row) => asRow(row, <Kind name={row.name} />))}
      />
      {groups.length ? (
        <ScoreTable
          {...TABLE}
          caption={`${metricTitle(suite)} by group`}
          first="Between whom"
          colour={metricColour(suite)}
          mark={kept.value}
          rows={groups.map((row) => asRow(row, groupTitle(row.name)))}
        />
      ) : null}
    </Part>
  );
}

const TABLE = { unit: "Kept, %", changes: "Performance, points" } as const;

function asRow({ name, kept, change }: SuiteRow, shown: ScoreRow["name"]): ScoreRow {
  return { key: name, name: shown, score: kept, change };
}

function Kind({ name }: { readonly name: string }) {
  return (
    <>
      {kindTitle(name)}
      <br />
      <small>{kindMeaning(name)}</small>
    </>
  );
}
