import { Button } from "../components/Button";
import { Command } from "../components/Command";
import { Row } from "../components/Form";
import { Meter } from "../components/Meter";
import { ProblemNotice } from "../components/Notice";
import { Part } from "../components/Page";
import { bytes } from "../format/numbers";
import type { Received } from "./receiving";
import { type Source, useBundle } from "./useBundle";

interface Props {
  readonly source: Source;
  /** Of the file, before `.bundle.tar`. */
  readonly name: string;
}

/** Everything that made the numbers above, to compute them again: as a file, or by the command line. */
export function Bundle({ source, name }: Props) {
  const file = `${name}.bundle.tar`;
  const { fetch, stop, received, fetching, problem } = useBundle(source, file);
  const verb = "submission" in source ? `bundle ${source.submission}` : `snapshots bundle ${source.snapshot}`;
  return (
    <Part title="Compute it again">
      <p>
        A bundle is one signed file with everything that made these numbers. Anybody who has it computes them again
        without the platform; labels that are not released are not in it.
      </p>
      <Row>
        <Button onClick={fetch} disabled={fetching}>
          Download the bundle
        </Button>
        {fetching ? <Button onClick={stop}>Stop</Button> : null}
      </Row>
      {received ? <Progress received={received} /> : null}
      {problem ? <ProblemNotice problem={problem} /> : null}
      <Command
        lines={[`dynaboard ${verb} -o ${file}`, `dynaboard verify ${file}`]}
        what="the commands that fetch and verify it"
      />
    </Part>
  );
}

function Progress({ received: { done, total } }: { readonly received: Received }) {
  const words = total ? `${bytes(done)} of ${bytes(total)}` : "The platform puts it together …";
  return (
    <div>
      <Meter label="Download" share={total ? done / total : 0} words={words} />
      <small>{words}</small>
    </div>
  );
}
