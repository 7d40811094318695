import { useQueryClient } from "@tanstack/react-query";
import type { Shapes } from "../api/client";
import { signOut, staysHere, useKey } from "../api/session";
import { useWhoAmI } from "../api/tasks";
import { Button } from "../components/Button";
import { Beside, Card, Facts } from "../components/Card";
import { Command } from "../components/Command";
import { Loaded } from "../components/Loaded";
import { ProblemNotice } from "../components/Notice";
import { Page } from "../components/Page";
import { Keys } from "./Keys";
import { ROLES } from "./roles";
import { SignIn } from "./SignIn";
import { Users } from "./Users";

const REFUSED = new Error("The key that was kept here is not accepted any more. Sign in with another one.");

/** Who one is here: the key, its siblings and, for administrators, everybody. */
export default function AccountPage() {
  const secret = useKey();
  const who = useWhoAmI();
  if (secret && who.data) return <SignedIn who={who.data} />;
  return (
    <Page title="Account" lead="Reading needs no account. Handing in models and freezing boards needs an API key.">
      <Beside aside={<Elsewhere />}>{secret ? <Loaded query={who}>{() => <Refused />}</Loaded> : <SignIn />}</Beside>
    </Page>
  );
}

function Refused() {
  return (
    <>
      <ProblemNotice problem={REFUSED} />
      <SignIn />
    </>
  );
}

function Elsewhere() {
  return (
    <Card title="The same key elsewhere">
      <p>The command line and the Python client take the same key.</p>
      <Command lines={[`dynaboard login --url ${window.location.origin}`]} what="the command" />
      <p className="soft">
        The page keeps the key in your browser only, sends it to this platform only, and never puts it into an address.
      </p>
    </Card>
  );
}

function SignedIn({ who }: { readonly who: Shapes["WhoAmI"] }) {
  const queries = useQueryClient();
  const leave = () => {
    signOut();
    void queries.resetQueries();
  };
  const kept = staysHere() ? "in this browser, until you sign out" : "in this tab, until you close it";
  return (
    <Page title="Account" actions={<Button onClick={leave}>Sign out</Button>}>
      <Card>
        <Facts
          facts={[
            ["Name", who.name],
            ["Role", `${who.role}: ${ROLES[who.role as keyof typeof ROLES] ?? ""}`],
            ["The key is kept", kept],
          ]}
        />
      </Card>
      <Keys />
      {who.role === "admin" ? <Users /> : null}
    </Page>
  );
}
