/** Whether a model says of a variant what it says of the original. The same rules as the server's scoring. */
import type { Shapes } from "../api/client";

export type Pieces = readonly Shapes["PreviewPiece"][];

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Labels agree when equal; answers when what the variant's one is called in the original text is the original's. */
export function agree(original: string, variant: string, context?: Pieces): boolean {
  if (!context) return original === variant;
  return inOriginal(context, variant).some((reading) => normalised(reading) === normalised(original));
}

/** SQuAD's normal form: lower case, without ASCII punctuation and English articles, single spaces. */
export function normalised(text: string): string {
  return text
    .toLowerCase()
    .replace(/[!-/:-@[-`{-~]/g, "")
    .replace(/\b(?:a|an|the)\b/g, " ")
    .split(/\s+/)
    .filter(Boolean)
    .join(" ");
}

/** What a piece of the variant's text is called in the original: one spelling for each place it stands at. */
export function inOriginal(pieces: Pieces, answer: string): string[] {
  const original = pieces.map((piece) => piece.original).join("");
  const back = backwards(pieces);
  const variant = pieces.map((piece) => piece.variant).join("");
  const readings = placesOf(variant, answer).map(([start, end]) => {
    const [from, to] = mapSpan(back, start, end);
    return original.slice(from, to);
  });
  return readings.length ? [...new Set(readings)] : [answer];
}

/** Where a piece stands in a text: exactly, or else without regard to case and blanks. */
export function placesOf(text: string, piece: string): [number, number][] {
  const words = piece.trim().split(/\s+/).filter(Boolean);
  if (!words.length) return [];
  const exact: [number, number][] = [];
  for (let at = text.indexOf(piece); at >= 0; at = text.indexOf(piece, at + 1)) exact.push([at, at + piece.length]);
  if (exact.length) return exact;
  const loose = new RegExp(words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("\\s+"), "gi");
  return [...text.matchAll(loose)].map((found) => [found.index, found.index + found[0].length]);
}

/** The edits that give the original back, in positions of the variant's text. */
function backwards(pieces: Pieces): Edit[] {
  const edits: Edit[] = [];
  let position = 0;
  for (const { original, variant, edited } of pieces) {
    if (edited) edits.push({ start: position, end: position + variant.length, text: original });
    position += variant.length;
  }
  return edits;
}

/** Where text[start, end) lies after edits; one that is partly inside counts as inside, as it cannot be divided. */
function mapSpan(edits: readonly Edit[], start: number, end: number): [number, number] {
  let [low, high, before, inside] = [start, end, 0, 0];
  for (const edit of edits) {
    const growth = edit.text.length - (edit.end - edit.start);
    if (edit.start < end && edit.end > start) {
      low = Math.min(low, edit.start);
      high = Math.max(high, edit.end);
      inside += growth;
    } else if (edit.end <= start) {
      before += growth;
    }
  }
  return [low + before, high + before + inside];
}
