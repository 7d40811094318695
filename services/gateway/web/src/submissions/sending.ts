/** An archive in parts, two on their way at a time, each tried again; the whole can go on after any interruption. */
import { answered, api, Problem, type Shapes } from "../api/client";
import type { Digests } from "./digest";
import { sendPart } from "./part";

const IN_FLIGHT = 2;
const RESTARTS = 3;
const LONGEST_WAIT_S = 15;

export interface Listener {
  /** Bytes that have left, those of earlier attempts included. */
  readonly onSent: (bytes: number) => void;
  /** A sentence while what went wrong may pass by itself; null when it has. */
  readonly onTrouble: (sentence: string | null) => void;
  readonly onChecking: () => void;
}

/** Numbers of the parts that are still to be sent, in order. */
export function missing(view: Pick<Shapes["PartsView"], "parts" | "received">): number[] {
  const there = new Set(view.received);
  return Array.from({ length: view.parts }, (_, index) => index + 1).filter((number) => !there.has(number));
}

/** Bytes of a part: all have the same but the last. */
export function lengthOf(number: number, partSize: number, size: number): number {
  return Math.min(partSize, size - (number - 1) * partSize);
}

/** Which parts have arrived. Rejects with Problem. */
export function received(submission: string): Promise<Shapes["PartsView"]> {
  return answered(
    api.GET("/api/v1/submissions/{submission_id}/parts", { params: { path: { submission_id: submission } } }),
  );
}

/** Sends what is missing and ends the upload. Rejects with Problem when it is refused, with AbortError when stopped. */
export async function send(
  submission: string,
  file: File,
  digests: Digests,
  listener: Listener,
  signal: AbortSignal,
): Promise<Shapes["SubmissionView"]> {
  for (let restarts = 0; ; restarts += 1) {
    const view = await retrying(() => received(submission), listener, signal);
    await sendAll(submission, file, view, digests, listener, signal);
    listener.onChecking();
    try {
      return await complete(submission, await digests.whole, listener, signal);
    } catch (problem) {
      // The platform has lost parts: it says so, and takes them again.
      if (!(problem instanceof Problem && problem.status === 409) || restarts >= RESTARTS) throw problem;
    }
  }
}

async function sendAll(
  submission: string,
  file: File,
  view: Shapes["PartsView"],
  digests: Digests,
  listener: Listener,
  signal: AbortSignal,
): Promise<void> {
  const waiting = missing(view);
  const length = (number: number) => lengthOf(number, view.part_size, file.size);
  const arrived = new Map(view.received.map((number) => [number, length(number)]));
  const tell = (number: number, bytes: number) => {
    arrived.set(number, Math.min(bytes, length(number)));
    listener.onSent([...arrived.values()].reduce((sum, one) => sum + one, 0));
  };
  listener.onSent([...arrived.values()].reduce((sum, one) => sum + one, 0));
  const lane = async () => {
    for (let number = waiting.shift(); number !== undefined; number = waiting.shift()) {
      const start = (number - 1) * view.part_size;
      const part = {
        submission,
        number,
        bytes: file.slice(start, start + length(number)),
        sha256: await digests.part(number),
      };
      await retrying(() => sendPart(part, signal, (bytes) => tell(part.number, bytes)), listener, signal);
      tell(number, length(number));
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, lane));
}

function complete(submission: string, sha256: string, listener: Listener, signal: AbortSignal) {
  const path = { submission_id: submission };
  const ask = () =>
    answered(api.POST("/api/v1/submissions/{submission_id}/complete", { params: { path }, body: { sha256 } }));
  return retrying(ask, listener, signal);
}

/** Tries until it succeeds, with growing waits, as long as what goes wrong may pass: no connection, 5xx, too many. */
async function retrying<T>(ask: () => Promise<T>, { onTrouble }: Listener, signal: AbortSignal): Promise<T> {
  for (let wait = 0.5; ; wait = Math.min(2 * wait, LONGEST_WAIT_S)) {
    signal.throwIfAborted();
    try {
      const answer = await ask();
      onTrouble(null);
      return answer;
    } catch (problem) {
      if (!passes(problem)) throw problem;
      onTrouble(`${(problem as Problem).message} Trying again by itself.`);
    }
    await waited(wait, signal);
  }
}

/** Whether the same request may succeed later. */
export function passes(problem: unknown): boolean {
  return problem instanceof Problem && (problem.status === 0 || problem.status >= 500 || problem.status === 429);
}

/** So many seconds, fewer when the connection comes back meanwhile. Rejects with AbortError. */
function waited(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = window.setTimeout(resolve, seconds * 1000);
    window.addEventListener("online", () => resolve(), { once: true, signal });
    signal.addEventListener(
      "abort",
      () => {
        window.clearTimeout(timer);
        reject(new DOMException("Stopped.", "AbortError"));
      },
      { once: true },
    );
  });
}
