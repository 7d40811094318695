import { expect, test } from "vitest";
import { type Answer, readAnswer, tookWords } from "../src/talk/answer";
import { perturbed, sent, speakersOf, suitesOf, type Task, typed } from "../src/talk/examples";
import { hashOf, textOf } from "../src/talk/useTypedText";

const task = (changes: Partial<Task>) => ({ inputs: ["text"], token_inputs: [], ...changes }) as Task;

test("a text that was asked about stands behind the # of the address, unless it is too long", () => {
  const text = { context: "A & B = #1", question: "Why?\nSo." };
  const inputs = ["context", "question"];
  expect(textOf(hashOf(inputs, text), inputs)).toEqual(text);
  expect(textOf("", inputs)).toEqual({});
  expect(hashOf(inputs, { ...text, context: "x".repeat(3000) })).toBe("");
});

test("tokens are typed with blanks between them, and sent as a list", () => {
  const tagging = task({ inputs: ["tokens", "text"], token_inputs: ["tokens"] });
  const example = typed(tagging.inputs, { tokens: ["Ada", "codes"], text: "Well.", label: "x" });
  expect(example).toEqual({ tokens: "Ada codes", text: "Well." });
  expect(sent(tagging, { ...example, tokens: " Ada  codes\n" })).toEqual({ tokens: ["Ada", "codes"], text: "Well." });
});

test("a variant changes its fields only", () => {
  const pieces = [
    { original: "a", variant: "b", edited: true },
    { original: " c", variant: " c", edited: false },
  ];
  const variant = { kind: "Typos", group: "", fields: { text: pieces } };
  expect(perturbed({ text: "a c", question: "Why?" }, variant)).toEqual({ text: "b c", question: "Why?" });
});

test("perturbations are offered as the task runs them, those of writing first", () => {
  expect(suitesOf(task({ suites: ["fairness", "robustness"] }))).toEqual(["robustness", "fairness"]);
  expect(suitesOf(task({ suites: [] }))).toEqual([]);
});

test("only models that ran here can be asked, in their newest version that has ended well", () => {
  const version = (id: string, status: string, verified = true) => ({ id, status, verified });
  const models = [
    { id: "a", name: "A", versions: [version("2", "failed"), version("1", "finished")] },
    { id: "b", name: "B", versions: [version("3", "finished", false)] },
  ];
  expect(speakersOf(models as unknown as Parameters<typeof speakersOf>[0])).toEqual([
    { model: "a", name: "A", submission: "1" },
  ]);
});

test("an answer is read with its probabilities, if it has them", () => {
  const label = task({ answer_field: "label" });
  const read: Answer = { value: "good", prob: { good: 0.9, bad: 0.1 }, conf: null };
  expect(readAnswer(label, { label: "good", prob: { good: 0.9, bad: 0.1 } })).toEqual(read);
  expect(readAnswer(task({ answer_field: "token_labels" }), { token_labels: ["B", "O"] }).value).toBe("B O");
});

test("the first answer says that it paid for starting the model", () => {
  const asked = { submission_id: "s", answers: [], milliseconds: 12_340 };
  expect(tookWords({ ...asked, started_now: true })).toBe("12.3 s, most of it for starting the model");
  expect(tookWords({ ...asked, milliseconds: 6.2, started_now: false })).toBe("6 ms");
});
