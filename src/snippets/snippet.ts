import type { ExactJsonObject } from './json.ts';

/** A request as code. */
export interface Snippet {
  /** null: no part of the request can be written. */
  readonly code: string | null;
  /** Pointers to the members that the code does not have, because the language or the client cannot express them. */
  readonly missing: readonly string[];
}

/**
 * Writes a request as code that reads the API key from the environment variable `SLUICE_KEY`.
 * @param baseUrl of the service, without a slash at the end
 * @param path of the endpoint that the request is posted to; default: `SCRAPE`
 */
export type WriteSnippet = (baseUrl: string, request: ExactJsonObject, path?: string) => Snippet;

export const SCRAPE = '/api/v1/scrape/';

export const whole = (code: string): Snippet => ({ code, missing: [] });
