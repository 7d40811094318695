import { useEffect } from "react";

/** Sets the window's title, for history and screen readers. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Dynaboard`;
  }, [title]);
}
