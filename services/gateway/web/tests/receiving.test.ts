import { describe, expect, it } from "vitest";
import { held, MOST_IN_MEMORY, type Received, streamed } from "../src/bundles/receiving";

const PIECES = [new Uint8Array([1, 2, 3]), new Uint8Array([4, 5])];

function answer(headers: Record<string, string> = {}, onCancel = () => undefined): Response {
  const body = new ReadableStream({
    start(sending) {
      for (const piece of PIECES) sending.enqueue(piece);
      sending.close();
    },
    cancel: onCancel,
  });
  return new Response(body, { headers });
}

describe("a large file from the platform", () => {
  it("is written piece by piece, and told how far it is", async () => {
    const written: Uint8Array[] = [];
    const told: Received[] = [];
    const target = new WritableStream<Uint8Array<ArrayBuffer>>({ write: (piece) => void written.push(piece) });
    await streamed(answer({ "content-length": "5" }), target, (received) => told.push(received));
    expect(written).toEqual(PIECES);
    expect(told).toEqual([
      { done: 3, total: 5 },
      { done: 5, total: 5 },
    ]);
  });

  it("is kept in memory where the browser cannot write", async () => {
    const blob = await held(answer(), () => undefined);
    expect(new Uint8Array(await blob.arrayBuffer())).toEqual(new Uint8Array([1, 2, 3, 4, 5]));
  });

  it("is not read into memory where it would be too much", async () => {
    const large = answer({ "content-length": String(MOST_IN_MEMORY + 1) });
    await expect(held(large, () => undefined)).rejects.toThrow("It has 512 MiB");
  });
});
