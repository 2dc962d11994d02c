import { forbiddenHeaderReason } from '../request/headers.ts';
import type { ImportedRequest, ImportProblem } from './curl-command.ts';
import {
  type CallDraft,
  newDraft,
  ParameterProblem,
  type QueryApi,
  type QueryReply,
} from './scrapingbee-draft.ts';
import { KEY_NAMES, PARAMETERS, parameterOf } from './scrapingbee-parameters.ts';

/** A call of ScrapingBee, ScraperAPI, ScrapingAnt or Scrape.do. */
export interface QueryCall {
  readonly query: URLSearchParams;
  readonly method: string;
  /** As they came, in their order; null: unknown. */
  readonly headers: readonly (readonly [name: string, value: string])[] | null;
  /** null: there is none. */
  readonly body: Buffer | null;
}

export interface TranslatedCall extends ImportedRequest {
  readonly reply: QueryReply;
  /** JSON pointer into `request` → the parameter that it comes from. */
  readonly sources: ReadonlyMap<string, string>;
}

/** What is wrong with a call. `parameter`: the one at fault. */
export interface CallProblem extends ImportProblem {
  readonly parameter: string;
}

const APIS = Object.keys(KEY_NAMES) as QueryApi[];
const KEYS: ReadonlySet<string> = new Set(Object.values(KEY_NAMES));

/** What an API does if the call does not say. Times in ms; `blocks`: it does not load images and style sheets. */
const DEFAULTS: Readonly<
  Record<
    QueryApi,
    { browser: boolean; blocks: boolean; timeoutMs: number; prefix: string; viewport: object | null }
  >
> = {
  scrapingbee: {
    browser: true,
    blocks: true,
    timeoutMs: 140_000,
    prefix: 'spb-',
    viewport: { width: 1920, height: 1080 },
  },
  scraperapi: { browser: false, blocks: false, timeoutMs: 70_000, prefix: '', viewport: null },
  scrapingant: { browser: true, blocks: false, timeoutMs: 60_000, prefix: 'ant-', viewport: null },
  scrapedo: { browser: false, blocks: true, timeoutMs: 60_000, prefix: 'sd-', viewport: null },
};

/**
 * The key of a call that has both a key and a URL in its query; null: it is no such call.
 * @param authorization the header: clients of ScrapingBee since version 2 send the key as a bearer token instead
 */
export function keyOfCall(query: URLSearchParams, authorization: string | undefined): string | null {
  if (!query.get('url')) return null;
  for (const name of KEYS) {
    const key = query.get(name);
    if (key) return key;
  }
  return /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? null;
}

/** The API whose parameters these are: told by the name of the key, else by a name that no other API has. */
function apiOf(query: URLSearchParams): QueryApi {
  const keyed = APIS.filter((api) => query.has(KEY_NAMES[api]));
  const possible = keyed.length === 0 ? APIS : keyed;
  const first = possible[0]!;
  return (
    possible.find((api) =>
      PARAMETERS.some(
        ({ names }) => names[api] !== undefined && query.has(names[api]) && !isNameOf(first, names[api]),
      ),
    ) ?? first
  );
}

const isNameOf = (api: QueryApi, name: string): boolean =>
  PARAMETERS.some(({ names }) => names[api] === name);

/** Translates a call into the scrape request that does the same. */
export function translateCall(call: QueryCall): TranslatedCall | CallProblem {
  const draft = newDraft(apiOf(call.query));
  let browserParameter: string | null = null;
  const seen = new Set<string>();
  for (const [name, value] of call.query) {
    if (name === 'url' || KEYS.has(name) || value === '') continue;
    const parameter = parameterOf(draft.api, name);
    if (parameter === undefined)
      return {
        parameter: name,
        problem: 'is not known here; if it belongs to the target URL, encode that URL',
      };
    if (seen.has(name) && name !== 'block_resource')
      return { parameter: name, problem: 'is given more than once' };
    seen.add(name);
    try {
      parameter.apply(draft, value, name);
    } catch (error) {
      if (error instanceof ParameterProblem) return { parameter: name, problem: error.message };
      throw error;
    }
    if (parameter.browser === true && !/^(?:false|0|no)$/i.test(value)) browserParameter = name;
  }
  if (!(draft.browser ?? DEFAULTS[draft.api].browser) && browserParameter !== null)
    return { parameter: browserParameter, problem: 'needs a browser: set render_js=true' };
  const headers = headersOf(call, draft);
  return 'problem' in headers ? headers : finish(call, draft, headers.forwarded);
}

type Headers = Readonly<Record<string, string | string[]>>;

/** Headers that are made for the connection to us, or say where it came from. */
const OWN_HEADERS = /^(?:accept-encoding$|x-forwarded-|x-request-id$|x-real-ip$|forwarded$|via$|x-api-key$)/;

