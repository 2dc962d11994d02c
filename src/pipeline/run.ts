import { type ByteRoom, SMALL_BYTES } from '../base/byte-room.ts';
import { type Deadline, deadlineOf } from '../base/deadline.ts';
import { uuid7 } from '../base/uuid7.ts';
import { sumOf } from '../domain/cost.ts';
import { FAILURES, type Failure } from '../domain/failure.ts';
import { NO_TIMING } from '../domain/fetched.ts';
import type { Job } from '../domain/job.ts';
import { EFFORT, type Prices } from '../domain/prices.ts';
import type { Principal } from '../domain/principal.ts';
import { READING_PER_BYTE } from '../domain/reading.ts';
import type { Scrape } from '../domain/scrape.ts';
import type { UsedExit } from '../ports/proxies.ts';
import { next } from '../router/next.ts';
import type { Plan } from '../router/plan.ts';
import { type AttemptParts, type Tried, tryOnce } from './attempt.ts';
import { chooseDelivered } from './choose.ts';
import { endingOf, sentOnce } from './ending.ts';
import { asksReading } from './read-document.ts';
import { reusableDocument } from './reuse.ts';

export interface RunAsk {
  readonly job: Job;
  readonly plan: Plan;
  readonly requestId: string;
  /** Aborted when the caller hangs up or the service stops, and by the scrape's own deadline. */
  readonly cancel: AbortController;
  /** Monotonic instant at which the request body had been read: the budget counts from here. */
  readonly startedAt: number;
  readonly allowUrl: ((url: URL) => Failure | null) | null;
  /** What a large page is kept in; to be closed when the answer has been written. */
  readonly room: ByteRoom;
  readonly principal: Pick<Principal, 'userId'>;
}

const NO_EXITS: readonly UsedExit[] = [];

/** The way itself: attempts by the plan until one satisfies or the router says stop. Not yet stored. */
export async function run(parts: AttemptParts, ask: RunAsk): Promise<Scrape> {
  const { job, plan, room } = ask;
  const { clock } = parts;
  const createdAt = clock.now();
  const id = uuid7(createdAt);
  const tried: Tried[] = [];
  if (!job.router.dryRun) {
    room.again = plan.maxAttempts > 1;
    if (asksReading(job)) room.mostPerByte += READING_PER_BYTE;
    using deadline = deadlineOf(job.timeoutMs - (clock.monotonic() - ask.startedAt), ask.cancel);
    for (;;) {
      const step = next(plan, job, tried, deadline.remaining());
      if (step === null) break;
      if (step.pauseMs > 0) await pause(step.pauseMs, deadline);
      const { allowUrl, principal } = ask;
      const { userId } = principal;
      const n = tried.length + 1;
      const document = reusableDocument(job, step.step, tried[tried.length - 1]);
      const used = tried.length === 0 ? NO_EXITS : tried.flatMap(({ exit }) => exit ?? []);
      tried.push(
        await tryOnce(parts, { n, job, chosen: step, deadline, allowUrl, room, userId, used, document }),
      );
      keepBest(tried, room);
    }
    room.again = false;
  }
  return composed(parts, ask, { id, createdAt, tried, total: clock.monotonic() - ask.startedAt });
}

/** Of several pages only the one that would be delivered stays in memory. */
function keepBest(tried: Tried[], room: ByteRoom): void {
  const best = tried.length === 1 ? tried[0]! : chooseDelivered(tried);
  if (tried.length > 1)
    tried.forEach((one, at) => {
      if (one === best || one.delivered === null) return;
      if (one.delivered.content !== null) room.free(one.delivered.content.bytes.buffer);
      tried[at] = { ...one, fetched: null, delivered: null };
    });
  const size = best?.delivered?.content?.bytes.length ?? 0;
  room.keep(size > SMALL_BYTES ? size : 0);
}

/** A scrape that ends before any attempt, and cannot be stored either: no target was asked. */
export function untried(parts: Pick<AttemptParts, 'clock' | 'prices'>, ask: RunAsk, cause: Failure): Scrape {
  const { clock } = parts;
  const total = clock.monotonic() - ask.startedAt;
  const planned = composed(parts, ask, { id: null, createdAt: clock.now(), tried: [], total });
  return { ...planned, httpStatus: FAILURES[cause.code].status, outcome: 'failed', errors: [cause] };
}

interface Done {
  readonly id: string | null;
  readonly createdAt: number;
  readonly tried: readonly Tried[];
  readonly total: number;
}

function composed(
  { prices }: { readonly prices: Prices | null },
  ask: RunAsk,
  { id, createdAt, tried, total }: Done,
): Scrape {
  const { job, plan, requestId } = ask;
  const attempts = tried.map((t) => t.attempt);
  const cost = prices === null ? null : sumOf(attempts);
  const costUnit = prices === null ? EFFORT : prices.currency;
  const common = { id, createdAt, job, requestId, candidates: plan.candidates, attempts, cost, costUnit };
  if (tried.length === 0)
    return {
      ...common,
      httpStatus: 200,
      outcome: 'planned',
      delivered: null,
      errors: [],
      warnings: [],
      verdict: null,
      redirects: [],
      requestHeaders: null,
      remoteIp: null,
      timing: { ...NO_TIMING, queue: null, total },
      scraper: null,
      proxyType: null,
      sentOnce: false,
    };
  const ending = endingOf(tried, job.router.onBlocked);
  const shown = ending.chosen ?? tried[tried.length - 1]!;
  const { fetched } = shown;
  return {
    ...common,
    httpStatus: ending.httpStatus,
    outcome: ending.outcome,
    delivered: ending.chosen?.delivered ?? null,
    errors: ending.errors,
    warnings: shown.warnings,
    verdict: shown.verdictFull,
    redirects: fetched?.redirects ?? [],
    requestHeaders: fetched?.requestHeaders ?? null,
    remoteIp: fetched?.remoteIp ?? null,
    timing: { ...(fetched?.timing ?? NO_TIMING), queue: waited(ask.room, fetched?.queuedMs), total },
    scraper: shown.step.scraper,
    proxyType: shown.step.proxyType,
    sentOnce: sentOnce(job, tried),
  };
}

const waited = ({ waitedMs }: ByteRoom, queuedMs?: number): number | null =>
  waitedMs > 0 || queuedMs !== undefined ? waitedMs + (queuedMs ?? 0) : null;

/** Settles after `ms`, or when the deadline ends. */
function pause(ms: number, deadline: Deadline): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      deadline.signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    deadline.signal.addEventListener('abort', done, { once: true });
    if (deadline.signal.aborted) done();
  });
}
