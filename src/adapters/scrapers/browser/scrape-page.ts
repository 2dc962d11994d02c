import { setTimeout as pause } from 'node:timers/promises';
import type { BrowserContext } from 'playwright-core';
import { SMALL_BYTES } from '../../../base/byte-room.ts';
import { deadlineIn } from '../../../base/deadline.ts';
import { type Failure, failure } from '../../../domain/failure.ts';
import type { Fetched, Page as FetchedBody, FetchFacts, HeaderList } from '../../../domain/fetched.ts';
import { reserveMs } from '../../../domain/reserve.ts';
import type { GatewayUse } from '../../../egress/gateway/gateway.ts';
import type { FetchOrder } from '../../../ports/scraper.ts';
import { blockAsAsked, type Refusals } from './blocked.ts';
import { callersCookies, contextOptions } from './context-options.ts';
import type { BrowserLease } from './supervisor/supervisor.ts';
import { targetCookies } from './target-cookies.ts';
import type { Answer } from './visit/answer.ts';
import { NetworkIdle } from './visit/network-idle.ts';
import { orAborted } from './visit/raw-body.ts';
import { readDocument } from './visit/read-document.ts';
import { Visit } from './visit/visit.ts';
import { type Waited, waitAsAsked } from './waits.ts';
import { CRASHED, SHARE, whyEnded } from './why-ended.ts';

export interface Place {
  readonly lease: BrowserLease;
  readonly proxyServer: string;
  readonly use: GatewayUse;
  readonly refusals: Refusals;
}

/** How long a context may take to close, until its browser is taken for hung. */
const CLOSING_MS = 1_000;

/**
 * One scrape in a context of its own, which is closed when it settles. `suspect`: the browser may be damaged. Never
 * rejects.
 */
export async function scrapePage(
  order: FetchOrder,
  place: Place,
): Promise<{ fetched: Fetched; suspect: boolean }> {
  const { lease, use } = place;
  const { deadline, share } = order;
  const stop = new AbortController();
  const onDeadline = () => stop.abort(deadline.signal.reason);
  const onShare = () => stop.abort(SHARE);
  if (deadline.signal.aborted) onDeadline();
  deadline.signal.addEventListener('abort', onDeadline, { once: true });
  share?.signal.addEventListener('abort', onShare, { once: true });
  const onLost = () => stop.abort(CRASHED);
  lease.browser.once('disconnected', onLost);
  const opening = lease.browser.newContext(contextOptions(order.job, place.proxyServer));
  const run: Run = { order, place, signal: stop.signal, visit: null, waited: null, stop };
  run.headCame = () => share?.signal.removeEventListener('abort', onShare);
  let fetched: Fetched;
  try {
    const context = await orAborted(opening, stop.signal);
    fetched = await inContext(context, run);
  } catch (error) {
    fetched = nothing(run, whyEnded(stop.signal, error));
  }
  deadline.signal.removeEventListener('abort', onDeadline);
  run.headCame();
  lease.browser.off('disconnected', onLost);
  const closed = await Promise.race([
    opening
      .then((context) => context.close())
      .then(
        () => true,
        () => false,
      ),
    pause(CLOSING_MS, false, { ref: false }),
  ]);
  await use.end();
  return { fetched, suspect: !closed };
}

interface Run {
  readonly order: FetchOrder;
  readonly place: Place;
  /** Ends everything: deadline, share, caller, crash. */
  readonly signal: AbortSignal;
  readonly stop: AbortController;
  visit: Visit | null;
  waited: Waited | null;
  /** The share of the attempt counts no more. */
  headCame?: () => void;
}

