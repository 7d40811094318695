/** Uploads that were begun in this browser, so that the same file goes on where it stopped. No key, no content. */

const NAME = "dynaboard-uploads";
const KEPT = 20;

export interface Begun {
  readonly submission: string;
  readonly task: string;
  readonly name: string;
  readonly file: string;
  readonly size: number;
  readonly modified: number;
}

interface FileLike {
  readonly name: string;
  readonly size: number;
  readonly lastModified: number;
}

export function begun(): Begun[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(NAME) ?? "[]");
    return Array.isArray(kept) ? (kept as Begun[]) : [];
  } catch {
    return [];
  }
}

export function remember(one: Begun): void {
  keep([one, ...begun().filter(({ submission }) => submission !== one.submission)].slice(0, KEPT));
}

export function forget(submission: string): void {
  keep(begun().filter((one) => one.submission !== submission));
}

/** The upload that this very file belongs to, as far as its name, size and time tell. */
export function ofFile(file: FileLike, known: readonly Begun[]): Begun | undefined {
  return known.find((one) => one.file === file.name && one.size === file.size && one.modified === file.lastModified);
}

function keep(all: readonly Begun[]): void {
  localStorage.setItem(NAME, JSON.stringify(all));
}
