import type { Shapes } from "../api/client";
import { Button } from "../components/Button";
import { Copy } from "../components/Copy";
import { Notice } from "../components/Notice";
import styles from "./account.module.css";

/** A new key, this once. */
export function NewKey({ made, onDone }: { readonly made: Shapes["KeyCreated"]; readonly onDone: () => void }) {
  return (
    <Notice kind="caution">
      <p role="status">
        The new key of <strong>{made.user}</strong>. Copy it now: it is not shown again, and nobody can look it up.
      </p>
      <div className={styles.secret}>
        <code data-testid="new-key">{made.key}</code>
        <Copy text={made.key} what="the key" />
        <Button look="quiet" onClick={onDone}>
          I have it
        </Button>
      </div>
    </Notice>
  );
}