async function inContext(context: BrowserContext, run: Run): Promise<Fetched> {
  const { order, signal, stop, place } = run;
  const { job, deadline } = order;
  const within = <T>(work: Promise<T>) => orAborted(work, signal);
  if (job.cookies.length > 0) await within(context.addCookies(callersCookies(job)));
  await within(blockAsAsked(context, job.browser));
  const page = await within(context.newPage());
  page.once('crash', () => stop.abort(CRASHED));
  page.once('close', () => stop.abort(CRASHED));
  // What a page opens beside itself is nothing that was asked for.
  context.on('page', (popup) => void popup.close().catch(() => {}));
  const cdp = await within(context.newCDPSession(page));
  const { frameTree } = await within(cdp.send('Page.getFrameTree'));
  const visit = new Visit(cdp, frameTree.frame.id, order, place.use);
  const idle = new NetworkIdle(cdp);
  run.visit = visit;
  visit.onHead = () => run.headCame?.();
  await within(visit.begin());
  const going = visit.go();
  const shown = Promise.race([visit.reached('commit').then(() => null), rejection(going)]);
  const early = await within(Promise.race([visit.ended, shown]));
  const result = early ?? (await within(Promise.race([visit.ended, readShown(run, visit)])));
  async function readShown({ order }: Run, visit: Visit) {
    using waits = deadlineIn(Math.max(0, deadline.remaining() - reserveMs(job.timeoutMs)), signal);
    run.waited = await waitAsAsked(job.browser, { page, visit, idle }, waits.signal);
    const limit = order.job.options.maxContentBytes;
    const read = await readDocument(cdp, frameTree.frame.id, limit, signal);
    return { read, answer: visit.shown! };
  }
  if ('failure' in result) return nothing(run, result.failure);
  const jar = await within(context.cookies());
  const cookies = targetCookies(jar, job, visit.setNames);
  const { answer } = result;
  if ('body' in result) {
    const { body, cut } = result;
    return pageOf(run, answer, { body, cut, cookies, finalUrl: answer.url, readAs: null });
  }
  const { html, url, type, cut } = result.read;
  const limit = job.options.maxContentBytes;
  const whole = new Uint8Array(Buffer.from(html));
  if (whole.length > SMALL_BYTES) {
    const waits = order.room.reserve(whole.length, limit, deadline.signal);
    if (waits !== null && !(await waits))
      return nothing(
        run,
        failure('service.unavailable', 'The time was up before there was memory for the page.'),
      );
    order.room.adopt(whole);
  }
  const truncated = cut || whole.length > limit;
  return pageOf(run, answer, {
    body: whole.length > limit ? whole.subarray(0, limit) : whole,
    cut: truncated ? failure('content.truncated', `The content was cut at ${limit} bytes.`) : visit.cut,
    cookies,
    finalUrl: finalUrlOf(url, answer),
    readAs: `${type}; charset=utf-8`,
  });
}

/** Never settles but when the work fails. */
function rejection(work: Promise<unknown>): Promise<never> {
  return new Promise((_, reject) => {
    work.catch(reject);
  });
}

/** Documents that a page made of itself (`about:blank`, `blob:`) have the address of what made them. */
function finalUrlOf(shown: string, answer: Answer): string {
  const url = URL.parse(shown);
  if (url === null || !url.protocol.startsWith('http')) return answer.url;
  url.username = '';
  url.password = '';
  return url.href;
}

type Rest = Pick<FetchedBody, 'body' | 'cut' | 'cookies' | 'finalUrl'> & { readonly readAs: string | null };

function pageOf(run: Run, answer: Answer, rest: Rest): Fetched {
  const { readAs, ...body } = rest;
  const page: FetchedBody = {
    statusCode: answer.status,
    headers: answer.headers,
    method: answer.method,
    undecoded: false,
    ...body,
    ...(readAs === null ? {} : { readAs }),
    missed: run.waited?.missed ?? [],
  };
  return { ...factsOf(run), failure: null, page };
}

function nothing(run: Run, why: Failure): Fetched {
  return { ...factsOf(run), page: null, failure: why, statusCode: run.visit?.status ?? null };
}

function factsOf({ visit, waited, place }: Run): FetchFacts {
  const trip = visit?.trip ?? null;
  const { sent, received } = place.use.totals();
  const [dns, connect] = [trip?.dnsMs ?? null, trip?.connectMs ?? null];
  const ttfb = visit?.ttfbMs ?? null;
  return {
    redirects: visit?.redirects ?? [],
    requestHeaders: (visit?.requestHeaders as HeaderList | undefined) ?? null,
    remoteIp: trip?.remoteIp ?? null,
    timing: {
      dns,
      connect,
      tls: null,
      ttfb: ttfb === null ? null : Math.max(0, ttfb - (dns ?? 0) - (connect ?? 0)),
      download: null,
      load: waited?.loadMs ?? null,
      wait: waited?.waitMs ?? null,
      actions: null,
    },
    sent: visit?.sent ?? false,
    warnings: [...(waited?.warnings ?? []), ...place.refusals.warnings()],
    bytesOut: sent,
    bytesIn: received,
    queuedMs: place.lease.queuedMs,
  };
}
