/** What is asked of models and what perturbations make of a text: each question is put once a visit. */
import { useQuery } from "@tanstack/react-query";
import { answered, api, type Shapes } from "../api/client";
import { useKey } from "../api/session";

export type Example = Readonly<Record<string, string>>;
export type Variant = Shapes["PreviewVariant"];
export type Suite = "robustness" | "fairness";
export const SUITES: readonly Suite[] = ["robustness", "fairness"];

/** A model that can be asked: its newest version that has ended well. */
export interface Speaker {
  readonly model: string;
  readonly name: string;
  readonly submission: string;
}

// An answer stays true as long as the page is open, and a click on "again" must not wait for one that failed.
const ONCE = { staleTime: Infinity, gcTime: Infinity, retry: false } as const;

/** The models of a task that answer questions, newest first. */
export function useSpeakers(task: string) {
  const key = useKey();
  return useQuery({
    queryKey: ["speakers", task, key],
    queryFn: async () =>
      speakersOf(await answered(api.GET("/api/v1/models", { params: { query: { task, limit: 200 } } }))),
    staleTime: 30_000,
  });
}

/** Models with a version that ran here; predictions alone cannot be asked. */
export function speakersOf(models: readonly Shapes["ModelView"][]): Speaker[] {
  return models.flatMap(({ id, name, versions }) => {
    const newest = versions?.find((version) => version.status === "finished" && version.verified);
    return newest ? [{ model: id, name, submission: newest.id }] : [];
  });
}

/** A model's answers to some examples, in one request; nothing is asked without examples. */
export function useAnswers(speaker: Speaker, examples: readonly Example[]) {
  return useQuery({
    queryKey: ["answers", speaker.submission, examples],
    queryFn: () =>
      answered(
        api.POST("/api/v1/submissions/{submission_id}/predict", {
          params: { path: { submission_id: speaker.submission } },
          body: { examples: [...examples] },
        }),
      ),
    enabled: examples.length > 0,
    ...ONCE,
  });
}

/** Every variant of a text that a suite makes; another draw makes others. */
export function useVariants(task: string, suite: Suite, example: Example, draw: number) {
  return useQuery({
    queryKey: ["variants", task, suite, example, draw],
    queryFn: async () => {
      const body = { task, example: { ...example }, draw };
      return (await answered(api.POST("/api/v1/perturbations/{suite}", { params: { path: { suite } }, body })))
        .variants;
    },
    ...ONCE,
  });
}

/** Texts of the task's open datasets to try, after the task's own; only the latter for those without a key. */
export function useSamples({ name, inputs, example }: Shapes["TaskView"]): Example[] {
  const key = useKey();
  const samples = useQuery({
    queryKey: ["samples", name, key],
    queryFn: () => samplesOf(name, inputs),
    enabled: Boolean(key),
    staleTime: Infinity,
  });
  return [example, ...(samples.data ?? [])];
}

async function samplesOf(task: string, inputs: readonly string[]): Promise<Example[]> {
  const datasets = await answered(api.GET("/api/v1/datasets", { params: { query: { task } } }));
  const open = datasets.filter(({ role }) => role !== "hidden").slice(0, 4);
  const samples = await Promise.all(
    open.map(({ id }) =>
      answered(
        api.GET("/api/v1/datasets/{dataset_id}/sample", { params: { path: { dataset_id: id }, query: { limit: 10 } } }),
      ),
    ),
  );
  return samples.flat().map((sample) => Object.fromEntries(inputs.map((field) => [field, String(sample[field])])));
}

/** The example after a variant's edits. */
export function perturbed(example: Example, variant: Variant): Example {
  const changed = Object.entries(variant.fields).map(([field, pieces]) => [
    field,
    pieces.map((p) => p.variant).join(""),
  ]);
  return { ...example, ...Object.fromEntries(changed) };
}
