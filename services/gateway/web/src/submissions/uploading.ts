/** The upload under way, if any. It lives as long as the tab, on whatever page of the platform its author is. */
import { useSyncExternalStore } from "react";
import { answered, api, Problem, type Shapes } from "../api/client";
import { type Digests, digestsOf } from "./digest";
import { type Sample, sampled } from "./pace";
import { send } from "./sending";
import { forget, remember } from "./unfinished";

export interface Upload {
  readonly submission: string;
  readonly task: string;
  readonly name: string;
  readonly file: File;
  /** sending → checking → done, or failed; paused and back to sending. */
  readonly phase: "sending" | "paused" | "checking" | "failed" | "done";
  readonly sent: number;
  readonly samples: readonly Sample[];
  /** What is wrong: while sending something that may pass, else what ended it. */
  readonly problem: string | null;
}

const TOLD_EVERY_S = 0.2;

let upload: Upload | null = null;
let digests: Digests | null = null;
let stopping = new AbortController();
let told = 0;
const watchers = new Set<() => void>();

/** The upload under way, and again whenever something of it changes. */
export function useUpload(): Upload | null {
  return useSyncExternalStore(watch, () => upload);
}

/** Announces an archive, and begins to send it. Rejects with Problem when it is not wanted. */
export async function begin(file: File, announced: Shapes["SubmissionCreate"]): Promise<void> {
  const created = await answered(api.POST("/api/v1/submissions", { body: announced }));
  const { task, name } = announced;
  const note = { submission: created.id, task, name, file: file.name, size: file.size, modified: file.lastModified };
  remember(note);
  goOn(file, created.id, { task, name }, created.part_size);
}

/** Sends what is still missing of a submission that was begun earlier. */
export function goOn(file: File, submission: string, of: { task: string; name: string }, partSize: number): void {
  window.addEventListener("beforeunload", warn);
  digests = digestsOf(file, partSize);
  upload = { submission, task: of.task, name: of.name, file, phase: "sending", sent: 0, samples: [], problem: null };
  void run(upload);
}

/** Stops sending; what has arrived stays. */
export function pause(): void {
  change({ phase: "paused", samples: [], problem: null });
  stopping.abort();
}

/** Goes on after a pause. */
export function resume(): void {
  if (!upload) return;
  change({ phase: "sending", problem: null });
  void run(upload);
}

/** Gives the upload up, here and on the platform. */
export async function giveUp(): Promise<void> {
  const given = upload;
  close();
  if (!given) return;
  const path = { submission_id: given.submission };
  await answered(api.POST("/api/v1/submissions/{submission_id}/cancel", { params: { path } }));
  forget(given.submission);
}

/** Forgets an upload that has ended. */
export function close(): void {
  stopping.abort();
  digests?.stop();
  window.removeEventListener("beforeunload", warn);
  upload = digests = null;
  tell();
}

async function run({ submission, file }: Upload): Promise<void> {
  if (!digests) return;
  stopping = new AbortController();
  const { signal } = stopping;
  const mine = (values: Partial<Upload>) => !signal.aborted && change(values);
  const listener = {
    onSent: (sent: number) => !signal.aborted && progressed(sent),
    onTrouble: (problem: string | null) => upload?.problem !== problem && mine({ problem }),
    onChecking: () => mine({ phase: "checking", problem: null }),
  };
  try {
    await send(submission, file, digests, listener, signal);
    forget(submission);
    mine({ phase: "done" });
  } catch (problem) {
    if (signal.aborted) return;
    stopping.abort();
    // Refused for good, so there is nothing to go on with; another key or a later day may do.
    if (problem instanceof Problem && [400, 404, 409, 413, 422].includes(problem.status)) forget(submission);
    change({ phase: "failed", problem: problem instanceof Error ? problem.message : "The upload failed." });
  }
  window.removeEventListener("beforeunload", warn);
}

function progressed(sent: number): void {
  const now = performance.now() / 1000;
  if (!upload || (now - told < TOLD_EVERY_S && sent < upload.file.size)) return;
  told = now;
  change({ sent, samples: sampled(upload.samples, [now, sent]) });
}

function change(values: Partial<Upload>): void {
  if (upload) upload = { ...upload, ...values };
  tell();
}

function tell(): void {
  for (const watcher of watchers) watcher();
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

/** Closing the tab would interrupt it; the browser asks first. */
function warn(event: BeforeUnloadEvent): void {
  if (upload?.phase === "sending" || upload?.phase === "checking") event.preventDefault();
}
