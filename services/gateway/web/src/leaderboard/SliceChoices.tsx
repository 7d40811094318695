import { useQuery } from "@tanstack/react-query";
import { answered, api } from "../api/client";
import { useKey } from "../api/session";
import { Choice } from "./Choice";
import type { Choices } from "./choices";
import { canaryWords, machineOptions, tagOptions } from "./offered";
import type { View } from "./ranked";
import type { Change } from "./useChoices";

interface Props {
  readonly view: View;
  readonly choices: Choices;
  readonly change: Change;
}

/** Performance on the examples of one tag only. */
export function TagChoice({ view, choices, change }: Props) {
  const key = useKey();
  const datasets = useQuery({
    queryKey: ["datasets", "of", view.task, key !== null],
    queryFn: () => answered(api.GET("/api/v1/datasets", { params: { query: { task: view.task } } })),
    staleTime: MINUTE,
  });
  return (
    <Choice
      label="Only examples with the tag"
      hint="Counts performance on a slice."
      value={choices.tag}
      options={tagOptions(datasets.data ?? [], choices.tag)}
      onChoose={(tag) => change({ tag })}
    />
  );
}

/** The machine whose costs count. */
export function HardwareChoice({ view, choices, change }: Props) {
  const known = useQuery({
    queryKey: ["hardware", view.task],
    queryFn: () => answered(api.GET("/api/v1/hardware", { params: { query: { task: view.task } } })),
    staleTime: MINUTE,
  });
  const chosen = choices.hardware || view.hardware_profile || "";
  const canary = known.data?.find(({ fingerprint }) => fingerprint === chosen)?.canary;
  return (
    <Choice
      label="Measured on hardware"
      hint={`Costs are ranked within one machine only. ${canaryWords(canary)}`}
      value={chosen}
      options={machineOptions(known.data ?? [], chosen)}
      onChoose={(hardware) => change({ hardware: hardware === view.hardware_profile ? "" : hardware })}
    />
  );
}

const MINUTE = 60_000;
