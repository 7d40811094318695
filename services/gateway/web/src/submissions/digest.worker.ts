/** sha256 of a file, part by part, off the page's own thread and never with more than a part in memory. */
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";

export interface Work {
  readonly file: Blob;
  readonly partSize: number;
}

/** One message a part (from 1; empty where the browser has no native digest), then one for the whole. */
export type Found =
  { readonly part: number; readonly sha256: string } | { readonly whole: string } | { readonly unreadable: true };

self.onmessage = ({ data }: MessageEvent<Work>) => {
  digest(data).catch(() => tell({ unreadable: true }));
};

async function digest({ file, partSize }: Work): Promise<void> {
  const whole = sha256.create();
  for (let part = 1; (part - 1) * partSize < file.size; part += 1) {
    const bytes = await file.slice((part - 1) * partSize, part * partSize).arrayBuffer();
    whole.update(new Uint8Array(bytes));
    tell({ part, sha256: await native(bytes) });
  }
  tell({ whole: bytesToHex(whole.digest()) });
}

/** The browser's own sha256, which it has on https and on loopback only. */
async function native(bytes: ArrayBuffer): Promise<string> {
  const subtle = (globalThis.crypto as Partial<Crypto> | undefined)?.subtle;
  return subtle ? bytesToHex(new Uint8Array(await subtle.digest("SHA-256", bytes))) : "";
}

function tell(found: Found): void {
  self.postMessage(found);
}
