import { setTimeout as pause } from 'node:timers/promises';
import { SMALL_BYTES } from '../../../base/byte-room.ts';
import { DEADLINE, deadlineIn } from '../../../base/deadline.ts';
import { portOf } from '../../../base/port-of.ts';
import { type Failure, failure } from '../../../domain/failure.ts';
import type { Fetched } from '../../../domain/fetched.ts';
import { asksReading } from '../../../domain/reading.ts';
import { reserveMs } from '../../../domain/reserve.ts';
import type { FetchOrder } from '../../../ports/scraper.ts';
import { ActionRun } from './actions/action-run.ts';
import { addCookies } from './add-cookies.ts';
import { openCapture } from './capture/open-capture.ts';
import { emulate } from './emulate.ts';
import { extrasOf } from './extras.ts';
import { openFastTab } from './fast/open-fast-tab.ts';
import { nothing, pageOf } from './fetched-of.ts';
import { openFullTab } from './full-tab.ts';
import type { Place, Run } from './run.ts';
import type { CookieJar, Opening, Tab } from './tab.ts';
import { targetCookies } from './target-cookies.ts';
import { identityOf } from './user-agent.ts';
import type { Ending, RawAnswer } from './visit/answer.ts';
import { asFetched } from './visit/as-fetched.ts';
import { watchConduct, watchLoading } from './visit/conduct.ts';
import { finalUrlOf } from './visit/final-url.ts';
import { NetworkIdle } from './visit/network-idle.ts';
import { orAborted } from './visit/raw-body.ts';
import { lookAt, mayLead, readDocument, withoutMade } from './visit/read-document.ts';
import { readFrames } from './visit/read-frames.ts';
import { StandStill } from './visit/stand-still.ts';
import { Visit } from './visit/visit.ts';
import {
  isOurs,
  namesNoLoadState,
  waitAsAsked,
  waitForLoadState,
  waitToShow,
  withoutDocument,
} from './waits.ts';
import { CRASHED, SHARE, whyEnded } from './why-ended.ts';

/** How often a page may lead on to another one before one of them is read for good. */
const MOST_MOVES = 10;
/** How long what has come of a body may take to be put together. */
const BODY_MS = 750;
/** What the cookies may take at least, also when the time is up. */
const COOKIES_MS = 500;
/** How long a page may take to be made ready, until its browser is taken for hung. */
const OPENING_MS = 10_000;
/** How long a context may take to close, until its browser is taken for hung: on a busy machine it takes seconds. */
const HUNG_MS = 5_000;
/** The same of a browser that has opened no page either. */
const CLOSING_MS = 1_000;
/** A browser that gives way to all others may take so many times as long for both. */
const APART = 2;

/** For the log. */
const NO_REST = 'it did not become idle';
const RESTLESS = failure(
  'timeout.total',
  'The scripts of the page did not finish in time. They were stopped, and the page was read as it was.',
);
const UNREADABLE = failure(
  'timeout.total',
  'The scripts of the page did not finish in time, and the page could not be read. This is the document as it was fetched.',
);

export interface Done {
  readonly fetched: Fetched;
  /** Settles when nothing of the page is open any more; false: the browser may be damaged. Never rejects. */
  readonly closed: Promise<boolean>;
}

/** One scrape in a context of its own, which is being closed, at least, when it settles. Never rejects. */
export async function scrapePage(order: FetchOrder, place: Place): Promise<Done> {
  const { use } = place;
  const { deadline, share } = order;
  const stop = new AbortController();
  const onDeadline = () => stop.abort(deadline.signal.reason);
  const onShare = () => stop.abort(SHARE);
  if (deadline.signal.aborted) onDeadline();
  deadline.signal.addEventListener('abort', onDeadline, { once: true });
  share?.signal.addEventListener('abort', onShare, { once: true });
  const onLost = () => stop.abort(CRASHED);
  const opening = open(order, place, onLost);
  const run: Run = {
    order,
    place,
    signal: stop.signal,
    visit: null,
    waited: null,
    actions: null,
    extras: null,
    stop,
  };
  // A browser that is well needs a tenth of a second.
  const { promise: hung, reject } = Promise.withResolvers<never>();
  hung.catch(() => {});
  const mostMs = place.lease.apart ? OPENING_MS * APART : OPENING_MS;
  let hangs = false;
  const patience = setTimeout(() => {
    hangs = true;
    reject(new Error('it cannot open a page'));
  }, mostMs);
  run.ready = () => clearTimeout(patience);
  run.headCame = () => share?.signal.removeEventListener('abort', onShare);
  let fetched: Fetched;
  try {
    fetched = await Promise.race([hung, orAborted(opening.tab, stop.signal).then((tab) => inTab(tab, run))]);
  } catch (error) {
    fetched = nothing(run, whyEnded(stop.signal, error));
  }
  clearTimeout(patience);
  if (isRestless(fetched, run)) place.onMisconduct(NO_REST, 'before');
  place.clock.end('read');
  deadline.signal.removeEventListener('abort', onDeadline);
  run.headCame();
  const closing = opening.close().then(
    () => true,
    () => false,
  );
  run.visit?.dispose();
  run.actions?.dispose();
  // What it cost is known: from here on nothing of it goes out or comes in. Nobody has to wait for its end.
  const { sent, received } = await use.end();
  fetched = { ...fetched, bytesOut: sent, bytesIn: received };
  // One that opened no page in all that time hangs; or gives way to all others, who left it no time.
  const { apart } = place.lease;
  const patient = apart ? HUNG_MS * APART : HUNG_MS;
  const late = pause(hangs && !apart ? CLOSING_MS : patient, false, { ref: false });
  const closed = Promise.race([closing, late]).finally(() => place.clock.end('close'));
  // It may be tried again, and not in a browser that is about to be replaced.
  if (fetched.failure?.code === 'browser.crashed') await closed;
  return { fetched, closed };
}

