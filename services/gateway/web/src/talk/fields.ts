/** How the inputs of tasks are asked for. */

export interface InputField {
  readonly title: string;
  readonly rows: number;
  /** Whether it is of more than a line or two as a rule, so that Enter begins a new one. */
  readonly long: boolean;
  readonly hint: string;
}

const LONG = "Ctrl + Enter asks.";
const SHORT = "Enter asks, Shift + Enter begins a line.";

const FIELDS: Readonly<Record<string, InputField>> = {
  context: { title: "Context", rows: 6, long: true, hint: LONG },
  hypothesis: { title: "Hypothesis: does it follow?", rows: 2, long: false, hint: SHORT },
  question: { title: "Question about it", rows: 2, long: false, hint: SHORT },
  statement: { title: "Statement", rows: 4, long: false, hint: SHORT },
  text: { title: "Text", rows: 4, long: false, hint: SHORT },
};

export function fieldOf(name: string): InputField {
  return FIELDS[name] ?? { title: name.charAt(0).toUpperCase() + name.slice(1), rows: 3, long: true, hint: LONG };
}
