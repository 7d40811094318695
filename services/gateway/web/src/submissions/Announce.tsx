import { useState } from "react";
import { Button } from "../components/Button";
import { Card } from "../components/Card";
import { ProblemNotice } from "../components/Notice";
import { bytes } from "../format/numbers";
import { type Look, look } from "./archive";
import { DropArea } from "./DropArea";
import { GoOn } from "./GoOn";
import { MetaForm } from "./MetaForm";
import styles from "./submit.module.css";
import { begun, ofFile } from "./unfinished";
import { Unfinished } from "./Unfinished";

interface Chosen {
  readonly file: File;
  readonly look: Look;
}

/** Choose an archive, then say what it is. */
export function Announce() {
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [anew, setAnew] = useState(false);
  const choose = async (file: File) => {
    setAnew(false);
    setChosen({ file, look: await look(file) });
  };
  const earlier = chosen && !anew ? ofFile(chosen.file, begun()) : undefined;
  return (
    <>
      {chosen ? null : <Unfinished />}
      {chosen ? (
        <Card>
          <ChosenFile chosen={chosen} onOther={() => setChosen(null)} />
          <Next chosen={chosen} earlier={earlier} onAnew={() => setAnew(true)} />
        </Card>
      ) : (
        <DropArea onFile={(file) => void choose(file)} />
      )}
    </>
  );
}

interface NextProps {
  readonly chosen: Chosen;
  readonly earlier: ReturnType<typeof ofFile>;
  readonly onAnew: () => void;
}

function Next({ chosen, earlier, onAnew }: NextProps) {
  if (chosen.look.problem) return <ProblemNotice problem={new Error(chosen.look.problem)} />;
  if (earlier) return <GoOn file={chosen.file} earlier={earlier} onAnew={onAnew} />;
  return <MetaForm file={chosen.file} look={chosen.look} />;
}

function ChosenFile({ chosen, onOther }: { readonly chosen: Chosen; readonly onOther: () => void }) {
  const { file, look: seen } = chosen;
  const kind = seen.predictionsOnly ? " · predictions without a model" : "";
  return (
    <div className={styles.chosen}>
      <div>
        <h2 className={styles.fileName}>{file.name}</h2>
        <p className="soft">
          {bytes(file.size)}
          {seen.files === null ? "" : ` · ${seen.files} ${seen.files === 1 ? "file" : "files"}`}
          {kind}
        </p>
      </div>
      <Button look="quiet" onClick={onOther}>
        Choose another
      </Button>
    </div>
  );
}
