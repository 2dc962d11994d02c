import type { Clock } from '../base/time.ts';
import { type Failure, failure, isFailure, WARNINGS, type Warning } from '../domain/failure.ts';
import {
  type FetchFacts,
  type FetchResult,
  type FetchTiming,
  type HeaderList,
  NO_TIMING,
  type Redirect,
} from '../domain/fetch-result.ts';
import type { Task } from '../domain/task.ts';
import type { FetchRequest } from '../ports/scraper.ts';
import type { ConnectTiming } from './connect.ts';
import { CookieJar } from './cookie-jar.ts';
import { DeadlineWatcher } from './deadline-watcher.ts';
import { isRedirect, RedirectLoopDetector, redirectedRequest } from './redirects.ts';
import { firstRequest, type HttpRequest, lowerCaseNames } from './request.ts';
import type { ResponseHead } from './response-head.ts';
import type { ResponseOptions, ResponseReader, ResponseResult } from './response-reader.ts';

/** A connection on which the rest of a redirect's body may still arrive, which nobody reads. */
interface UnreadBody {
  /** Closes the connection, unless the body is complete. */
  cancelUnreadBody(): void;
}

/** What a fetch reports besides the page: collected over all its requests and redirects. */
export class FetchStats {
  readonly redirects: Redirect[] = [];
  readonly timing: FetchTiming = { ...NO_TIMING };
  /** Address of the last connection; null: unknown. */
  remoteIp: string | null = null;
  /** A request may have reached a target. */
  sent = false;
  bytesOut = 0;
  bytesIn = 0;
  /** Status of the last response. */
  status: number | null = null;
  #requestFields: HeaderList | null = null;
  #bodyOnGet = false;
  #unreadBodies: UnreadBody[] | null = null;

  addConnectTiming({ dnsMs, connectMs, tlsMs }: ConnectTiming): void {
    const { timing } = this;
    timing.dns = addMs(timing.dns, dnsMs);
    timing.connect = addMs(timing.connect, connectMs);
    timing.tls = addMs(timing.tls, tlsMs);
  }

  /** Bytes exchanged with a proxy before a request. */
  addProxyBytes(sent: number, received: number): void {
    this.bytesOut += sent;
    this.bytesIn += received;
  }

  /** Called when a request is sent. @param bytes the length of the request, or an estimate */
  addRequest(
    method: string,
    fields: HeaderList,
    remoteIp: string | null,
    bytes: number,
    hasBody: boolean,
  ): void {
    this.sent = true;
    this.remoteIp = remoteIp;
    this.#requestFields = fields;
    this.bytesOut += bytes;
    if (hasBody && (method === 'GET' || method === 'HEAD')) this.#bodyOnGet = true;
  }

  addResponse(reader: ResponseReader): void {
    this.bytesIn += reader.bytesIn;
    this.timing.ttfb = addMs(this.timing.ttfb, reader.ttfb);
    this.timing.download = addMs(this.timing.download, reader.download);
  }

  addUnreadBody(connection: UnreadBody): void {
    this.#unreadBodies ??= [];
    this.#unreadBodies.push(connection);
  }

