import type { Failure } from '../../domain/failure.ts';
import { type Job, METHODS, type Method, type ScraperName } from '../../domain/job.ts';
import type { PageAction } from '../../domain/page-action.ts';
import { reserveMs } from '../../domain/reserve.ts';
import { isObject } from '../schema/build.ts';
import { type Problems, wrong, wrongValue } from '../schema/problems.ts';
import { readActions } from './actions.ts';
import { readBrowser } from './browser-ask.ts';
import { browserOnlyAsks } from './browser-only.ts';
import { readCookies } from './cookies.ts';
import { readBody } from './data.ts';
import { type CallerHeaders, readHeaders } from './headers.ts';
import { normalise } from './normalise.ts';
import { readOptions } from './options.ts';
import { readProxy } from './proxy.ts';
import { maskedRequest } from './request-json.ts';
import { checkRequest, type ScrapeRequest } from './request-schema.ts';
import { readRouter } from './router.ts';
import { readTarget } from './target.ts';

export type ParsedJob =
  | { readonly job: Job; readonly problems: null }
  | { readonly job: null; readonly problems: readonly Failure[] };

const NO_HEADERS: CallerHeaders = { list: [], cookies: [], contentType: null, hasAuthorization: false };
const NO_LIST: readonly never[] = Object.freeze([]);
const DEFAULT_TIMEOUT_MS = 60_000;

/**
 * A parsed JSON body → a Job, or at most 10 problems (all `request.validation`, each with a pointer). First the shape,
 * then the meaning; nothing is corrected silently. Never throws, whatever the body is.
 */
export function parseJob(body: unknown): ParsedJob {
  const problems: Problems = [];
  if (!isObject(body)) {
    wrongValue(problems, '', 'must be a JSON object', body);
    return { job: null, problems };
  }
  const normal = normalise(body);
  if (!checkRequest(normal, '', problems)) return { job: null, problems };
  const request = normal as unknown as ScrapeRequest;

  const target = readTarget(request.url, request.query, '/url', problems);
  const method = readMethod(request.method, problems);
  const headers = request.headers === undefined ? NO_HEADERS : readHeaders(request.headers, problems);
  const cookies =
    request.cookies === undefined && headers.cookies.length === 0
      ? NO_LIST
      : readCookies(request.cookies, headers.cookies, problems);
  const content = request.data === undefined ? null : readBody(request.data, headers.contentType, problems);
  const timeoutMs = request.timeout_ms === undefined ? DEFAULT_TIMEOUT_MS : Math.ceil(request.timeout_ms);
  const actions = checkWaits(request, body, timeoutMs, problems);
  const options = readOptions(request.scraper_options, problems);
  const browser = readBrowser(request, problems);
  const exit = readProxy(request.proxy, problems);
  const router = readRouter(request.router, problems);

  if (problems.length > 0 || target === null) return { job: null, problems };
  const { authorization } = target;
  const job: Job = {
    url: target.href,
    host: target.host,
    method,
    headers:
      authorization === null || headers.hasAuthorization
        ? headers.list
        : [...headers.list, ['Authorization', authorization]],
    cookies,
    body: content,
    timeoutMs,
    allowRedirects: request.allow_redirects ?? true,
    browserOnly: browserOnlyAsks(request),
    browser: actions.length === 0 ? browser : { ...browser, actions },
    scraper: (request.scraper as ScraperName | 'auto' | undefined) ?? 'auto',
    options,
    ...exit,
    router,
    requestJson: () => maskedRequest(body),
  };
  return { job: Object.freeze(job), problems: null };
}

function readMethod(given: string | undefined, problems: Problems): Method {
  if (given === undefined || given === 'GET') return 'GET';
  // Letters of ASCII alone: to the engine, `ſ` is a small S.
  const upper = /^[a-z]+$/i.test(given) ? given.toUpperCase() : given;
  const method = METHODS.find((name) => name === upper);
  if (method === undefined) wrongValue(problems, '/method', `must be one of ${METHODS.join(', ')}`, given);
  return method ?? 'GET';
}

/** The page actions. The fixed waits must leave time to read the page. */
function checkWaits(
  request: ScrapeRequest,
  body: Readonly<Record<string, unknown>>,
  timeoutMs: number,
  problems: Problems,
): readonly PageAction[] {
  const { wait_for_timeout_ms: beforeMs = 0, page_actions: actions } = request;
  if (beforeMs === 0 && actions === undefined) return NO_LIST;
  const usableMs = timeoutMs - reserveMs(timeoutMs);
  if (beforeMs > usableMs) {
    wrong(
      problems,
      '/wait_for_timeout_ms',
      `must be at most ${Math.floor(usableMs)}, which is timeout_ms (${timeoutMs}) less the time to read the page, got ${beforeMs}`,
    );
  }
  if (actions === undefined) return NO_LIST;
  return readActions(
    actions,
    body.page_actions,
    { beforeMs: Math.min(beforeMs, usableMs), timeoutMs, usableMs },
    problems,
  );
}
