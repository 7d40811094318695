import { metricTitle } from "../components/metrics";
import { Notice } from "../components/Notice";
import { Part } from "../components/Page";
import { number } from "../format/numbers";
import styles from "./leaderboard.module.css";
import type { Shown } from "./useBoard";

/** How to read the table: what a unit is worth, what is left out and why, and how sure the rates are. */
export function Explanations({ shown }: { readonly shown: Shown }) {
  const { view, ranked, sure } = shown;
  const excluded = Object.entries(ranked.excluded);
  const uncertainty = view.uncertainty;
  return (
    <Part title="How to read this board">
      {excluded.length > 0 ? (
        <Notice kind="caution">
          {excluded.map(([metric, reason]) => (
            <p key={metric}>
              <strong>{metricTitle(metric)} is not counted.</strong> {reason} Its weight goes to the others.
            </p>
          ))}
        </Notice>
      ) : null}
      <ul className={styles.words}>
        <li>
          Under a rank stand the ranks that the data leaves open, 95 % sure for all models at once. Rows between two
          strong lines are tied: the data does not tell them apart.
        </li>
        {ranked.span > 0 ? (
          <li>
            A bar shows what lifts a model above the weakest one, metric by metric, in points of the score; all of them
            stand on the same {number(ranked.floor)} points.
          </li>
        ) : null}
        {sure ? view.explanations.map((sentence) => <li key={sentence}>{sentence}</li>) : null}
        {uncertainty && uncertainty.unpaired_cells + uncertainty.certain_cells > 0 ? (
          <li>
            {uncertainty.unpaired_cells} results are known by their interval only, so ties with them are wider than they
            need be; {uncertainty.certain_cells} have none and are taken at their word.
          </li>
        ) : null}
      </ul>
    </Part>
  );
}
