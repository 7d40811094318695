/** Where everything is: the only module that writes or knows the page's own addresses. */

const enc = encodeURIComponent;

export const places = {
  home: () => "/",
  board: (task: string) => `/boards/${enc(task)}`,
  tradeOffs: (task: string) => `/boards/${enc(task)}/trade-offs`,
  comparison: (task: string, a?: string, b?: string) =>
    `/boards/${enc(task)}/compare${a ? `?a=${enc(a)}${b ? `&b=${enc(b)}` : ""}` : ""}`,
  snapshot: (id: string) => `/snapshots/${enc(id)}`,
  fork: (id: string) => `/forks/${enc(id)}`,
  model: (id: string) => `/models/${enc(id)}`,
  talk: (task: string, ...models: string[]) =>
    `/talk/${enc(task)}${models.length ? `?${models.map((id) => `model=${enc(id)}`).join("&")}` : ""}`,
  submit: () => "/submit",
  submissions: () => "/submissions",
  submission: (id: string) => `/submissions/${enc(id)}`,
  examples: (submission: string, dataset: string, version: number) =>
    `/submissions/${enc(submission)}/examples?dataset=${enc(dataset)}&version=${version}`,
  datasets: (task?: string) => (task ? `/datasets?task=${enc(task)}` : "/datasets"),
  dataset: (id: string) => `/datasets/${enc(id)}`,
  task: (task: string) => `/tasks/${enc(task)}`,
  account: () => "/account",
} as const;
