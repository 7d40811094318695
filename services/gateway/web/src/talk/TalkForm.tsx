import { type KeyboardEvent, useRef } from "react";
import type { Shapes } from "../api/client";
import { Button } from "../components/Button";
import { Field } from "../components/Field";
import { Form } from "../components/Form";
import { useSamples } from "./asking";
import type { Example } from "./examples";
import { fieldOf } from "./fields";

interface Props {
  readonly task: Shapes["TaskView"];
  readonly text: Example;
  readonly onText: (text: Example) => void;
  readonly onAsk: (text: Example) => void;
}

/** The inputs of the task, to be typed or taken from an example. */
export function TalkForm({ task, text, onText, onAsk }: Props) {
  const samples = useSamples(task);
  const next = useRef(0);
  const filled = task.inputs.every((field) => text[field]?.trim());
  const ask = () => filled && onAsk(text);
  const fill = () => {
    const sample = samples[next.current % samples.length]!;
    next.current += 1;
    onText(sample);
  };
  return (
    <Form label="Your text" onSubmit={ask}>
      {task.inputs.map((field) => (
        <Input
          key={field}
          name={field}
          tokens={task.token_inputs.includes(field)}
          value={text[field] ?? ""}
          onSend={ask}
          onChange={(value) => onText({ ...text, [field]: value })}
        />
      ))}
      <div className="buttons">
        <Button type="submit" look="main" disabled={!filled}>
          Ask
        </Button>
        <Button onClick={fill}>Try an example</Button>
        <Button look="quiet" onClick={() => onText({})} disabled={!Object.values(text).some(Boolean)}>
          Clear
        </Button>
      </div>
    </Form>
  );
}

interface InputProps {
  readonly name: string;
  /** Whether it is a list of tokens, typed with blanks between them. */
  readonly tokens: boolean;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly onSend: () => void;
}

function Input({ name, tokens, value, onChange, onSend }: InputProps) {
  const { title, rows, long, hint } = fieldOf(name);
  // Enter sends, as in a chat; in a long text it begins a line, and with Ctrl or Cmd sends.
  const send = (event: KeyboardEvent) => {
    const wanted = event.ctrlKey || event.metaKey || (!long && !event.shiftKey);
    if (event.key !== "Enter" || event.nativeEvent.isComposing || !wanted) return;
    event.preventDefault();
    onSend();
  };
  return (
    <Field label={title} hint={tokens ? `Tokens with blanks between them. ${hint}` : hint}>
      {(ids) => (
        <textarea
          {...ids}
          rows={rows}
          maxLength={20_000}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          onKeyDown={send}
        />
      )}
    </Field>
  );
}
