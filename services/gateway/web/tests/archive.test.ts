import { expect, test } from "vitest";
import { look, nameProblem, value } from "../src/submissions/archive";
import { directory, isZip } from "../src/submissions/zip";

/** A stored zip archive, as `dynaboard package` makes it. */
function zip(files: Record<string, string>): Blob {
  const encoder = new TextEncoder();
  const local: Uint8Array<ArrayBuffer>[] = [];
  const central: Uint8Array<ArrayBuffer>[] = [];
  let at = 0;
  for (const [name, text] of Object.entries(files)) {
    const [title, data] = [encoder.encode(name), encoder.encode(text)];
    const head = numbers(
      30,
      [
        [0, 0x04034b50],
        [18, data.length],
        [22, data.length],
      ],
      [[26, title.length]],
    );
    const entry = numbers(
      46,
      [
        [0, 0x02014b50],
        [20, data.length],
        [24, data.length],
        [42, at],
      ],
      [[28, title.length]],
    );
    local.push(head, title, data);
    central.push(entry, title);
    at += head.length + title.length + data.length;
  }
  const bytes = central.reduce((sum, one) => sum + one.length, 0);
  const count = Object.keys(files).length;
  const end = numbers(
    22,
    [
      [0, 0x06054b50],
      [12, bytes],
      [16, at],
    ],
    [
      [8, count],
      [10, count],
    ],
  );
  return new Blob([...local, ...central, end]);
}

function numbers(size: number, longs: [number, number][], shorts: [number, number][]): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(size));
  for (const [at, number] of longs) view.setUint32(at, number, true);
  for (const [at, number] of shorts) view.setUint16(at, number, true);
  return new Uint8Array(view.buffer);
}

test("an archive's name and task are read from its dynaboard.yaml", async () => {
  const seen = await look(
    zip({ "dynaboard.yaml": "name: my-model\ntask: nli\nhandler: handler.py:Handler\n", "handler.py": "" }),
  );
  expect(seen).toEqual({ problem: null, files: 2, name: "my-model", task: "nli", predictionsOnly: false });
});

test("without a handler it is predictions only", async () => {
  const seen = await look(zip({ "dynaboard.yaml": "name: a\ntask: nli\n", "predictions/x.jsonl": "" }));
  expect(seen.predictionsOnly).toBe(true);
});

test("an archive without dynaboard.yaml is refused before it is sent", async () => {
  expect((await look(zip({ "handler.py": "" }))).problem).toMatch(/no dynaboard.yaml/);
});

test("a packed folder is told from a packed folder's contents", async () => {
  expect((await look(zip({ "my-model/dynaboard.yaml": "" }))).problem).toMatch(/top of the archive, not at my-model/);
});

test("what is no zip archive is refused", async () => {
  expect(await isZip(new Blob(["PK"]))).toBe(false);
  expect((await look(new Blob(["a".repeat(100)]))).problem).toMatch(/no zip archive/);
});

test("what cannot be read here is left to the server", async () => {
  const archive = zip({ "dynaboard.yaml": "" });
  const commented = new Blob([archive, "a comment behind the end"]);
  expect(await directory(commented)).toBeNull();
  expect((await look(commented)).problem).toBeNull();
});

test("the manifest's values may be quoted and commented", () => {
  const yaml = "# name: no\nname: 'a-b'  # why\ntask: \"qa\"\ncard:\n  summary: x\nempty:\n";
  expect(["name", "task", "summary", "empty"].map((key) => value(yaml, key))).toEqual(["a-b", "qa", null, null]);
});

test("a model's name is checked as it is typed", () => {
  expect(["", "-a", "Ada", "a b", "a".repeat(63)].map((name) => nameProblem(name) === "")).toEqual(
    Array(5).fill(false),
  );
  expect(nameProblem("tfidf-2")).toBe("");
});
