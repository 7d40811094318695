/** What a board's reader can choose among: the machines costs were measured on, the tags of examples. Pure. */
import type { Shapes } from "../api/client";
import { machineName } from "../format/machine";
import { percent } from "../format/numbers";

export type Hardware = Shapes["HardwareView"];
type Dataset = Shapes["DatasetView"];
/** What is chosen -> how it reads; a list, for names such as "2" would not keep their order in an object. */
export type Options = readonly (readonly [value: string, title: string])[];

/** Machines by fingerprint, the commonest first; what is chosen is there even if nothing is known of it. */
export function machineOptions(known: readonly Hardware[], chosen: string): Options {
  const options = known.map(({ fingerprint, description, models }) => {
    const counted = `${models} ${models === 1 ? "model" : "models"}`;
    return [fingerprint, [machineName(description), counted, fingerprint].filter(Boolean).join(" · ")] as const;
  });
  return withChosen(options, chosen, chosen || "No cost was measured");
}

/** Tags of the datasets that rank, each with how many examples carry it; the commonest first. */
export function tagOptions(datasets: readonly Dataset[], chosen: string): Options {
  const counts = new Map<string, number>();
  for (const { role, tags } of datasets) {
    if (role !== "scoring") continue;
    for (const [tag, count] of Object.entries(tags)) counts.set(tag, (counts.get(tag) ?? 0) + count);
  }
  const options = [...counts]
    .sort(([a, more], [b, fewer]) => fewer - more || a.localeCompare(b))
    .map(([tag, count]) => [tag, `${tag} (${count.toLocaleString("en")})`] as const);
  return [["", "All examples"], ...(chosen ? withChosen(options, chosen, chosen) : options)];
}

/** Whether a machine ran as it used to when it measured last, in words; nothing where that is not known. */
export function canaryWords(canary: Hardware["canary"] | undefined): string {
  if (!canary) return "";
  if (canary.steady) return "It ran as usual when it last measured.";
  const direction = canary.drift < 0 ? "slower" : "faster";
  return `It was ${percent(Math.abs(canary.drift))} ${direction} than usual when it last measured.`;
}

function withChosen(options: Options, chosen: string, title: string): Options {
  return options.some(([value]) => value === chosen) ? options : [[chosen, title], ...options];
}
