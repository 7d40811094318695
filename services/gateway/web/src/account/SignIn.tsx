import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { answered, api, Problem } from "../api/client";
import { signIn } from "../api/session";
import { Button } from "../components/Button";
import { Card } from "../components/Card";
import { Field } from "../components/Field";
import { Choice, Choices, Form } from "../components/Form";
import { ProblemNotice } from "../components/Notice";

const UNKNOWN = "This key is not known here, or it was revoked. Check that you have copied all of it.";

/** Asks for an API key, and takes it once the platform knows it. */
export function SignIn({ reason }: { readonly reason?: string }) {
  const [secret, setSecret] = useState("");
  const [stay, setStay] = useState(false);
  const { enter, problem, busy } = useEnter();
  return (
    <Card title="Sign in with your API key">
      {reason ? <p>{reason}</p> : null}
      <Form label="Sign in" onSubmit={() => void enter(secret.trim(), stay)}>
        <Field label="API key" hint="Your administrator gives you the first one.">
          {(ids) => (
            <input
              {...ids}
              type="password"
              autoComplete="current-password"
              spellCheck={false}
              value={secret}
              aria-invalid={problem ? true : undefined}
              onChange={(event) => setSecret(event.target.value)}
            />
          )}
        </Field>
        <Choices legend="Keep the key">
          <Choice
            kind="radio"
            name="stay"
            label="In this tab"
            hint="Gone when you close the tab. Right for a computer that others use too."
            checked={!stay}
            onChange={() => setStay(false)}
          />
          <Choice
            kind="radio"
            name="stay"
            label="In this browser"
            hint="Until you sign out. Whoever uses this browser meanwhile acts in your name."
            checked={stay}
            onChange={() => setStay(true)}
          />
        </Choices>
        {problem ? <ProblemNotice problem={problem} /> : null}
        <div>
          <Button look="main" type="submit" disabled={busy}>
            Sign in
          </Button>
        </div>
      </Form>
    </Card>
  );
}

function useEnter() {
  const queries = useQueryClient();
  const [problem, setProblem] = useState<Error | null>(null);
  const [busy, setBusy] = useState(false);
  const enter = async (secret: string, stay: boolean) => {
    setBusy(true);
    setProblem(null);
    try {
      await known(secret);
      signIn(secret, stay);
      // What was fetched as somebody else, or as nobody, is fetched anew.
      await queries.resetQueries();
    } catch (error) {
      setProblem(error instanceof Error ? error : new Error(UNKNOWN));
      setBusy(false);
    }
  };
  return { enter, problem, busy };
}

/** Throws Problem unless the platform knows the key. */
async function known(secret: string): Promise<void> {
  // Other characters could not even be sent, so no key has them.
  if (!/^[\x21-\x7e]+$/.test(secret)) throw new Problem(secret ? UNKNOWN : "Paste your API key first.", 401);
  const headers = { authorization: `Bearer ${secret}` };
  const asked = answered(api.GET("/api/v1/whoami", { headers }));
  await asked.catch((error: unknown) => {
    throw error instanceof Problem && error.status === 401 ? new Problem(UNKNOWN, 401) : error;
  });
}
