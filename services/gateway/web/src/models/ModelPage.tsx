import { Link, useSearchParams } from "wouter";
import { Problem } from "../api/client";
import { useWhoAmI } from "../api/tasks";
import { NotFoundPage } from "../app/NotFoundPage";
import { places } from "../app/places";
import { atLeast } from "../account/roles";
import { Bundle } from "../bundles/Bundle";
import { Flag } from "../components/Flag";
import { Loaded } from "../components/Loaded";
import { Empty } from "../components/Notice";
import { Page } from "../components/Page";
import { Actions } from "./Actions";
import { ModelCard } from "./ModelCard";
import { Results } from "./Results";
import { type Model, type Submission, useMayChange, useModel } from "./useModel";
import { Versions } from "./Versions";
import { LogPart } from "./LogPart";
import styles from "./models.module.css";

/** A model: what its author says of it, its versions, and everything that was measured. */
export default function ModelPage({ id }: { readonly id: string }) {
  const model = useModel(id);
  if (model.error instanceof Problem && model.error.status === 404) return <NotFoundPage />;
  if (!model.data) {
    return (
      <Page title="Model">
        <Loaded query={model} height="40rem">
          {() => null}
        </Loaded>
      </Page>
    );
  }
  return <Shown model={model.data} />;
}

function Shown({ model }: { readonly model: Model }) {
  const [search] = useSearchParams();
  const mine = useMayChange(model);
  const versions = model.versions ?? [];
  const wanted = Number(search.get("version"));
  const chosen = versions.find(({ version }) => version === wanted) ?? newest(versions);
  const summary = model.card?.summary;
  return (
    <Page
      title={model.name}
      lead={typeof summary === "string" ? summary : undefined}
      actions={<Actions model={model} chosen={chosen} mine={mine} />}
    >
      <Standing model={model} chosen={chosen} />
      <ModelCard model={model} />
      <Versions versions={versions} chosen={chosen} />
      {chosen ? <Ran key={chosen.id} submission={chosen} mine={mine} /> : null}
    </Page>
  );
}

/** The results of the version, for its owner what it printed, and for task owners too what made its numbers. */
function Ran({ submission, mine }: { readonly submission: Submission; readonly mine: boolean }) {
  const who = useWhoAmI();
  const mayHave = mine || atLeast(who.data?.role, "task-owner");
  return (
    <>
      {submission.status === "finished" ? (
        <Results submission={submission} />
      ) : (
        <Empty title={submission.status === "failed" ? "This version failed" : "No results yet"}>
          <p>
            {submission.reason ?? `This version is ${submission.status}. Its results stand here when it has finished.`}
          </p>
          <p>
            <Link href={places.submission(submission.id)}>Its submission</Link> has the details.
          </p>
        </Empty>
      )}
      {mayHave && submission.status === "finished" ? (
        <Bundle source={{ submission: submission.id }} name={`${submission.name}-v${submission.version}`} />
      ) : null}
      {mine && submission.verified ? <LogPart submission={submission} /> : null}
    </>
  );
}

function Standing({ model, chosen }: { readonly model: Model; readonly chosen: Submission | undefined }) {
  const flags = [
    ...(model.published ? [] : ["unpublished"]),
    ...(model.baseline ? ["baseline"] : []),
    ...(chosen?.verified === false ? ["unverified"] : []),
  ];
  if (!flags.length) return null;
  return (
    <p className={styles.flags}>
      {flags.map((flag) => (
        <Flag key={flag} name={flag} />
      ))}
    </p>
  );
}

/** The newest version with results, or the newest at all. */
function newest(versions: readonly Submission[]): Submission | undefined {
  return versions.find(({ status }) => status === "finished") ?? versions[0];
}
