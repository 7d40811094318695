/** How metrics look and read, the same on every page. */

const COLOURED = new Set(["performance", "throughput", "memory", "fairness", "robustness"]);

/** The colour of a metric, as a CSS value. */
export function metricColour(metric: string): string {
  return `var(--metric-${COLOURED.has(metric) ? metric : "other"})`;
}

const TITLES: Readonly<Record<string, string>> = {
  auroc: "AUROC",
  calibration_error: "Calibration error (less is better)",
  macro_f1: "Macro F1",
  squad_em: "SQuAD exact match",
  squad_f1: "SQuAD F1",
};

/** The metric with a capital: the server's names are words already, but for abbreviations. */
export function metricTitle(metric: string): string {
  if (TITLES[metric]) return TITLES[metric];
  if (metric.startsWith("f1_")) return `F1 of ${metric.slice(3)}`;
  return metric.charAt(0).toUpperCase() + metric.slice(1).replaceAll("_", " ");
}
