import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { answered, api, type Shapes } from "../api/client";
import { Button } from "../components/Button";
import { Field } from "../components/Field";
import { Form, Row } from "../components/Form";
import { Loaded } from "../components/Loaded";
import { ProblemNotice } from "../components/Notice";
import { Part, Wide } from "../components/Page";
import { NewKey } from "./NewKey";
import { ROLES, type Role } from "./roles";

/** Everybody who has an account, and a new one; for administrators. */
export function Users() {
  const users = useQuery({ queryKey: ["users"], queryFn: () => answered(api.GET("/api/v1/users")) });
  return (
    <Part title="Users">
      <AddUser />
      <Loaded query={users} height="8rem">
        {(known) => (
          <Wide label="Users">
            <table>
              <caption className="visually-hidden">Users by name</caption>
              <thead>
                <tr>
                  <th scope="col">Name</th>
                  <th scope="col">Role</th>
                </tr>
              </thead>
              <tbody>
                {known.map(({ name, role }) => (
                  <tr key={name}>
                    <th scope="row">{name}</th>
                    <td>{role}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Wide>
        )}
      </Loaded>
    </Part>
  );
}

function AddUser() {
  const queries = useQueryClient();
  const [name, setName] = useState("");
  const [role, setRole] = useState<Role>("submitter");
  const make = useMutation({
    mutationFn: (body: Shapes["UserCreate"]) => answered(api.POST("/api/v1/users", { body })),
    onSuccess: () => {
      setName("");
      return queries.invalidateQueries({ queryKey: ["users"] });
    },
  });
  return (
    <>
      <Form label="New user" onSubmit={() => make.mutate({ name: name.trim(), role })}>
        <Row>
          <Field label="Name">
            {(ids) => <input {...ids} value={name} maxLength={64} onChange={(e) => setName(e.target.value)} />}
          </Field>
          <Field label="Role">
            {(ids) => (
              <select {...ids} value={role} onChange={(e) => setRole(e.target.value as Role)}>
                {Object.keys(ROLES).map((one) => (
                  <option key={one}>{one}</option>
                ))}
              </select>
            )}
          </Field>
          <Button type="submit" disabled={make.isPending || !name.trim()}>
            Add user
          </Button>
        </Row>
        <p className="soft">
          {role === "admin" ? "An" : "A"} {role} {ROLES[role]}.
        </p>
      </Form>
      {make.error ? <ProblemNotice problem={make.error} /> : null}
      {make.data ? <NewKey made={make.data} onDone={() => make.reset()} /> : null}
    </>
  );
}
