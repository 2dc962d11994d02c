import type { Clock } from '../../../base/clock.ts';
import type { Failure } from '../../../domain/failure.ts';
import { failure } from '../../../domain/failure.ts';
import type { Fetched, HeaderList } from '../../../domain/fetched.ts';
import type { Job } from '../../../domain/job.ts';
import type { FetchOrder } from '../../../ports/scraper.ts';
import type { AnswerHead } from './answer-head.ts';
import { CookieJar } from './cookies/cookie-jar.ts';
import type { HopAsk, HopResult } from './hop.ts';
import { firstOutgoing, type Outgoing } from './outgoing.ts';
import { isRedirect, redirected } from './redirect.ts';
import { RedirectLoop } from './redirect-loop.ts';
import { Trip } from './trip.ts';
import { Watch } from './watch.ts';

/** What all hops of a fetch share. */
export interface Way {
  readonly order: FetchOrder;
  readonly trip: Trip;
  readonly watch: Watch;
}

/** How this client says what it has to say; everything else is the same for all. */
export interface PageTools {
  readonly clock: Clock;
  /** The header fields of a request in the order in which they leave, values as byte strings. */
  readonly fields: (request: Outgoing, cookie: string | null, job: Job) => HeaderList;
  /** Sends one request and reads its answer. Never rejects. */
  readonly exchange: (request: Outgoing, fields: HeaderList, ask: HopAsk, way: Way) => Promise<HopResult>;
}

/** One fetch: the request, its redirects, the page. Never rejects for what the target or the caller does. */
export async function fetchPage(order: FetchOrder, tools: PageTools): Promise<Fetched> {
  const trip = new Trip();
  const watch = new Watch(order.deadline, order.share);
  const way: Way = { order, trip, watch };
  try {
    const { job } = order;
    let request = firstOutgoing(job);
    let jar = job.cookies.length === 0 ? null : new CookieJar(job.cookies, request.url.hostname);
    /** Whether a hop was https: from then on the caller's cookies are not sent in the clear. */
    let secureSeen = false;
    let loop: RedirectLoop | null = null;
    const ask: HopAsk = {
      limit: job.options.maxContentBytes,
      where: { room: order.room, signal: order.deadline.signal },
      follows: job.allowRedirects ? isRedirect : never,
      onPage: () => watch.shareEnds(),
    };
    for (;;) {
      const { url } = request;
      const refusal = watch.failure ?? order.allowUrl?.(url) ?? null;
      if (refusal !== null) return nothing(trip, refusal);
      const secure = url.protocol === 'https:';
      const cookie = jar?.header(url, secure || !secureSeen, tools.clock.now()) ?? null;
      secureSeen ||= secure;
      const fields = tools.fields(request, cookie, job);
      const result = await tools.exchange(request, fields, ask, way);
      if (result.failure !== null) return nothing(trip, result.failure);
      const { head } = result;
      trip.status = head.status;
      if (head.setsCookies) {
        jar ??= new CookieJar(job.cookies, url.hostname);
        takeCookies(jar, head, url, tools.clock.now());
      }
      if (result.body === null) {
        trip.redirects.push({ url: url.href, statusCode: head.status });
        const next = redirected(request, head);
        if ('code' in next) return nothing(trip, next);
        const most = job.options.maxRedirects;
        if (trip.redirects.length > most) {
          return nothing(trip, failure('redirect.too_many', `There were more than ${most} redirects.`));
        }
        loop ??= new RedirectLoop();
        const circle = loop.failureOf(url, request.method, cookie);
        if (circle !== null) return nothing(trip, circle);
        request = next;
        continue;
      }
      return page(trip, request, result, jar, tools.clock.now());
    }
  } finally {
    watch.dispose();
    trip.close();
  }
}

function takeCookies(jar: CookieJar, head: AnswerHead, url: URL, now: number): void {
  for (const [name, value] of head.headers) if (name === 'set-cookie') jar.take(value, url, now);
}

function page(
  trip: Trip,
  request: Outgoing,
  { head, body, cut }: Extract<HopResult, { failure: null }>,
  jar: CookieJar | null,
  now: number,
): Fetched {
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

function nothing(trip: Trip, why: Failure): Fetched {
  return { ...trip.facts(), page: null, failure: why, statusCode: trip.status };
}

function never(): boolean {
  return false;
}
