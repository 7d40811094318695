import { Link, useSearchParams } from "wouter";
import type { Shapes } from "../api/client";
import { useKey } from "../api/session";
import { places } from "../app/places";
import { ExampleCard, ExampleCards } from "../components/ExampleCard";
import { Field } from "../components/Field";
import { Loaded } from "../components/Loaded";
import { Part } from "../components/Page";
import { number } from "../format/numbers";
import { SlicesTable } from "./SlicesTable";
import { type Board, type Row, useDiscordance } from "./useComparison";

interface Props {
  readonly board: Board;
  readonly unpublished: boolean;
  readonly performance: string;
  readonly first: Row;
  readonly second: Row;
}

/** Parts of the data where one gains on the other, and examples that they answer differently. */
export function Disagreements({ board, unpublished, performance, first, second }: Props) {
  const [search, setSearch] = useSearchParams();
  const wanted = search.get("dataset");
  const found = useDiscordance(board.task, first.model_id, second.model_id, wanted, unpublished);
  const names = board.datasets.flatMap(({ name, role }) => (role === "hidden" ? [] : [String(name)]));
  const choose = (dataset: string) => {
    const next = new URLSearchParams(search);
    next.set("dataset", dataset);
    setSearch(next, { replace: true });
  };
  return (
    <Loaded query={found} height="24rem">
      {(shown) => (
        <>
          <Part
            title="Where they differ otherwise than elsewhere"
            aside={<small>Tags of at least 20 examples, the surest first; p-values corrected for all of them.</small>}
          >
            <SlicesTable parts={shown.parts} names={[first.name, second.name]} performance={performance} />
          </Part>
          <Part
            title="Where they disagree"
            aside={
              <Field label="Dataset">
                {(ids) => (
                  <select {...ids} value={shown.dataset ?? ""} onChange={(event) => choose(event.target.value)}>
                    {names.map((name) => (
                      <option key={name}>{name}</option>
                    ))}
                  </select>
                )}
              </Field>
            }
          >
            <Examples shown={shown} />
          </Part>
        </>
      )}
    </Loaded>
  );
}

function Examples({ shown }: { readonly shown: Shapes["DiscordanceView"] }) {
  const { examples, differing, note } = shown;
  const key = useKey();
  return (
    <>
      <p>
        {examples ? (
          <>
            They answer <strong>{number(differing, 0)}</strong> of {number(examples, 0)} examples differently.{" "}
          </>
        ) : null}
        <span className="soft">{note}</span> {key ? null : <Link href={places.account()}>Sign in</Link>}
      </p>
      <ExampleCards>
        {shown.shown.map(({ inputs, first, second, label }, at) => (
          <ExampleCard
            key={at}
            inputs={inputs}
            answers={[
              [shown.first.name, first],
              [shown.second.name, second],
            ]}
            label={label}
          />
        ))}
      </ExampleCards>
    </>
  );
}
