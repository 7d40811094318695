/** The digests of a file's parts and of all of it, as they become known. */
import { Problem } from "../api/client";
import type { Found, Work } from "./digest.worker";

export interface Digests {
  /** Of part `number`, from 1; empty where the browser cannot tell. Rejects with Problem. */
  readonly part: (number: number) => Promise<string>;
  readonly whole: Promise<string>;
  readonly stop: () => void;
}

const UNREADABLE = "The file cannot be read any more: it was moved or changed. Choose it again.";

/** Begins to read the file. Call `stop` when it is no longer wanted. */
export function digestsOf(file: Blob, partSize: number): Digests {
  const worker = new Worker(new URL("./digest.worker.ts", import.meta.url), { type: "module" });
  const whole = later();
  const parts = Array.from({ length: Math.ceil(file.size / partSize) }, () => later());
  const refuse = () => {
    for (const one of [whole, ...parts]) one.reject(new Problem(UNREADABLE, 400));
  };
  // Whoever waits hears of it; who does not wait any more needs no report.
  for (const one of [whole, ...parts]) one.promise.catch(() => undefined);
  worker.onerror = refuse;
  worker.onmessage = ({ data }: MessageEvent<Found>) => {
    if ("unreadable" in data) refuse();
    else if ("whole" in data) whole.resolve(data.whole);
    else parts[data.part - 1]?.resolve(data.sha256);
  };
  worker.postMessage({ file, partSize } satisfies Work);
  return { part: (number) => parts[number - 1]!.promise, whole: whole.promise, stop: () => worker.terminate() };
}

/** A promise, and what settles it. */
function later() {
  let resolve!: (value: string) => void;
  let reject!: (problem: Problem) => void;
  const promise = new Promise<string>((done, failed) => {
    resolve = done;
    reject = failed;
  });
  return { promise, resolve, reject };
}
