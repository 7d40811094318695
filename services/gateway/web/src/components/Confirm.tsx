import { type ReactNode, useEffect, useId, useRef } from "react";
import { Button } from "./Button";
import styles from "./confirm.module.css";

interface Props {
  readonly title: string;
  /** What will happen, and whether it can be undone. */
  readonly children: ReactNode;
  /** The verb on the button: "Revoke". */
  readonly verb: string;
  readonly waiting?: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks before something that cannot be taken back. Shown as long as it is mounted; Escape closes it. */
export function Confirm({ title, children, verb, waiting = false, onConfirm, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  return (
    <dialog ref={dialog} aria-labelledby={heading} onCancel={onClose} className={styles.confirm}>
      <h2 id={heading}>{title}</h2>
      {children}
      <div className={styles.choices}>
        <Button onClick={onClose}>Keep</Button>
        <Button look="main" disabled={waiting} onClick={onConfirm}>
          {verb}
        </Button>
      </div>
    </dialog>
  );
}
