import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { answered, api, type Shapes } from "../api/client";
import { Button } from "../components/Button";
import { Confirm } from "../components/Confirm";
import { Field } from "../components/Field";
import { Form, Row } from "../components/Form";
import { Loaded } from "../components/Loaded";
import { ProblemNotice } from "../components/Notice";
import { Part, Wide } from "../components/Page";
import { moment } from "../format/numbers";
import { NewKey } from "./NewKey";
import styles from "./account.module.css";

type KeyView = Shapes["KeyView"];

/** One's API keys: which there are, a new one, and the end of one. */
export function Keys() {
  const keys = useQuery({ queryKey: ["keys"], queryFn: () => answered(api.GET("/api/v1/keys")) });
  const [ending, setEnding] = useState<KeyView | null>(null);
  return (
    <Part title="API keys">
      <p className="soft">One for each place you use: then you can revoke one and keep the others.</p>
      <AddKey />
      <Loaded query={keys} height="8rem">
        {(known) => <KeyTable keys={known} onRevoke={setEnding} />}
      </Loaded>
      {ending ? <Revoke ending={ending} onClose={() => setEnding(null)} /> : null}
    </Part>
  );
}

function AddKey() {
  const queries = useQueryClient();
  const [label, setLabel] = useState("");
  const make = useMutation({
    mutationFn: (body: Shapes["KeyCreate"]) => answered(api.POST("/api/v1/keys", { body })),
    onSuccess: () => {
      setLabel("");
      return queries.invalidateQueries({ queryKey: ["keys"] });
    },
  });
  return (
    <>
      <Form label="New API key" onSubmit={() => make.mutate({ label: label.trim() })}>
        <Row>
          <Field label="What the key is for">
            {(ids) => (
              <input
                {...ids}
                value={label}
                maxLength={64}
                placeholder="laptop"
                onChange={(e) => setLabel(e.target.value)}
              />
            )}
          </Field>
          <Button type="submit" disabled={make.isPending}>
            New key
          </Button>
        </Row>
      </Form>
      {make.error ? <ProblemNotice problem={make.error} /> : null}
      {make.data ? <NewKey made={make.data} onDone={() => make.reset()} /> : null}
    </>
  );
}

function KeyTable({ keys, onRevoke }: { readonly keys: KeyView[]; readonly onRevoke: (key: KeyView) => void }) {
  return (
    <Wide label="API keys">
      <table className={styles.table}>
        <caption className="visually-hidden">Your API keys, oldest first</caption>
        <thead>
          <tr>
            <th scope="col">For</th>
            <th scope="col">Made</th>
            <th scope="col">State</th>
            <th scope="col">
              <span className="visually-hidden">Revoke</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <tr key={key.id} className={key.revoked_at ? styles.ended : undefined}>
              <th scope="row">{key.label || "no label"}</th>
              <td>{moment(key.created_at)}</td>
              <td>{key.revoked_at ? `revoked ${moment(key.revoked_at)}` : "valid"}</td>
              <td className={styles.action}>
                {key.revoked_at ? null : (
                  <Button look="quiet" onClick={() => onRevoke(key)} aria-label={`Revoke ${key.label || "this key"}`}>
                    Revoke
                  </Button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Wide>
  );
}

function Revoke({ ending, onClose }: { readonly ending: KeyView; readonly onClose: () => void }) {
  const queries = useQueryClient();
  const revoke = useMutation({
    mutationFn: (key_id: string) => answered(api.DELETE("/api/v1/keys/{key_id}", { params: { path: { key_id } } })),
    onSuccess: async () => {
      onClose();
      // It may have been the very key in use here: then the page asks for another one.
      await Promise.all([
        queries.invalidateQueries({ queryKey: ["keys"] }),
        queries.invalidateQueries({ queryKey: ["whoami"] }),
      ]);
    },
  });
  return (
    <Confirm
      title={`Revoke the key “${ending.label || "no label"}”?`}
      verb="Revoke"
      waiting={revoke.isPending}
      onConfirm={() => revoke.mutate(ending.id)}
      onClose={onClose}
    >
      <p>
        From now on it is refused wherever it is used, here too if it is the one you signed in with. It cannot be made
        valid again.
      </p>
      {revoke.error ? <ProblemNotice problem={revoke.error} /> : null}
    </Confirm>
  );
}