  /** Closes connections that are still receiving bodies of redirects. */
  close(): void {
    if (this.#unreadBodies !== null)
      for (const connection of this.#unreadBodies) connection.cancelUnreadBody();
  }

  facts(): FetchFacts {
    return {
      redirects: this.redirects,
      requestHeaders: this.#requestFields === null ? null : lowerCaseNames(this.#requestFields),
      remoteIp: this.remoteIp,
      timing: this.timing,
      sent: this.sent,
      warnings: this.#bodyOnGet ? BODY_ON_GET : NO_WARNINGS,
      bytesOut: this.bytesOut,
      bytesIn: this.bytesIn,
    };
  }
}

const NO_WARNINGS: readonly Warning[] = [];
const BODY_ON_GET: readonly Warning[] = [
  { code: 'data.on_get', message: WARNINGS['data.on_get'], pointer: '/data' },
];

function addMs(before: number | null, more: number | null): number | null {
  return more === null ? before : (before ?? 0) + more;
}

/** The objects that all requests of a fetch share. */
export interface FetchContext {
  readonly fetchRequest: FetchRequest;
  readonly stats: FetchStats;
  readonly watcher: DeadlineWatcher;
}

/** The functions in which HTTP clients differ. */
export interface FetchPageDeps {
  readonly clock: Clock;
  /** The header fields of a request in the order in which they are sent; values are byte strings. */
  readonly headerFields: (request: HttpRequest, cookie: string | null, task: Task) => HeaderList;
  /** Sends one request and reads its response. Never rejects. */
  readonly exchange: (
    request: HttpRequest,
    fields: HeaderList,
    options: ResponseOptions,
    context: FetchContext,
  ) => Promise<ResponseResult>;
}

/** Fetches a page and follows redirects. Faults of the target and aborts by the caller are failures in the result. */
export async function fetchPage(fetchRequest: FetchRequest, deps: FetchPageDeps): Promise<FetchResult> {
  const stats = new FetchStats();
  const watcher = new DeadlineWatcher(fetchRequest.deadline, fetchRequest.attemptDeadline);
  const context: FetchContext = { fetchRequest, stats, watcher };
  try {
    const { task } = fetchRequest;
    let request = firstRequest(task);
    let jar = task.cookies.length === 0 ? null : new CookieJar(task.cookies, request.url.hostname);
    /** After an https request, the caller's cookies are no longer sent over http, where others could read them. */
    let httpsSeen = false;
    let loopDetector: RedirectLoopDetector | null = null;
    const responseOptions: ResponseOptions = {
      maxBytes: task.options.maxContentBytes,
      memory: { reservation: fetchRequest.reservation, signal: fetchRequest.deadline.signal },
      followsRedirect: task.allowRedirects ? isRedirect : followsNone,
      onFinalHead: () => watcher.ignoreAttemptDeadline(),
    };
    for (;;) {
      const { url } = request;
      const refusal = watcher.failure ?? fetchRequest.allowUrl?.(url) ?? null;
      if (refusal !== null) return failureResult(stats, refusal);
      const secure = url.protocol === 'https:';
      const cookie = jar?.cookieHeader(url, secure || !httpsSeen, deps.clock.now()) ?? null;
      httpsSeen ||= secure;
      const fields = deps.headerFields(request, cookie, task);
      const result = await deps.exchange(request, fields, responseOptions, context);
      if (result.failure !== null) return failureResult(stats, result.failure);
      const { head } = result;
      stats.status = head.status;
      if (head.hasSetCookie) {
        jar ??= new CookieJar(task.cookies, url.hostname);
        storeCookies(jar, head, url, deps.clock.now());
      }
      if (result.body === null) {
        stats.redirects.push({ url: url.href, statusCode: head.status });
        const next = redirectedRequest(request, head);
        if (isFailure(next)) return failureResult(stats, next);
        if (stats.redirects.length > task.options.maxRedirects)
          return failureResult(stats, tooManyRedirects(task.options.maxRedirects));
        loopDetector ??= new RedirectLoopDetector();
        const loopFailure = loopDetector.check(url, request.method, cookie);
        if (loopFailure !== null) return failureResult(stats, loopFailure);
        request = next;
        continue;
      }
      return pageResult(stats, request, result, jar, deps.clock.now());
    }
  } finally {
    watcher.dispose();
    stats.close();
  }
}

function tooManyRedirects(limit: number): Failure {
  return failure('redirect.too_many', `There were more than ${limit} redirects.`);
}

function storeCookies(jar: CookieJar, head: ResponseHead, url: URL, now: number): void {
  for (const [name, value] of head.headers) if (name === 'set-cookie') jar.setCookie(value, url, now);
}

function pageResult(
  stats: FetchStats,
  request: HttpRequest,
  { head, body, cut }: Extract<ResponseResult, { failure: null }>,
  jar: CookieJar | null,
  now: number,
): FetchResult {
  return {
    ...stats.facts(),
    failure: null,
    page: {
      statusCode: head.status,
      headers: head.headers,
      finalUrl: request.url.href,
      method: request.method,
      body: body!.bytes,
      cut,
      undecoded: body!.undecoded,
      cookies: jar === null ? [] : jar.targetCookies(now),
    },
  };
}

function failureResult(stats: FetchStats, cause: Failure): FetchResult {
  return { ...stats.facts(), page: null, failure: cause, statusCode: stats.status };
}

function followsNone(): boolean {
  return false;
}
