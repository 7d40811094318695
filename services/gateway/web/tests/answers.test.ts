import { expect, test } from "vitest";
import type { Shapes } from "../src/api/client";
import { asks, form } from "../src/tasks/answers";

function task(values: Partial<Shapes["TaskView"]>): Shapes["TaskView"] {
  const plain = {
    inputs: ["text"],
    token_inputs: [],
    labels: [],
    token_labels: [],
    answer_of: "",
    answer_field: "answer",
  };
  return { ...plain, ...values } as unknown as Shapes["TaskView"];
}

test("each kind of answer is asked for in words", () => {
  const asked = [
    task({ answer_kind: "label", labels: ["a", "b"] }),
    task({ answer_kind: "span", answer_of: "context", inputs: ["context", "question"] }),
    task({
      answer_kind: "token-labels",
      answer_of: "words",
      inputs: ["words"],
      token_inputs: ["words"],
      token_labels: ["O"],
    }),
    task({ answer_kind: "text" }),
  ].map(asks);
  expect(asked).toEqual([
    "A model gets text, and answers with one of 2 labels.",
    "A model gets context and question, and answers with a piece of context.",
    "A model gets the tokens of words, and answers with one of 1 labels for each token of words.",
    "A model gets text, and answers with a text.",
  ]);
});

test("the form of an answer does not say which label is right", () => {
  expect(form(task({ answer_kind: "label", labels: ["a", "b"], answer_field: "label" }))).toEqual({
    id: "0",
    label: "a | b",
    prob: { a: 0.5, b: 0.5 },
  });
});
