import { useMutation, useQuery } from "@tanstack/react-query";
import { Button } from "../components/Button";
import { Row } from "../components/Form";
import { Notice, ProblemNotice, Skeleton } from "../components/Notice";
import { percent } from "../format/numbers";
import { received } from "./sending";
import { type Begun, forget } from "./unfinished";
import { goOn } from "./uploading";

interface Props {
  readonly file: File;
  readonly earlier: Begun;
  readonly onAnew: () => void;
}

/** The chosen file was on its way before: go on where that stopped, or begin anew. */
export function GoOn({ file, earlier, onAnew }: Props) {
  const view = useQuery({
    queryKey: ["parts", earlier.submission],
    queryFn: () => received(earlier.submission),
    retry: false,
    gcTime: 0,
  });
  const start = useMutation({
    mutationFn: async () => goOn(file, earlier.submission, earlier, (await received(earlier.submission)).part_size),
  });
  if (view.isPending) return <Skeleton height="7rem" />;
  if (view.error) return <Gone problem={view.error} onAnew={() => (forget(earlier.submission), onAnew())} />;
  const share = view.data.received.length / view.data.parts;
  return (
    <Notice>
      <p>
        This file was on its way as <strong>{earlier.name}</strong> ({earlier.task}); {percent(share, 0)} of it is
        there.
      </p>
      {start.error ? <ProblemNotice problem={start.error} /> : null}
      <Row>
        <Button look="main" disabled={start.isPending} onClick={() => start.mutate()}>
          Go on
        </Button>
        <Button onClick={onAnew}>Submit it anew</Button>
      </Row>
    </Notice>
  );
}

function Gone({ problem, onAnew }: { readonly problem: Error; readonly onAnew: () => void }) {
  return (
    <ProblemNotice problem={problem}>
      <div>
        <Button onClick={onAnew}>Submit it anew</Button>
      </div>
    </ProblemNotice>
  );
}
