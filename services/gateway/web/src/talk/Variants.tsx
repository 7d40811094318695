import { useState } from "react";
import type { Shapes } from "../api/client";
import { Button } from "../components/Button";
import { Loaded } from "../components/Loaded";
import { Part } from "../components/Page";
import { groupTitle, kindMeaning, kindTitle } from "../components/perturbations";
import { useVariants } from "./asking";
import { type Example, type Speaker, type Suite, suitesOf, type Variant } from "./examples";
import styles from "./talk.module.css";
import { VariantCard } from "./VariantCard";

interface Props {
  readonly task: Shapes["TaskView"];
  readonly speakers: readonly Speaker[];
  readonly example: Example;
}

const HEADINGS: Readonly<Record<Suite, string>> = {
  robustness: "Written otherwise (robustness)",
  fairness: "About others (fairness)",
};

/** The text as perturbations change it, one click each, with what the models say then. */
export function Variants(props: Props) {
  const { task } = props;
  const [draw, setDraw] = useState(0);
  if (!suitesOf(task).length) return null;
  return (
    <Part
      title="Does the answer stay?"
      aside={
        <Button look="quiet" onClick={() => setDraw(draw + 1)}>
          Other slips and names
        </Button>
      }
    >
      <p className="soft">
        Each button changes the text as the platform does when it measures robustness and fairness, and asks again. A
        model that is right may change its mind, one that is wrong may keep it.
      </p>
      {suitesOf(task).map((suite) => (
        <OfSuite key={`${suite} ${draw}`} suite={suite} draw={draw} {...props} />
      ))}
    </Part>
  );
}

function OfSuite({ suite, draw, task, speakers, example }: Props & { suite: Suite; draw: number }) {
  const variants = useVariants(task, suite, example, draw);
  return (
    <section className={styles.suite} aria-label={HEADINGS[suite]}>
      <h3>{HEADINGS[suite]}</h3>
      <Loaded query={variants} height="2.25rem">
        {(found) =>
          found.length ? (
            <Choices variants={found} task={task} speakers={speakers} example={example} />
          ) : (
            <p className="soft">
              {suite === "fairness"
                ? "Nobody is named here whose name or gender could be swapped."
                : "Nothing here can be changed."}
            </p>
          )
        }
      </Loaded>
    </section>
  );
}

function Choices({ variants, task, speakers, example }: Props & { variants: readonly Variant[] }) {
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const toggle = (at: number) => {
    const next = new Set(chosen);
    if (!next.delete(at)) next.add(at);
    setChosen(next);
  };
  const all = chosen.size === variants.length;
  return (
    <>
      <div className={styles.chips}>
        {variants.map((variant, at) => (
          <button
            key={at}
            type="button"
            className={styles.chip}
            aria-pressed={chosen.has(at)}
            title={kindMeaning(variant.kind)}
            onClick={() => toggle(at)}
          >
            {nameOf(variant)}
          </button>
        ))}
        {variants.length > 1 ? (
          <Button look="quiet" onClick={() => setChosen(new Set(all ? [] : variants.keys()))}>
            {all ? "None" : "All of them"}
          </Button>
        ) : null}
      </div>
      <div className={styles.cards} aria-live="polite">
        {[...chosen]
          .sort((a, b) => a - b)
          .map((at) => (
            <VariantCard
              key={at}
              at={at}
              title={nameOf(variants[at]!)}
              variants={variants}
              task={task}
              speakers={speakers}
              example={example}
            />
          ))}
      </div>
    </>
  );
}

function nameOf({ kind, group }: Variant): string {
  return group ? `${kindTitle(kind)}: ${groupTitle(group)}` : kindTitle(kind);
}
