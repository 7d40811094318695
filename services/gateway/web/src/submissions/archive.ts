/** What can be told of an archive before it is sent. */
import { directory, isZip, text } from "./zip";

const MANIFEST = "dynaboard.yaml";
const MANIFEST_BYTES = 64 * 1024;

export interface Look {
  /** Why it would be refused; null when nothing speaks against it. */
  readonly problem: string | null;
  readonly files: number | null;
  /** As its dynaboard.yaml says, where that could be read. */
  readonly name: string | null;
  readonly task: string | null;
  /** Predictions without a model. */
  readonly predictionsOnly: boolean;
}

const UNKNOWN: Look = { problem: null, files: null, name: null, task: null, predictionsOnly: false };

/** Looks into a chosen file. Reads its two ends only, however large it is. */
export async function look(file: Blob): Promise<Look> {
  if (!(await isZip(file))) {
    return { ...UNKNOWN, problem: "This is no zip archive. Make one with dynaboard package, and choose that." };
  }
  const entries = await directory(file);
  if (!entries) return UNKNOWN;
  const files = entries.filter(({ name }) => !name.endsWith("/"));
  const manifest = files.find(({ name }) => name === MANIFEST);
  if (!manifest) return { ...UNKNOWN, files: files.length, problem: missing(files.map(({ name }) => name)) };
  const words = (await text(file, manifest, MANIFEST_BYTES)) ?? "";
  return {
    problem: null,
    files: files.length,
    name: value(words, "name"),
    task: value(words, "task"),
    predictionsOnly: words !== "" && value(words, "handler") === null,
  };
}

function missing(names: readonly string[]): string {
  const inside = names.find((name) => name.endsWith(`/${MANIFEST}`));
  if (!inside) return `The archive has no ${MANIFEST}. Start from dynaboard init, or add one.`;
  return `${MANIFEST} must lie at the top of the archive, not at ${inside}. Pack the folder's contents, not the folder.`;
}

/** A plain value of the manifest's first level; what is written in another way only the server reads. */
export function value(yaml: string, key: string): string | null {
  const found = new RegExp(`^${key}:[ \\t]*(?:"([^"]+)"|'([^']+)'|([^\\s#][^#\\n]*?))[ \\t]*(?:#.*)?$`, "m").exec(yaml);
  return found ? (found[1] ?? found[2] ?? found[3] ?? "").trim() : null;
}

/** What is wrong with a model's name as far as it is typed; empty when nothing is. */
export function nameProblem(name: string): string {
  if (!name) return "A model needs a name.";
  if (name.length > 62) return "At most 62 characters.";
  if (name.startsWith("-")) return "A dash cannot come first.";
  return /^[a-z0-9-]+$/.test(name) ? "" : "Small letters, digits and dashes only.";
}
