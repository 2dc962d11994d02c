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
import type { Job } from '../domain/job.ts';
import type { FetchRequest } from '../ports/scraper.ts';
import type { ConnectTiming } from './connect.ts';
import { CookieJar } from './cookie-jar.ts';
import { DeadlineWatcher } from './deadline-watcher.ts';
import { isRedirect, RedirectLoopDetector, redirectedRequest } from './redirects.ts';
import { firstRequest, type HttpRequest, lowerCaseNames } from './request.ts';
import type { ResponseHead } from './response-head.ts';
import type { ResponseOptions, ResponseReader, ResponseResult } from './response-reader.ts';

/** What may still bring the rest of a redirect's body; without effect when it has. */
interface UnreadBody {
  cancelUnreadBody(): void;
}

/** What one fetch has seen so far, of all its hops. */
export class FetchStats {
  readonly redirects: Redirect[] = [];
  readonly timing: FetchTiming = { ...NO_TIMING };
  remoteIp: string | null = null;
  sent = false;
  bytesOut = 0;
  bytesIn = 0;
  /** Status of the last head. */
  status: number | null = null;
  #requestFields: HeaderList | null = null;
  #bodyOnGet = false;
  /** Connections that may still bring the rest of a redirect's body. */
  #unreadBodies: UnreadBody[] | null = null;

  addConnectTiming({ dnsMs, connectMs, tlsMs }: ConnectTiming): void {
    const { timing } = this;
    timing.dns = addMs(timing.dns, dnsMs);
    timing.connect = addMs(timing.connect, connectMs);
    timing.tls = addMs(timing.tls, tlsMs);
  }

  /** What it took to get through a proxy. */
  addProxyBytes(out: number, back: number): void {
    this.bytesOut += out;
    this.bytesIn += back;
  }

  /** A request goes out. @param bytes its length, as far as it is known */
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

  addResponse(hop: ResponseReader): void {
    this.bytesIn += hop.bytesIn;
    this.timing.ttfb = addMs(this.timing.ttfb, hop.ttfb);
    this.timing.download = addMs(this.timing.download, hop.download);
  }

  addUnreadBody(connection: UnreadBody): void {
    this.#unreadBodies ??= [];
    this.#unreadBodies.push(connection);
  }

  /** The fetch is over: nothing of it stays open. */
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

/** What all hops of a fetch share. */
export interface FetchContext {
  readonly fetchRequest: FetchRequest;
  readonly stats: FetchStats;
  readonly watcher: DeadlineWatcher;
}

/** How this client says what it has to say; everything else is the same for all. */
export interface FetchPageDeps {
  readonly clock: Clock;
  /** The header fields of a request in the order in which they leave, values as byte strings. */
  readonly headerFields: (request: HttpRequest, cookie: string | null, job: Job) => HeaderList;
  /** Sends one request and reads its answer. Never rejects. */
  readonly exchange: (
    request: HttpRequest,
    fields: HeaderList,
    ask: ResponseOptions,
    way: FetchContext,
  ) => Promise<ResponseResult>;
}

/** One fetch: the request, its redirects, the page. Never rejects for what the target or the caller does. */
export async function fetchPage(fetchRequest: FetchRequest, tools: FetchPageDeps): Promise<FetchResult> {
  const stats = new FetchStats();
  const watcher = new DeadlineWatcher(fetchRequest.deadline, fetchRequest.attemptDeadline);
  const way: FetchContext = { fetchRequest, stats, watcher };
  try {
    const { job } = fetchRequest;
    let request = firstRequest(job);
    let jar = job.cookies.length === 0 ? null : new CookieJar(job.cookies, request.url.hostname);
    /** Whether a hop was https: from then on the caller's cookies are not sent in the clear. */
    let secureSeen = false;
    let loop: RedirectLoopDetector | null = null;
    const ask: ResponseOptions = {
      maxBytes: job.options.maxContentBytes,
      memory: { reservation: fetchRequest.reservation, signal: fetchRequest.deadline.signal },
      followsRedirect: job.allowRedirects ? isRedirect : followsNone,
      onPage: () => watcher.ignoreShare(),
    };
    for (;;) {
      const { url } = request;
      const refusal = watcher.failure ?? fetchRequest.allowUrl?.(url) ?? null;
      if (refusal !== null) return failureResult(stats, refusal);
      const secure = url.protocol === 'https:';
      const cookie = jar?.cookieHeader(url, secure || !secureSeen, tools.clock.now()) ?? null;
      secureSeen ||= secure;
      const fields = tools.headerFields(request, cookie, job);
      const result = await tools.exchange(request, fields, ask, way);
      if (result.failure !== null) return failureResult(stats, result.failure);
      const { head } = result;
      stats.status = head.status;
      if (head.hasSetCookie) {
        jar ??= new CookieJar(job.cookies, url.hostname);
        storeCookies(jar, head, url, tools.clock.now());
      }
      if (result.body === null) {
        stats.redirects.push({ url: url.href, statusCode: head.status });
        const next = redirectedRequest(request, head);
        if (isFailure(next)) return failureResult(stats, next);
        const most = job.options.maxRedirects;
        if (stats.redirects.length > most) {
          return failureResult(
            stats,
            failure('redirect.too_many', `There were more than ${most} redirects.`),
          );
        }
        loop ??= new RedirectLoopDetector();
        const circle = loop.check(url, request.method, cookie);
        if (circle !== null) return failureResult(stats, circle);
        request = next;
        continue;
      }
      return pageResult(stats, request, result, jar, tools.clock.now());
    }
  } finally {
    watcher.dispose();
    stats.close();
  }
}

function storeCookies(jar: CookieJar, head: ResponseHead, url: URL, now: number): void {
  for (const [name, value] of head.headers) if (name === 'set-cookie') jar.setCookie(value, url, now);
}

function pageResult(
  trip: FetchStats,
  request: HttpRequest,
  { head, body, cut }: Extract<ResponseResult, { failure: null }>,
  jar: CookieJar | null,
  now: number,
): FetchResult {
  return {
    ...trip.facts(),
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

function failureResult(trip: FetchStats, why: Failure): FetchResult {
  return { ...trip.facts(), page: null, failure: why, statusCode: trip.status };
}

function followsNone(): boolean {
  return false;
}
