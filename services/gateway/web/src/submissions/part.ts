/** One part of an archive on its way. XMLHttpRequest, as fetch tells nothing of how much has been sent. */
import { Problem, sentenceOf } from "../api/client";
import { key } from "../api/session";

export interface Part {
  readonly submission: string;
  readonly number: number;
  /** A slice of the file: the browser reads it from the disk while it is sent. */
  readonly bytes: Blob;
  readonly sha256: string;
}

/** Sends it; `onSent` is told how many of its bytes have left. Rejects with Problem, or with AbortError. */
export function sendPart(part: Part, signal: AbortSignal, onSent: (bytes: number) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("PUT", `/api/v1/submissions/${part.submission}/parts/${part.number}`);
    request.setRequestHeader("content-type", "application/octet-stream");
    request.setRequestHeader("authorization", `Bearer ${key() ?? ""}`);
    if (part.sha256) request.setRequestHeader("x-sha256", part.sha256);
    request.upload.onprogress = ({ loaded }) => onSent(loaded);
    request.onload = () => {
      if (request.status < 300) resolve();
      else reject(new Problem(sentenceOf(parsed(request.responseText), request.status), request.status));
    };
    request.onerror = () => reject(new Problem("The connection was lost.", 0));
    request.onabort = () => reject(new DOMException("Stopped.", "AbortError"));
    signal.addEventListener("abort", () => request.abort(), { once: true });
    if (signal.aborted) request.onabort(new ProgressEvent("abort"));
    else request.send(part.bytes);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
