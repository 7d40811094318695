import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { Choices, Weights } from "./choices";
import type { Chosen } from "./ranked";
import type { Change } from "./useChoices";

const REST_MS = 250;
type Kind = "weights" | "datasetWeights";

/** The weights as the sliders stand. The address follows when they rest, and they follow the address. */
export function useSliders(choices: Choices, change: Change) {
  const [moving, setMoving] = useState<Partial<Chosen> | null>(null);
  const timer = useRef(0);
  useEffect(() => () => window.clearTimeout(timer.current), []);
  const chosen = useMemo<Chosen>(
    () => ({
      weights: moving?.weights ?? choices.weights,
      datasetWeights: moving?.datasetWeights ?? choices.datasetWeights,
    }),
    [moving, choices.weights, choices.datasetWeights],
  );
  const move = useCallback(
    (kind: Kind, weights: Weights) => {
      const next = { ...moving, [kind]: weights };
      setMoving(next);
      window.clearTimeout(timer.current);
      timer.current = window.setTimeout(() => {
        change(next);
        setMoving(null);
      }, REST_MS);
    },
    [moving, change],
  );
  return { chosen, move };
}
