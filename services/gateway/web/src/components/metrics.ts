/** How metrics look and read, the same on every page. */

const COLOURED = new Set(["performance", "throughput", "memory", "fairness", "robustness"]);

/** The colour of a metric, as a CSS value. */
export function metricColour(metric: string): string {
  return `var(--metric-${COLOURED.has(metric) ? metric : "other"})`;
}

/** The metric with a capital: the server's names are words already. */
export function metricTitle(metric: string): string {
  return metric.charAt(0).toUpperCase() + metric.slice(1).replaceAll("_", " ");
}
