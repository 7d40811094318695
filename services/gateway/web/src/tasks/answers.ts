/** What a task asks for, in words and as JSON. */
import type { Shapes } from "../api/client";

type Task = Shapes["TaskView"];

/** One sentence: what goes in, and what must come out. */
export function asks(task: Task): string {
  const given = task.inputs.map((input) => (task.token_inputs.includes(input) ? `the tokens of ${input}` : input));
  return `A model gets ${given.join(" and ")}, and answers with ${wanted(task)}.`;
}

/** What an answer is, in words. */
export function wanted({ answer_kind, labels, answer_of, token_labels }: Task): string {
  switch (answer_kind) {
    case "label":
      return `one of ${labels.length} labels`;
    case "span":
      return `a piece of ${answer_of}`;
    case "token-labels":
      return `one of ${token_labels.length} labels for each token of ${answer_of}`;
    default:
      return "a text";
  }
}

/** The form of an answer, without saying which one is right. */
export function form(task: Task): Record<string, unknown> {
  const { answer_kind, answer_field, labels, token_labels } = task;
  switch (answer_kind) {
    case "label":
      return { id: "0", [answer_field]: labels.join(" | "), prob: even(labels) };
    case "span":
      return { id: "0", [answer_field]: `a piece of ${task.answer_of}`, conf: 0.9 };
    case "token-labels":
      return { id: "0", [answer_field]: token_labels.slice(0, 4).concat("…") };
    default:
      return { id: "0", [answer_field]: "a text" };
  }
}

function even(labels: readonly string[]): Record<string, number> {
  return Object.fromEntries(labels.map((label) => [label, Number((1 / labels.length).toFixed(2))]));
}
