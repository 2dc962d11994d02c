import { readReserveMs } from '../../domain/browser-options.ts';
import type { Failure } from '../../domain/failure.ts';
import { isObject } from '../../domain/json-schema.ts';
import type { PageAction } from '../../domain/page-action.ts';
import { METHODS, type Method, type Task } from '../../domain/task.ts';
import type { ExtractTemplate } from '../../domain/template.ts';
import { mapIfChanged, withoutNulls } from '../schema/json-value.ts';
import { addProblem, addValueProblem, type Problems } from '../schema/problems.ts';
import type { Schema } from '../schema/validation.ts';
import { readBody } from './body.ts';
import { BROWSER_OPTIONS_READER, readBrowserOptions } from './browser-options.ts';
import { readCookies } from './cookies.ts';
import { type CallerHeaders, readHeaders } from './headers.ts';
import { maskedRequestJson } from './masked-request.ts';
import { normaliseAction } from './page-action-shorthand.ts';
import { readActions } from './page-actions.ts';
import { readProxy } from './proxy-options.ts';
import { readRouter } from './router-options.ts';
import { CookieObject, checkRequest, ScrapeRequest } from './scrape-request-schema.ts';
import { checkNotOfCrawl, readScraperOptions, requestedScraperOptions } from './scraper-options.ts';
import { readTarget } from './target-url.ts';

type Body = Readonly<Record<string, unknown>>;

const REQUEST_MEMBERS = ScrapeRequest.properties;

/**
 * Converts the request to its full form: removes optional members that are null, and expands shorthands. Returns the same
 * object if nothing changes, which is the usual case.
 */
function normaliseRequest(body: Body): Body {
  let changed: Record<string, unknown> | null = null;
  for (const name in body) {
    const value = body[name];
    // A fast path: most members are plain values.
    if (typeof value !== 'object') continue;
    if (value === null) {
      // `url` is required: its null is kept, so that the schema refuses it by its value.
      if (name === 'url' || !Object.hasOwn(REQUEST_MEMBERS, name)) continue;
      changed ??= { ...body };
      delete changed[name];
      continue;
    }
    const normalised = normaliseMember(name, value);
    if (normalised === value) continue;
    changed ??= { ...body };
    changed[name] = normalised;
  }
  return changed ?? body;
}

function normaliseMember(name: string, value: object): unknown {
  switch (name) {
    case 'cookies':
      return Array.isArray(value) ? mapIfChanged(value, normaliseCookie) : value;
    case 'page_actions':
      return Array.isArray(value) ? mapIfChanged(value, (action) => normaliseAction(action)) : value;
    case 'scraper_options':
    case 'proxy':
    case 'router':
      return withoutNulls(value, REQUEST_MEMBERS[name] as Schema);
    default:
      return value;
  }
}

/** Names of browsers and Playwright for members of a cookie. */
const COOKIE_ALIASES: ReadonlyMap<string, string> = new Map([
  ['httpOnly', 'http_only'],
  ['sameSite', 'same_site'],
]);

function normaliseCookie(cookie: unknown): unknown {
  if (!isObject(cookie)) return cookie;
  let renamed: Body = cookie;
  for (const [alias, name] of COOKIE_ALIASES) {
    if (!Object.hasOwn(renamed, alias)) continue;
    const { [alias]: value, ...rest } = renamed;
    if (value === null) renamed = rest;
    // If both names are present, the alias is kept, so that the schema refuses it as unknown.
    else if ((renamed[name] ?? null) === null) renamed = { ...rest, [name]: value };
  }
  return withoutNulls(renamed, CookieObject as Schema);
}

type ParsedTask =
  | { readonly task: Task; readonly problems: null }
  | { readonly task: null; readonly problems: readonly Failure[] };

const NO_HEADERS: CallerHeaders = { list: [], cookies: [], contentType: null, hasAuthorization: false };
const EMPTY_LIST: readonly never[] = Object.freeze([]);
const NO_OPTIONS = Object.freeze({});
const DEFAULT_TIMEOUT_MS = 60_000;

/**
 * Converts a parsed JSON body to a Task, or returns at most `MAX_PROBLEMS` problems, all `request.validation` with a
 * pointer. If the schema refuses the request, the other rules are not checked. Never throws.
 * @param template that `scraper_options.extract` names; null: none
 * @param ofCrawl the request is of a crawl, which allows an option more
 */