function open({ job }: FetchOrder, { lease, proxyServer }: Place, onLost: () => void): Opening {
  const { type, version } = lease.found;
  const ask = { job, proxyServer, identity: identityOf(type, version ?? ''), onLost };
  return 'newContext' in lease.browser ? openFullTab(lease.browser, ask) : openFastTab(lease.browser, ask);
}

async function inTab(tab: Tab, run: Run): Promise<Fetched> {
  const { order, signal, place } = run;
  const { session: cdp, mainFrame, full, jar } = tab;
  const { job, deadline } = order;
  const within = <T>(work: Promise<T>) => orAborted(work, signal);
  const refused = await within(addCookies(jar, job));
  if (refused !== null) return nothing(run, refused);
  const visit = new Visit(cdp, mainFrame, order, {
    use: place.use,
    judge: place.judge,
    onHead: () => run.headCame?.(),
  });
  const idle = new NetworkIdle(cdp);
  run.visit = visit;
  watchConduct(cdp, mainFrame, (what) => place.onMisconduct(`too many ${what}`, 'now'));
  await within(emulate(cdp, job));
  const capture = await within(openCapture(full, order));
  const album = { bytes: 0 };
  const { room } = order;
  const { maxContentBytes } = job.options;
  const stage = {
    session: cdp,
    mainFrame,
    visit,
    idle,
    reader: place.reader,
    room,
    album,
    scripting: job.browser.javascript,
    maxContentBytes,
  };
  if (full !== null)
    run.actions = new ActionRun(job.browser.actions, {
      ...stage,
      full,
      page: full.page,
      setHeight: tab.setHeight,
    });
  await within(visit.begin(tab.told));
  // A page that was made ahead may belong to a browser that hangs since: it has to answer once.
  if (tab.told) await within(cdp.send('Page.getNavigationHistory'));
  run.ready?.();
  place.clock.end('context');
  const going = visit.go();
  const shown = Promise.race([visit.reached('commit').then(() => null), rejection(going)]);
  const early = await inTime(Promise.race([visit.ended, shown]), run, visit);
  place.clock.end('navigate');
  place.lease.opened();
  const result = early ?? (await inTime(Promise.race([visit.ended, readShown(run, visit)]), run, visit));
  async function readShown({ order }: Run, visit: Visit) {
    using waits = deadlineIn(Math.max(0, deadline.remaining() - reserveMs(job.timeoutMs)), signal);
    using _loading = watchLoading(job.browser, visit, waits, () => {
      if (place.lease.shared) place.onMisconduct('it loads slowly', 'before');
    });
    const look = () => lookAt(cdp, mainFrame, waits.signal);
    const pictured = job.browserOnly.includes('/screenshot');
    const document = { visit, idle, look, leavesHanging: namesNoLoadState(job), pictured };
    run.waited = await waitAsAsked(job.browser, { tab, ...document }, waits.signal);
    await run.actions?.all(waits);
    place.clock.end('wait');
    const limit = order.job.options.maxContentBytes;
    let fetched: Promise<RawAnswer | null> | null = null;
    using still = new StandStill(cdp, visit, {
      over: waits.signal,
      leftMs: reserveMs(job.timeoutMs),
      // Before the next page of its user comes.
      onStop: () => {
        place.onMisconduct(NO_REST, 'before');
        // What its thread waits for ends, and the body with it.
        place.use.stop();
        fetched = asFetched(cdp, visit.journey.shown!, order);
      },
    });
    let settled: unknown = null;
    for (let moves = 0; ; ) {
      const readIt = () => readDocument(cdp, mainFrame, limit, signal);
      // A page that leads on for ever would be gone each time before it is read.
      const reading = readIt()
        .catch(() => {
          visit.stay();
          return readIt();
        })
        .catch(async (error) => (await fetched) ?? Promise.reject(error));
      const instead = still.vain.then(async () => (await fetched) ?? reading);
      const read = await Promise.race([reading, instead]);
      if ('body' in read) {
        run.waited.missed.push(UNREADABLE);
        return read;
      }
      const [answer, { empty, cut: broken }] = [visit.shown!, visit];
      const { shown } = visit.journey;
      if (still.done) run.waited.missed.push(RESTLESS);
      // What a page has set out to do before it was read, or does soon, is what is asked for: the document that it leads to.
      const leads = mayLead(cdp, mainFrame, read, idle.loadsData);
      if (await orAborted(leads, waits.signal).catch(() => false)) visit.mayMove(read.loadedMs);
      let moved = moves < MOST_MOVES && (await visit.moved(waits.signal));
      // Each document is waited for once.
      const waitsFor =
        !moved && isOurs(job) && settled !== shown && (read.bare || read.loading || idle.loadsData);
      if (waitsFor && moves < MOST_MOVES && !still.done) {
        settled = shown;
        await waitToShow(document, run.waited, waits.signal);
        moved = visit.journey.shown !== shown;
      } else if (!moved)
        return {
          read: empty ? withoutMade(read) : read,
          frames: asksReading(job) ? await readFrames(tab, read, limit, signal) : undefined,
          broken,
          answer,
        };
      if (!moved) continue;
      moves++;
      await waitForLoadState(job.browser, document, run.waited, waits.signal);
    }
  }
  // Nothing more is done: what an action began may lead nowhere now.
  run.actions?.end();
  if ('failure' in result) return nothing(run, await inFull(result.failure, run, visit));
  const { answer } = result;
  const { cookies, lost } = await cookiesOf(jar, run, visit);
  if ('body' in result) {
    const { body, cut, undecoded } = result;
    run.waited ??= withoutDocument(job.browser);
    capture?.took(result);
    run.extras = await extrasOf(order, { page: full?.page ?? null, shown: null, capture, album }, signal);
    return pageOf(run, answer, { body, cut, undecoded, cookies, finalUrl: answer.url, readAs: null, lost });
  }
  const { read, frames } = result;
  const { html, url, type, cut } = read;
  const limit = job.options.maxContentBytes;
  const whole = new Uint8Array(Buffer.from(html));
  if (whole.length > SMALL_BYTES) {
    const waits = order.room.reserve(whole.length, limit, deadline.signal);
    if (waits !== null && !(await waits))
      return nothing(
        run,
        failure('service.unavailable', 'The request timed out while it waited for memory for the page.'),
      );
    order.room.adopt(whole);
  }
  const truncated = cut || whole.length > limit;
  const frame = { session: cdp, frameId: mainFrame, setHeight: tab.setHeight };
  run.extras = await extrasOf(order, { page: full?.page ?? null, shown: frame, capture, album }, signal);
  return pageOf(run, answer, {
    body: whole.length > limit ? whole.subarray(0, limit) : whole,
    cut: truncated ? failure('content.truncated', `The content was cut at ${limit} bytes.`) : result.broken,
    undecoded: false,
    cookies,
    finalUrl: finalUrlOf(url, answer),
    readAs: `${type}; charset=utf-8`,
    ...(frames === undefined ? {} : { frames }),
    lost,
  });
}

