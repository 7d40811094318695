/** The platform's API, typed by its own OpenAPI document (schema.d.ts: `make web-api`). */
import createClient from "openapi-fetch";
import type { components, paths } from "./schema";
import { key } from "./session";

/** The shapes that travel, by the names the server gives them. */
export type Shapes = components["schemas"];

/** An answer that is no success: one sentence for the reader, and the status. */
export class Problem extends Error {
  readonly status: number;

  constructor(sentence: string, status: number) {
    super(sentence);
    this.name = "Problem";
    this.status = status;
  }
}

const NO_ANSWER = "The platform does not answer. Check your connection, then try again.";

export const api = createClient<paths>({
  baseUrl: window.location.origin,
  fetch: (request: Request) => fetch(request).catch(() => Promise.reject(new Problem(NO_ANSWER, 0))),
});

api.use({
  onRequest({ request }) {
    const secret = key();
    if (secret) request.headers.set("authorization", `Bearer ${secret}`);
    return request;
  },
});

/** The data of an answer. Throws Problem with the server's sentence. */
export async function answered<T>(asked: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  const { data, error, response } = await asked;
  if (!response.ok) throw new Problem(sentenceOf(error, response.status), response.status);
  return data as T;
}

/** What an error's body says to its reader. */
export function sentenceOf(body: unknown, status: number): string {
  const detail = (body as { detail?: unknown } | undefined)?.detail;
  return typeof detail === "string" && detail ? detail : `The platform answered with an error (${status}). Try again.`;
}
