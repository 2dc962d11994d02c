import { readJson } from '../schema/read-json.ts';

/** The APIs that are called with a URL and parameters in the query (contract §17). */
export type QueryApi = 'scrapingbee' | 'scraperapi' | 'scrapingant' | 'scrapedo';

/** What is sent as the body of the reply. `source`: the page as the target sent it, before scripts ran. */
export type ReplyBody = 'page' | 'source' | 'markdown' | 'text' | 'extract' | 'screenshot';

/** How the result of the scrape is sent to the caller. */
export interface QueryReply {
  readonly body: ReplyBody;
  /** One JSON object with the body, the headers, cookies and so on. */
  readonly json: boolean;
  /** The status of the target is that of the reply, whatever it is. */
  readonly transparent: boolean;
  /** `extract_rules` as they were sent; null: there are none. */
  readonly rules: Readonly<Record<string, unknown>> | null;
}

/** A scrape request while the parameters of a call are read into it. */
export interface CallDraft {
  readonly api: QueryApi;
  /** Members of the scrape request. */
  readonly request: Record<string, unknown>;
  /** Members of `scraper_options`. */
  readonly options: Record<string, unknown>;
  /** Members of `proxy` as an object. */
  readonly proxy: Record<string, unknown>;
  readonly router: Record<string, unknown>;
  readonly viewport: Record<string, number>;
  readonly actions: Record<string, unknown>[];
  /** null: the default of the API. */
  browser: boolean | null;
  /** Whether images and style sheets are not loaded; null: the default of the API. */
  block: boolean | null;
  mobile: boolean;
  /** Which headers of the call go to the target. `prefixed`: those with the prefix of the API. */
  forward: 'none' | 'prefixed' | 'all';
  body: ReplyBody;
  json: boolean;
  transparent: boolean;
  rules: Readonly<Record<string, unknown>> | null;
  /** JSON pointer into the scrape request → the parameter that it comes from. */
  readonly sources: Map<string, string>;
  /** Parameters that are about the reply only, as they were written. */
  readonly replyOnly: string[];
}

export const newDraft = (api: QueryApi): CallDraft => ({
  api,
  request: {},
  options: {},
  proxy: {},
  router: {},
  viewport: {},
  actions: [],
  browser: null,
  block: null,
  mobile: false,
  forward: 'none',
  body: 'page',
  json: false,
  transparent: false,
  rules: null,
  sources: new Map(),
  replyOnly: [],
});

/** A parameter that cannot be honoured. The text continues a sentence that begins with the name of the parameter. */
export class ParameterProblem extends Error {}

/** @throws ParameterProblem */
export function problem(text: string): never {
  throw new ParameterProblem(text);
}

/** True and false as these APIs and the client libraries write them. @throws ParameterProblem */
export function readFlag(value: string): boolean {
  if (/^(?:true|1|yes)$/i.test(value)) return true;
  if (/^(?:false|0|no)$/i.test(value)) return false;
  return problem(`must be true or false, got ${JSON.stringify(value.slice(0, 50))}`);
}

/** @throws ParameterProblem */
export function readWhole(value: string): number {
  return /^\d{1,9}$/.test(value)
    ? Number(value)
    : problem(`must be a whole number, got ${JSON.stringify(value.slice(0, 50))}`);
}

/** @throws ParameterProblem */
export function readJsonParameter(value: string): unknown {
  const read = readJson(value, 'is not JSON');
  return read.problems === null ? read.value : problem(read.problems[0]!.message.replace(/\.$/, ''));
}

/** @throws ParameterProblem */
export const readChoice = <T extends string>(value: string, choices: readonly T[]): T =>
  choices.find((choice) => choice === value) ??
  problem(`must be one of ${choices.join(', ')}; got ${JSON.stringify(value.slice(0, 50))}`);

/** `a=1; b=2` → an object. @throws ParameterProblem */
export function readCookies(value: string): Record<string, string> {
  const pairs = value.split(';').flatMap((part) => (part.trim() === '' ? [] : [part.trim()]));
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      return at < 1
        ? problem('must be `name=value` pairs, separated by `;`')
        : [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}

/** A script in Base64. @throws ParameterProblem */
export function readScript(value: string): string {
  // In a query, `+` is often sent without being encoded, and read as a blank.
  const base64 = value.replaceAll(' ', '+');
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(base64)) return problem('must be a script in Base64');
  return Buffer.from(base64, 'base64').toString('utf8');
}
