import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { api, Problem, sentenceOf } from "../api/client";
import { save } from "../components/save";
import { held, type Received, streamed } from "./receiving";

/** Whose bundle: a submission's or a frozen board's. */
export type Source = { readonly submission: string } | { readonly snapshot: string };

/** Not in TypeScript's own list of what browsers have: Chromium has it, over https or on this machine. */
declare global {
  interface Window {
    showSaveFilePicker?: (wanted: { suggestedName: string }) => Promise<FileSystemFileHandle>;
  }
}

/** Fetches a bundle into a file of the reader's: how far it is, and a way to stop it. */
export function useBundle(source: Source, name: string) {
  const [received, setReceived] = useState<Received | null>(null);
  const stopping = useRef<AbortController | null>(null);
  const fetching = useMutation({
    mutationFn: async () => {
      const stop = new AbortController();
      stopping.current = stop;
      await fetched(source, name, stop.signal, setReceived);
    },
    onSettled: () => setReceived(null),
  });
  // Whoever closes the question where to put it, or stops it, knows that there is no file.
  const problem = fetching.error?.name === "AbortError" ? null : fetching.error;
  const stop = () => stopping.current?.abort();
  return { fetch: () => fetching.mutate(), stop, received, fetching: fetching.isPending, problem };
}

async function fetched(source: Source, name: string, signal: AbortSignal, told: (received: Received) => void) {
  // The reader is asked first: a browser allows it only right after a click.
  const file = await window.showSaveFilePicker?.({ suggestedName: name });
  told({ done: 0, total: 0 });
  const response = await answer(source, signal);
  if (file) await streamed(response, await file.createWritable(), told);
  else save(await held(response, told), name);
}

async function answer(source: Source, signal: AbortSignal): Promise<Response> {
  const { error, response } = await ("submission" in source
    ? api.GET("/api/v1/submissions/{submission_id}/bundle", {
        params: { path: { submission_id: source.submission } },
        parseAs: "stream",
        signal,
      })
    : api.GET("/api/v1/snapshots/{snapshot_id}/bundle", {
        params: { path: { snapshot_id: source.snapshot } },
        parseAs: "stream",
        signal,
      }));
  if (!response.ok) throw new Problem(sentenceOf(error, response.status), response.status);
  return response;
}
