/** What is asked of models and what perturbations make of a text: each question is put once a visit. */
import { useQuery } from "@tanstack/react-query";
import { answered, api } from "../api/client";
import { useKey } from "../api/session";
import { type Example, sent, type Speaker, speakersOf, type Suite, type Task, typed } from "./examples";

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

/** A model's answers to some examples, in one request; nothing is asked without examples. */
export function useAnswers(task: Task, speaker: Speaker, examples: readonly Example[]) {
  return useQuery({
    queryKey: ["answers", speaker.submission, examples],
    queryFn: () =>
      answered(
        api.POST("/api/v1/submissions/{submission_id}/predict", {
          params: { path: { submission_id: speaker.submission } },
          body: { examples: examples.map((example) => sent(task, example)) },
        }),
      ),
    enabled: examples.length > 0,
    ...ONCE,
  });
}

/** Every variant of a text that a suite makes; another draw makes others. */
export function useVariants(task: Task, suite: Suite, example: Example, draw: number) {
  return useQuery({
    queryKey: ["variants", task.name, suite, example, draw],
    queryFn: async () => {
      const body = { task: task.name, example: sent(task, example), draw };
      return (await answered(api.POST("/api/v1/perturbations/{suite}", { params: { path: { suite } }, body })))
        .variants;
    },
    ...ONCE,
  });
}

/** Texts of the task's open datasets to try, after the task's own; only the latter for those without a key. */
export function useSamples({ name, inputs, example }: Task): Example[] {
  const key = useKey();
  const samples = useQuery({
    queryKey: ["samples", name, key],
    queryFn: () => samplesOf(name, inputs),
    enabled: Boolean(key),
    staleTime: Infinity,
  });
  return [typed(inputs, example), ...(samples.data ?? [])];
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
  return samples.flat().map((sample) => typed(inputs, sample));
}
