import { type RefObject, useEffect, useRef, useState } from "react";
import styles from "./chart.module.css";
import type { Plot } from "./marks";

interface Props {
  /** What the chart shows, for those who do not see it; a table of the same numbers should stand near. */
  readonly label: string;
  readonly height: number;
  /** Draws at a width; called again when that changes. Observable Plot is fetched only when a chart is shown. */
  readonly draw: (plot: Plot, width: number) => HTMLElement | SVGSVGElement;
}

/** A chart by Observable Plot. Pass a memoised `draw`. */
export function Chart({ label, height, draw }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const width = useWidth(frame);
  useEffect(() => {
    let stale = false;
    void import("./marks").then((plot) => {
      if (stale || !width) return;
      const drawn = draw(plot, width);
      // The page's security policy refuses styles inside documents; ours are in chart.module.css.
      for (const style of drawn.querySelectorAll("style")) style.remove();
      // The chart has one label, its frame's; Plot's own names of marks ("dot") say nothing and have no role.
      for (const group of drawn.querySelectorAll("g[aria-label]")) group.removeAttribute("aria-label");
      frame.current?.replaceChildren(drawn);
    });
    return () => {
      stale = true;
    };
  }, [draw, width]);
  return <div ref={frame} role="img" aria-label={label} className={styles.chart} style={{ minHeight: height }} />;
}

function useWidth(of: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = of.current;
    if (!element) return;
    const observer = new ResizeObserver(([entry]) => entry && setWidth(Math.floor(entry.contentRect.width)));
    observer.observe(element);
    return () => observer.disconnect();
  }, [of]);
  return width;
}
