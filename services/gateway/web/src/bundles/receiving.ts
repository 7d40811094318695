/** A large file from the platform: straight onto the disk where the browser can, else through its memory. */
import { bytes } from "../format/numbers";

/** What a browser that cannot write to the disk may be asked to hold. */
export const MOST_IN_MEMORY = 512 * 1024 ** 2;

/** Bytes that have come, of how many; 0: the platform does not say. */
export interface Received {
  readonly done: number;
  readonly total: number;
}

type OnReceived = (received: Received) => void;

/** The size that an answer announces; 0 where it does not. */
export function sizeOf(response: Response): number {
  return Number(response.headers.get("content-length")) || 0;
}

/** The answer's body into `target`, a piece at a time. Closes it at the end; what was written is lost on the way. */
export async function streamed(
  response: Response,
  target: WritableStream<Uint8Array<ArrayBuffer>>,
  onReceived: OnReceived,
): Promise<void> {
  if (!response.body) throw new Error("The platform sent nothing. Try again.");
  await response.body.pipeThrough(counter(sizeOf(response), onReceived)).pipeTo(target);
}

/** The answer's body as a whole. Throws, before it is read, where it is more than a browser should hold. */
export async function held(response: Response, onReceived: OnReceived): Promise<Blob> {
  const total = sizeOf(response);
  if (total > MOST_IN_MEMORY) {
    await response.body?.cancel();
    throw new Error(
      `It has ${bytes(total)}, and this browser would keep all of it in memory. Fetch it with the command below.`,
    );
  }
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  await streamed(response, new WritableStream({ write: (piece) => void pieces.push(piece) }), onReceived);
  return new Blob(pieces, { type: response.headers.get("content-type") ?? "application/x-tar" });
}

function counter(total: number, onReceived: OnReceived) {
  let done = 0;
  return new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(piece, passed) {
      done += piece.byteLength;
      onReceived({ done, total });
      passed.enqueue(piece);
    },
  });
}
