/** As much of a zip file's directory as is needed to tell early that something is missing. The server checks it all. */

export interface Entry {
  readonly name: string;
  /** 0: stored, 8: deflated. */
  readonly method: number;
  readonly packed: number;
  readonly size: number;
  /** Where its local header begins. */
  readonly start: number;
}

const END_BYTES = 22;
const END = 0x06054b50;
const CENTRAL = 0x02014b50;
const LOCAL = 0x04034b50;
const DIRECTORY_BYTES = 8 * 1024 ** 2;

/** Whether a file begins as a zip archive does. */
export async function isZip(file: Blob): Promise<boolean> {
  return file.size >= END_BYTES && (await view(file, 0, 4)).getUint32(0, true) === LOCAL;
}

/** What the archive holds; null where only the server can tell (zip64, a comment at the end, a huge directory). */
export async function directory(file: Blob): Promise<Entry[] | null> {
  const end = await view(file, file.size - END_BYTES, END_BYTES);
  if (end.getUint32(0, true) !== END) return null;
  const [count, bytes, start] = [end.getUint16(10, true), end.getUint32(12, true), end.getUint32(16, true)];
  if (count === 0xffff || bytes > DIRECTORY_BYTES || start + bytes > file.size) return null;
  return entries(await view(file, start, bytes), count);
}

function entries(bytes: DataView, count: number): Entry[] | null {
  const found: Entry[] = [];
  for (let at = 0; found.length < count;) {
    if (at + 46 > bytes.byteLength || bytes.getUint32(at, true) !== CENTRAL) return null;
    const name = bytes.getUint16(at + 28, true);
    if (at + 46 + name > bytes.byteLength) return null;
    found.push({
      name: new TextDecoder().decode(new Uint8Array(bytes.buffer, bytes.byteOffset + at + 46, name)),
      method: bytes.getUint16(at + 10, true),
      packed: bytes.getUint32(at + 20, true),
      size: bytes.getUint32(at + 24, true),
      start: bytes.getUint32(at + 42, true),
    });
    at += 46 + name + bytes.getUint16(at + 30, true) + bytes.getUint16(at + 32, true);
  }
  return found;
}

/** A small entry as text; null where it cannot be read here. */
export async function text(file: Blob, entry: Entry, limit: number): Promise<string | null> {
  if (entry.size > limit || entry.packed > limit || ![0, 8].includes(entry.method)) return null;
  const head = await view(file, entry.start, 30);
  if (head.byteLength < 30 || head.getUint32(0, true) !== LOCAL) return null;
  const start = entry.start + 30 + head.getUint16(26, true) + head.getUint16(28, true);
  const packed = file.slice(start, start + entry.packed);
  const plain =
    entry.method === 0 ? packed.stream() : packed.stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(plain).text().catch(() => null);
}

async function view(file: Blob, start: number, bytes: number): Promise<DataView> {
  return new DataView(await file.slice(start, start + bytes).arrayBuffer());
}
