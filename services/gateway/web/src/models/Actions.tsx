import { useState } from "react";
import type { Shapes } from "../api/client";
import { places } from "../app/places";
import { Button, ButtonLink } from "../components/Button";
import { Confirm } from "../components/Confirm";
import { ProblemNotice } from "../components/Notice";
import { type Model, type Submission, useChange } from "./useModel";

interface Props {
  readonly model: Model;
  readonly chosen: Submission | undefined;
  readonly mine: boolean;
}

/** Where one goes from here, and for the owner what others see. */
export function Actions({ model, chosen, mine }: Props) {
  const speaks = chosen?.verified && model.versions?.some(({ status }) => status === "finished");
  return (
    <>
      {speaks ? (
        <ButtonLink look="main" href={places.talk(model.task, model.id)}>
          Talk to it
        </ButtonLink>
      ) : null}
      <ButtonLink href={places.comparison(model.task, model.id)}>Compare</ButtonLink>
      <ButtonLink href={places.board(model.task)}>Leaderboard</ButtonLink>
      {mine ? <Visibility model={model} /> : null}
    </>
  );
}

interface Change {
  readonly verb: string;
  readonly title: string;
  readonly words: string;
  readonly body: Shapes["ModelChange"];
}

function Visibility({ model }: { readonly model: Model }) {
  const [asked, setAsked] = useState<Change | null>(null);
  const change = useChange(model.id);
  const close = () => {
    setAsked(null);
    change.reset();
  };
  const confirm = ({ body }: Change) => change.mutate(body, { onSuccess: close });
  return (
    <>
      {[publicationOf(model), nameOf(model)].map((offered) => (
        <Button key={offered.title} onClick={() => setAsked(offered)}>
          {offered.verb}
        </Button>
      ))}
      {asked ? (
        <Confirm
          title={asked.title}
          verb={asked.verb}
          waiting={change.isPending}
          onConfirm={() => confirm(asked)}
          onClose={close}
        >
          <p>{asked.words}</p>
          {change.error ? <ProblemNotice problem={change.error} /> : null}
        </Confirm>
      ) : null}
    </>
  );
}

function publicationOf({ name, published }: Model): Change {
  return published
    ? {
        verb: "Withdraw",
        title: `Withdraw ${name}?`,
        words: "It leaves the leaderboard, and only you and administrators see it. Boards that were frozen keep it.",
        body: { published: false },
      }
    : {
        verb: "Publish",
        title: `Publish ${name}?`,
        words:
          "Everybody will see its card and results, and may talk to it. It joins the leaderboard once it has results.",
        body: { published: true },
      };
}

function nameOf({ name, anonymous }: Model): Change {
  return anonymous
    ? {
        verb: "Show my name",
        title: `Show who made ${name}?`,
        words: "Your user name will stand beside the model everywhere.",
        body: { anonymous: false },
      }
    : {
        verb: "Hide my name",
        title: `Hide who made ${name}?`,
        words: "Nobody but you and administrators will see whose it is. Boards that were frozen keep your name.",
        body: { anonymous: true },
      };
}