/** What came of a body until the time was up, is a page. */
async function inTime<T>(work: Promise<T>, { signal }: Run, visit: Visit): Promise<T | Ending> {
  try {
    return await orAborted(work, signal);
  } catch (error) {
    // Without a body and without a document there is nothing to wait for.
    if (signal.reason !== DEADLINE || (!visit.takesBody && visit.shown === null)) throw error;
    const late = pause(BODY_MS, null, { ref: false });
    const ending = await Promise.race([visit.takesBody ? visit.ended : work, late]);
    if (ending === null) throw error;
    return ending;
  }
}

/** Contract §8 (c): once there is a page, what can no longer be had is an error of it. */
async function cookiesOf(all: CookieJar, { order }: Run, { setCookies, lossyCookies }: Visit) {
  const { job, deadline } = order;
  const late = AbortSignal.timeout(Math.ceil(Math.max(COOKIES_MS, deadline.remaining())));
  const jar = await orAborted(all.all(), late).catch(() => null);
  return {
    cookies: targetCookies(lossyCookies.restored(jar ?? []), job, setCookies.all),
    lost: jar === null ? [failure('browser.crashed', 'The browser did not return the cookies in time.')] : [],
  };
}

/** A browser does not tell a certificate that signs itself from one that is not trusted: we look for ourselves. */
async function inFull(why: Failure, { order, place, signal }: Run, { journey }: Visit): Promise<Failure> {
  if (why.code !== 'tls.invalid' || why.details?.net !== 'ERR_CERT_AUTHORITY_INVALID') return why;
  const url = new URL(journey.decisive?.url ?? '');
  const target = {
    host: url.hostname,
    port: portOf(url),
    signal,
    upstream: order.lease.upstream,
  };
  return (await place.trust.whyRefused(target, place.use)) ?? why;
}

/** Its scripts had to be stopped, or its page was there and could not be read, or crashed by itself. */
function isRestless({ failure: why }: Fetched, { visit, waited, place }: Run): boolean {
  if (waited?.missed.some((one) => one === RESTLESS || one === UNREADABLE)) return true;
  if (why?.code === 'browser.crashed') return !place.lease.lost();
  return visit?.shown != null && (why?.code === 'timeout.total' || why?.code === 'timeout.attempt');
}

/** Never settles but when the work fails. */
function rejection(work: Promise<unknown>): Promise<never> {
  return new Promise((_, reject) => {
    work.catch(reject);
  });
}
