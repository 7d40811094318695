import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { answered, api, type Shapes } from "../api/client";
import { useKey } from "../api/session";
import { useTasks } from "../api/tasks";
import { places } from "../app/places";
import { useChoice } from "../app/search";
import { Edited } from "../components/Edited";
import { Loaded } from "../components/Loaded";
import { Notice } from "../components/Notice";
import { Part } from "../components/Page";
import { groupTitle, kindMeaning, kindTitle } from "../components/perturbations";
import styles from "./datasets.module.css";
import type { Dataset } from "./useDatasets";

const SUITES = { robustness: "Robustness", fairness: "Fairness" } as const;
type Suite = keyof typeof SUITES;
const SHOWN = 3;
// Of longer texts, only what is near an edit is shown.
const LONG = 300;

/** What the perturbations make of some of its examples, every edit marked. */
export function Perturbations({ dataset }: { readonly dataset: Dataset }) {
  const [chosen, choose] = useChoice("suite");
  const signedIn = useKey() !== null;
  const suites = useSuites(dataset.task);
  const suite = suites.find((one) => one === chosen) ?? suites[0];
  if (!suite) return null;
  return (
    <Part title="Perturbed copies" aside={<Suites suites={suites} suite={suite} onChoose={choose} />}>
      <p>
        {suite === "robustness"
          ? "Edits that should not matter: typing, spelling, case, punctuation. A robust model says of each variant what it says of the original."
          : "Edits of whom the text is about: names of other groups, women for men and men for women. A model that treats them equally says of each variant what it says of the original."}
      </p>
      {signedIn ? (
        <Previews id={dataset.id} suite={suite} />
      ) : (
        <Notice>
          <p>
            <Link href={places.account()}>Sign in</Link> to see originals and variants side by side.
          </p>
        </Notice>
      )}
    </Part>
  );
}

/** The suites that are run for a task. */
function useSuites(task: string): Suite[] {
  const run = useTasks().data?.find(({ name }) => name === task)?.suites ?? [];
  return (Object.keys(SUITES) as Suite[]).filter((suite) => run.includes(suite));
}

interface SuitesProps {
  readonly suites: readonly Suite[];
  readonly suite: Suite;
  readonly onChoose: (suite: string) => void;
}

function Suites({ suites, suite, onChoose }: SuitesProps) {
  if (suites.length < 2) return null;
  return (
    <div role="group" aria-label="Which perturbations" className={styles.suites}>
      {suites.map((name) => (
        <button key={name} type="button" aria-pressed={name === suite} onClick={() => onChoose(name)}>
          {SUITES[name]}
        </button>
      ))}
    </div>
  );
}

function Previews({ id, suite }: { readonly id: string; readonly suite: Suite }) {
  const params = { path: { dataset_id: id, suite }, query: { limit: SHOWN } };
  const previews = useQuery({
    queryKey: ["dataset", id, "perturbations", suite],
    queryFn: () => answered(api.GET("/api/v1/datasets/{dataset_id}/perturbations/{suite}", { params })),
    staleTime: Infinity,
  });
  return (
    <Loaded query={previews} height="36rem">
      {(examples) =>
        examples.length ? (
          <ol className={styles.examples}>
            {examples.map((example, index) => (
              <Example key={index} example={example} />
            ))}
          </ol>
        ) : (
          <p className="soft">These perturbations change none of its first examples.</p>
        )
      }
    </Loaded>
  );
}

function Example({ example }: { readonly example: Shapes["PerturbationPreview"] }) {
  return (
    <li className={`sheet ${styles.example}`}>
      <dl className={styles.fields}>
        {Object.entries(example.original).map(([field, text]) => (
          <Field key={field} field={field} text={text} />
        ))}
      </dl>
      <ul className={styles.variants}>
        {example.variants.map((variant, index) => (
          <li key={index}>
            <p className={styles.kind} title={kindMeaning(variant.kind)}>
              {kindTitle(variant.kind)}
              {variant.group ? <small>{groupTitle(variant.group)}</small> : null}
            </p>
            <div>
              {Object.entries(variant.fields).map(([field, pieces]) => (
                <p key={field}>
                  <Edited pieces={pieces} short={lengthOf(pieces) > LONG} />
                </p>
              ))}
            </div>
          </li>
        ))}
      </ul>
    </li>
  );
}

function Field({ field, text }: { readonly field: string; readonly text: string }) {
  return (
    <>
      <dt>{field}</dt>
      <dd>{text}</dd>
    </>
  );
}

function lengthOf(pieces: readonly Shapes["PreviewPiece"][]): number {
  return pieces.reduce((sum, { variant }) => sum + variant.length, 0);
}
