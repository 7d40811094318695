import type { ComponentProps } from "react";
import styles from "./controls.module.css";

interface Look {
  /** `main`: what most people came to do, once a page. `quiet`: beside text. */
  readonly look?: "plain" | "main" | "quiet";
}

const LOOKS = {
  plain: styles.button,
  main: `${styles.button} ${styles.main}`,
  quiet: `${styles.button} ${styles.quiet}`,
};

export function Button({ look = "plain", type = "button", className = "", ...rest }: ComponentProps<"button"> & Look) {
  return <button type={type} className={`${LOOKS[look]} ${className}`} {...rest} />;
}

/** A link that looks like a button: it goes somewhere. */
export function ButtonLink({ look = "plain", className = "", children, ...rest }: ComponentProps<"a"> & Look) {
  return (
    <a className={`${LOOKS[look]} ${className}`} {...rest}>
      {children}
    </a>
  );
}