export function parseTask(
  body: unknown,
  template: ExtractTemplate | null = null,
  ofCrawl = false,
): ParsedTask {
  const problems: Problems = [];
  if (!isObject(body)) {
    addValueProblem(problems, '', 'must be a JSON object', body);
    return { task: null, problems };
  }
  const normal = normaliseRequest(body);
  if (!checkRequest(normal, '', problems)) return { task: null, problems };
  const request = normal as unknown as ScrapeRequest;

  const target = readTarget(request.url, request.query, '/url', problems);
  const method = readMethod(request.method, problems);
  const headers = request.headers === undefined ? NO_HEADERS : readHeaders(request.headers, problems);
  const cookies =
    request.cookies === undefined && headers.cookies.length === 0
      ? EMPTY_LIST
      : readCookies(request.cookies, headers.cookies, problems);
  const targetBody =
    request.data === undefined ? null : readBody(request.data, headers.contentType, problems);
  const timeoutMs = request.timeout_ms === undefined ? DEFAULT_TIMEOUT_MS : Math.ceil(request.timeout_ms);
  const actions = readPageActions(request, body, timeoutMs, problems);
  const { scraper_options: requestedOptions = NO_OPTIONS } = request;
  const scraperOptions =
    template === null ? requestedOptions : { ...requestedOptions, extract: template.rules };
  const options = readScraperOptions(scraperOptions, problems);
  if (!ofCrawl) checkNotOfCrawl(options, '/scraper_options', problems);
  const browser = readBrowserOptions(request, actions, problems);
  const proxyOptions = readProxy(request.proxy, problems);
  const router = readRouter(request.router, problems);

  if (problems.length > 0 || target === null) return { task: null, problems };
  const { authorization } = target;
  const task: Task = {
    url: target.href,
    host: target.host,
    method,
    headers:
      authorization === null || headers.hasAuthorization
        ? headers.list
        : [...headers.list, ['Authorization', authorization]],
    cookies,
    body: targetBody,
    isProxied: false,
    isRelayed: false,
    timeoutMs,
    allowRedirects: request.allow_redirects ?? true,
    requested: [...BROWSER_OPTIONS_READER.requested(request), ...requestedScraperOptions(scraperOptions)],
    browser,
    scraper: request.scraper ?? 'auto',
    options,
    template: template === null ? null : { name: template.name, version: template.version },
    ...proxyOptions,
    router,
    finds: null,
    requestJson: (plainFields) => maskedRequestJson(body, plainFields),
  };
  return { task: Object.freeze(task), problems: null };
}

function readMethod(method: string | undefined, problems: Problems): Method {
  if (method === undefined || method === 'GET') return 'GET';
  // Only ASCII letters, because `toUpperCase` converts `ſ` to `S`.
  const upper = /^[a-z]+$/i.test(method) ? method.toUpperCase() : method;
  const known = METHODS.find((name) => name === upper);
  if (known === undefined)
    addValueProblem(problems, '/method', `must be one of ${METHODS.join(', ')}`, method);
  return known ?? 'GET';
}

/** Reads the page actions, and checks that the fixed waits leave time to read the page. */
function readPageActions(
  request: ScrapeRequest,
  body: Readonly<Record<string, unknown>>,
  timeoutMs: number,
  problems: Problems,
): readonly PageAction[] {
  const { wait_for_timeout_ms: pageWaitMs = 0, page_actions: actions } = request;
  if (pageWaitMs === 0 && actions === undefined) return EMPTY_LIST;
  const usableMs = timeoutMs - readReserveMs(timeoutMs);
  if (pageWaitMs > usableMs) {
    addProblem(
      problems,
      '/wait_for_timeout_ms',
      `must be at most ${Math.floor(usableMs)}, which is timeout_ms (${timeoutMs}) less the time to read the page, got ${pageWaitMs}`,
    );
  }
  if (actions === undefined) return EMPTY_LIST;
  return readActions(
    actions,
    body.page_actions,
    { pageWaitMs: Math.min(pageWaitMs, usableMs), timeoutMs, usableMs },
    problems,
  );
}
