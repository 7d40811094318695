/** The part of Observable Plot that our charts are made of: nothing else of it is fetched. */
export { areaY, dot, gridY, line, lineY, plot, rectY, ruleX, ruleY, text } from "@observablehq/plot";

/** What a chart draws with. */
export type Plot = typeof import("./marks");
