import { type DragEvent, useId, useRef, useState } from "react";
import { Button } from "../components/Button";
import styles from "./submit.module.css";

interface Props {
  readonly onFile: (file: File) => void;
}

/** Takes one file: dropped here, or chosen. */
export function DropArea({ onFile }: Props) {
  const [over, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const file = event.dataTransfer.files[0];
    if (file) onFile(file);
  };
  return (
    <div
      role="group"
      aria-labelledby={id}
      className={styles.drop}
      data-over={over || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <Picture />
      <p id={id} className={styles.dropTitle}>
        Drop your archive here
      </p>
      <p className="soft">a .zip from dynaboard package, or a TorchServe .mar; of any size, it is sent in parts</p>
      <Button onClick={() => input.current?.click()}>Choose a file</Button>
      <input
        ref={input}
        type="file"
        hidden
        accept=".zip,.mar"
        aria-label="Archive"
        onChange={(event) => {
          const file = event.target.files?.[0];
          if (file) onFile(file);
          // The same file chosen again is an event again.
          event.target.value = "";
        }}
      />
    </div>
  );
}

function Picture() {
  return (
    <svg className={styles.picture} viewBox="0 0 48 48" width="48" height="48" aria-hidden="true">
      <path d="M24 30V10m0 0-8 8m8-8 8 8" />
      <path d="M8 30v6a4 4 0 0 0 4 4h24a4 4 0 0 0 4-4v-6" />
    </svg>
  );
}
