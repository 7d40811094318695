import { type ReactNode, useEffect, useId, useRef } from "react";
import { Button } from "./Button";
import styles from "./dialog.module.css";

interface Props {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Something to do without leaving the page. Shown as long as it is mounted; Escape closes it. */
export function Dialog({ title, onClose, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    return () => shown?.close();
  }, []);
  return (
    <dialog ref={dialog} aria-labelledby={heading} onCancel={onClose} className={styles.dialog}>
      <header>
        <h2 id={heading}>{title}</h2>
        <Button look="quiet" onClick={onClose}>
          Close
        </Button>
      </header>
      {children}
    </dialog>
  );
}
