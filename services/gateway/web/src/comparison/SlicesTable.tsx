import type { Shapes } from "../api/client";
import { metricColour, metricTitle } from "../components/metrics";
import { Wide } from "../components/Page";
import { Whisker } from "../components/Whisker";
import { interval, number, signed } from "../format/numbers";
import { useState } from "react";
import { Button } from "../components/Button";
import styles from "./comparison.module.css";
import { PairHeads } from "./PairHeads";

interface Props {
  readonly parts: readonly Shapes["DifferingPart"][];
  readonly names: readonly [string, string];
  readonly performance: string;
}

const FIRST = 12;

/** The two models on the examples of each tag. */
export function SlicesTable({ parts, names, performance }: Props) {
  const [all, setAll] = useState(false);
  if (!parts.length) return <p className="soft">No tag has enough examples to tell.</p>;
  const shown = all ? parts : parts.slice(0, FIRST);
  const reach = Math.max(...parts.flatMap(({ low, high }) => [Math.abs(low), Math.abs(high)]), 1);
  return (
    <>
      <Wide label="Parts of the data">
        <table className={styles.differences}>
          <caption className="visually-hidden">
            {metricTitle(performance)} of {names[0]} and {names[1]} by tag
          </caption>
          <thead>
            <tr>
              <th scope="col">Tag</th>
              <th scope="col">Dataset</th>
              <th scope="col" className="number">
                n
              </th>
              <PairHeads names={names} />
              <td aria-hidden="true" />
              <th scope="col" className="number">
                Beyond the whole
              </th>
              <th scope="col" className="number">
                Corrected p
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((part) => (
              <Slice key={`${part.dataset} ${part.tag}`} part={part} reach={reach} />
            ))}
          </tbody>
        </table>
      </Wide>
      {parts.length > FIRST ? (
        <div>
          <Button look="quiet" onClick={() => setAll(!all)} aria-expanded={all}>
            {all ? "Fewer" : `All ${parts.length}`}
          </Button>
        </div>
      ) : null}
    </>
  );
}

function Slice({ part, reach }: { readonly part: Shapes["DifferingPart"]; readonly reach: number }) {
  const { tag, dataset, n, first, second, low, high, excess, adjusted_p } = part;
  return (
    <tr>
      <th scope="row">{tag}</th>
      <td>{dataset}</td>
      <td className="number">{number(n, 0)}</td>
      <td className="number">{number(first, 1)}</td>
      <td className="number">{number(second, 1)}</td>
      <td className="number">{signed(first - second, 1)}</td>
      <td className="number soft">{interval(low, high, 1)}</td>
      <td>
        <Whisker
          value={first - second}
          low={low}
          high={high}
          domain={[-reach, reach]}
          mark={0}
          colour={metricColour("performance")}
        />
      </td>
      <td className="number">{signed(excess, 1)}</td>
      <td className="number">{adjusted_p < 0.001 ? "< 0.001" : number(adjusted_p, 3)}</td>
    </tr>
  );
}