/** The headers of the call that go to the target. */
function headersOf({ headers, body }: QueryCall, draft: CallDraft): { forwarded: Headers } | CallProblem {
  const { prefix } = DEFAULTS[draft.api];
  // ScrapingAnt has no parameter for it.
  const forward = draft.api === 'scrapingant' && draft.forward === 'none' ? 'prefixed' : draft.forward;
  const kept = new Map<string, string[]>();
  for (const [name, value] of headers ?? []) {
    const lower = name.toLowerCase();
    const isPrefixed = prefix !== '' && lower.startsWith(prefix);
    const own = isPrefixed ? name.slice(prefix.length) : name;
    const isContentType = lower === 'content-type' && body !== null;
    if (forward === 'none' && !isContentType) continue;
    if (forward === 'prefixed' && !isPrefixed && !isContentType) continue;
    if (!isPrefixed && (forbiddenHeaderReason(lower) !== null || OWN_HEADERS.test(lower))) continue;
    // Another site could lead a browser to such a URL, which would then send the cookies of this service on.
    if (!isPrefixed && lower === 'cookie')
      return { parameter: 'cookies', problem: 'must have the cookies: the header `Cookie` is not sent on' };
    kept.set(own, [...(kept.get(own) ?? []), value]);
  }
  const names = [...kept.keys()];
  // A content type with the prefix is that of the target.
  const types = names.filter((name) => name.toLowerCase() === 'content-type');
  if (types.length > 1) kept.delete(types.find((name) => name === 'content-type') ?? types[0]!);
  return {
    forwarded: Object.fromEntries([...kept].map(([name, all]) => [name, all.length === 1 ? all[0]! : all])),
  };
}

function finish(
  { query, method, headers, body }: QueryCall,
  draft: CallDraft,
  forwarded: Headers,
): TranslatedCall {
  const defaults = DEFAULTS[draft.api];
  const browser = draft.browser ?? defaults.browser;
  const options = { ...draft.options };
  const router = { ...draft.router };
  if (browser) addBrowserOptions(draft, options);
  else if (draft.mobile) options.impersonate = 'safari_ios_26';
  else router.only = ['http', 'http_impersonate'];
  const proxy = proxyOf(draft);
  const request = {
    url: query.get('url') ?? '',
    scraper: browser ? 'browser' : draft.mobile ? 'http_impersonate' : 'auto',
    ...(method !== 'GET' && { method }),
    timeout_ms: defaults.timeoutMs,
    ...draft.request,
    ...(Object.keys(forwarded).length > 0 && { headers: forwarded }),
    ...(body !== null && { data: { $base64: body.toString('base64') } }),
    ...(draft.actions.length > 0 && { page_actions: draft.actions }),
    ...(proxy !== null && { proxy }),
    ...(Object.keys(options).length > 0 && { scraper_options: options }),
    ...(Object.keys(router).length > 0 && { router }),
  };
  const ignored = [
    ...draft.replyOnly,
    ...(headers === null && draft.forward !== 'none' ? ['the headers of the call, which are not given'] : []),
  ];
  return {
    request,
    ignored,
    sources: new Map([['/url', 'url'], ...draft.sources]),
    reply: { body: draft.body, json: draft.json, transparent: draft.transparent, rules: draft.rules },
  };
}

function addBrowserOptions(draft: CallDraft, options: Record<string, unknown>): void {
  const defaults = DEFAULTS[draft.api];
  const capture: Record<string, unknown>[] = [];
  if (draft.mobile) options.device = 'iPhone 15';
  const viewport = { ...(draft.mobile ? null : defaults.viewport), ...draft.viewport };
  if (Object.keys(viewport).length > 0) options.viewport = viewport;
  if ((draft.block ?? (defaults.blocks && draft.body !== 'screenshot')) && options.block === undefined)
    options.block = { resource_types: ['image', 'stylesheet'] };
  if (draft.body === 'source') capture.push({ url: '**', resource_type: 'document', body: true });
  // `xhr` in their JSON.
  if (draft.json)
    for (const type of ['xhr', 'fetch']) capture.push({ url: '**', resource_type: type, body: true });
  if (capture.length > 0) options.capture = capture;
}

/** How long an exit is kept for a session of theirs. */
const SESSION_S = 300;

function proxyOf(draft: CallDraft): Record<string, unknown> | null {
  if (Object.keys(draft.proxy).length === 0) return null;
  return { ...draft.proxy, ...(draft.proxy.session !== undefined && { session_ttl_s: SESSION_S }) };
}

/**
 * Translates the URL of a call, or its query alone.
 * @param text such as `https://app.scrapingbee.com/api/v1/?api_key=…&url=…`; the key is not needed
 */
export function importScrapingBee(text: string): ImportedRequest | ImportProblem {
  const trimmed = text.trim();
  const start = trimmed.indexOf('?');
  const query = new URLSearchParams(
    /^https?:\/\//i.test(trimmed) ? trimmed.slice(start + 1 || trimmed.length) : trimmed,
  );
  if (!query.get('url')) return { problem: 'has no parameter `url`' };
  const result = translateCall({ query, method: 'GET', headers: null, body: null });
  if ('problem' in result)
    return { problem: `has the parameter \`${result.parameter}\`, which ${result.problem}` };
  return { request: result.request, ignored: result.ignored };
}
