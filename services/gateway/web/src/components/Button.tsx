import type { ComponentProps } from "react";
import { Link } from "wouter";
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

/** A link that looks like a button: it goes somewhere, within the page without loading it anew. */
export function ButtonLink({ look = "plain", className = "", href = "", ...rest }: ComponentProps<"a"> & Look) {
  const looks = `${LOOKS[look]} ${className}`;
  if (!href.startsWith("/") || href.startsWith("/api/") || rest.download) {
    return (
      <a className={looks} href={href} {...rest}>
        {rest.children}
      </a>
    );
  }
  return <Link className={looks} href={href} {...rest} />;
}
