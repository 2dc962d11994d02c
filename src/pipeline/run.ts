import { type ByteRoom, SMALL_BYTES } from '../base/byte-room.ts';
import { type Deadline, deadlineOf } from '../base/deadline.ts';
import { uuid7 } from '../base/uuid7.ts';
import { sumOf } from '../domain/cost.ts';
import { FAILURES, type Failure, WARNINGS, type Warning } from '../domain/failure.ts';
import { NO_TIMING } from '../domain/fetched.ts';
import type { Job } from '../domain/job.ts';
import type { Micro } from '../domain/micro.ts';
import { EFFORT, type Prices } from '../domain/prices.ts';
import type { Principal } from '../domain/principal.ts';
import { asksReading, READING_PER_BYTE } from '../domain/reading.ts';
import type { RobotsTold } from '../domain/robots-told.ts';
import type { Scrape, Stopped } from '../domain/scrape.ts';
import type { UsedExit } from '../ports/proxies.ts';
import type { Experience } from '../router/experience.ts';
import type { Gate } from '../router/gate.ts';
import { next } from '../router/next.ts';
import { passFirst } from '../router/pass-first.ts';
import { candidatesAfter, type Plan } from '../router/plan.ts';
import { stoppedBy } from '../router/stopped.ts';
import { type AttemptParts, type Tried, tryOnce } from './attempt.ts';
import { chooseDelivered } from './choose.ts';
import { endingOf, sentOnce } from './ending.ts';
import { learn } from './learn.ts';
import { askRobots } from './manners/ask-robots.ts';
import type { Robots, RobotsCheck } from './manners/check-robots.ts';
import type { Manners } from './manners/manners.ts';
import type { Passes } from './passes.ts';
import type { Probes } from './probes.ts';
import { reusableDocument } from './reuse.ts';
import { afterScouts, mayScout, unscouted } from './scouts.ts';

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

export interface RunParts extends AttemptParts {
  readonly experience: Experience;
  readonly gate: Gate;
  readonly manners: Manners;
  readonly robots: Robots;
  /** null: the operator gives nothing for them. */
  readonly probes: Pick<Probes, 'after'> | null;
  readonly passes: Passes;
}

/** The way itself: attempts by the plan until one satisfies or the router says stop. Not yet stored. */
export async function run(parts: RunParts, ask: RunAsk): Promise<Scrape> {
  const { job, room } = ask;
  let { plan } = ask;
  let heldMs = 0;
  let pausedMs = 0;
  const { clock } = parts;
  const createdAt = clock.now();
  const id = uuid7(createdAt);
  const tried: Tried[] = [];
  let prevented: Failure | null = null;
  let robots: RobotsCheck | null = null;
  let stopped: Stopped | null = null;
  if (!job.router.dryRun) {
    room.again = plan.maxAttempts > 1;
    if (asksReading(job)) room.mostPerByte += READING_PER_BYTE;
    using deadline = deadlineOf(job.timeoutMs - (clock.monotonic() - ask.startedAt), ask.cancel);
    const scouted = mayScout(plan) ? await afterScouts(parts.gate, plan, job, deadline) : unscouted(plan);
    const { userId } = ask.principal;
    const passAtHand = () => parts.passes.of(job, userId, clock);
    plan = passAtHand() === null ? scouted.plan : passFirst(scouted.plan, job);
    heldMs = scouted.waitedMs;
    for (;;) {
      const step = next(plan, job, tried, deadline.remaining(), spentBy(tried));
      if (step === null) {
        stopped = stoppedBy(plan, job, tried, deadline.remaining(), spentBy(tried));
        break;
      }
      if (step.pauseMs > 0) {
        const begun = clock.monotonic();
        await pause(step.pauseMs, deadline);
        pausedMs += clock.monotonic() - begun;
      }
      const { allowUrl } = ask;
      const n = tried.length + 1;
      const document = reusableDocument(job, step.step, tried[tried.length - 1]);
      const used = tried.length === 0 ? NO_EXITS : tried.flatMap(({ exit }) => exit ?? []);
      try {
        const visit = { url: job.url, proxyType: step.step.proxyType, userId };
        const entry = parts.manners.enter(visit, deadline);
        const stay = entry instanceof Promise ? await entry : entry;
        heldMs += stay.waitedMs;
        pausedMs += stay.pausedMs;
        prevented = stay.failure;
        if (prevented !== null) break;
        try {
          if (n === 1 && parts.robots.modeOf(job) !== null) {
            const { proxyType } = step.step;
            robots = await askRobots(parts, { job, proxyType, deadline, allowUrl, room, userId });
            prevented = robots?.failure ?? null;
            if (prevented !== null) break;
          }
          tried.push(
            await tryOnce(parts, {
              ...{ n, job, chosen: step, deadline, allowUrl, room, userId, used, document },
              pass: passAtHand(),
            }),
          );
        } finally {
          stay.leave(tried[n - 1] ?? null);
        }
        heldMs += tried[n - 1]!.waitedMs;
        parts.passes.note(job, userId, tried, clock.monotonic());
        learn(parts.experience, job, tried, clock.now() / 1000);
      } finally {
        if (n === 1) scouted.leave();
      }
      keepBest(tried, room);
    }
    room.again = false;
    if (parts.probes !== null && (robots === null || robots.told.allowed === true)) {
      const { allowUrl, principal } = ask;
      parts.probes.after({ job, steps: plan.steps, tried, allowUrl, userId: principal.userId });
    }
  }
  const total = clock.monotonic() - ask.startedAt;
  return composed(
    parts,
    { ...ask, plan },
    { id, createdAt, tried, total, heldMs, pausedMs, prevented, stopped, robots: robots?.told ?? null },
  );
}

/** What is not known is no money: a ceiling lets only priced steps be taken. */
const spentBy = (tried: readonly Tried[]): Micro =>
  tried.length === 0 ? 0 : (sumOf(tried.map((t) => t.attempt)) ?? 0);

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
  const done = {
    id: null,
    createdAt: clock.now(),
    tried: [],
    total,
    heldMs: 0,
    pausedMs: 0,
    prevented: cause,
    stopped: null,
    robots: null,
  };
  return composed(parts, ask, done);
}

interface Done {
  readonly id: string | null;
  readonly createdAt: number;
  readonly tried: readonly Tried[];
  readonly total: number;
  /** Waiting for what others find out about the site, for its sake, and for a proxy to be free. */
  readonly heldMs: number;
  /** Pauses that the site asked for, and those before another try. */
  readonly pausedMs: number;
  /** Why there was no (further) attempt, when it was not the router that said so. */
  readonly prevented: Failure | null;
  readonly stopped: Stopped | null;
  readonly robots: RobotsTold | null;
}

function composed(
  { prices }: { readonly prices: Prices | null },
  ask: RunAsk,
  { id, createdAt, tried, total, heldMs, pausedMs, prevented, stopped, robots }: Done,
): Scrape {
  const { job, plan, requestId } = ask;
  const attempts = tried.map((t) => t.attempt);
  const cost = prices === null ? null : sumOf(attempts);
  const costUnit = prices === null ? EFFORT : prices.currency;
  const common = {
    id,
    createdAt,
    job,
    requestId,
    candidates: candidatesAfter(plan, tried, spentBy(tried)),
    attempts,
    cost,
    costUnit,
    stopped,
    robots,
  };
  if (tried.length === 0)
    return {
      ...common,
      httpStatus: prevented === null ? 200 : FAILURES[prevented.code].status,
      outcome: prevented === null ? 'planned' : 'failed',
      delivered: null,
      errors: prevented === null ? [] : [prevented],
      warnings: [],
      verdict: null,
      redirects: [],
      requestHeaders: null,
      remoteIp: null,
      timing: { ...NO_TIMING, queue: orNull(heldMs), pause: orNull(pausedMs), total },
      scraper: null,
      proxyType: null,
      sentOnce: false,
    };
  const ending = endingOf(tried, job.router.onBlocked, prevented);
  const shown = ending.chosen ?? tried[tried.length - 1]!;
  const { fetched } = shown;
  return {
    ...common,
    httpStatus: ending.httpStatus,
    outcome: ending.outcome,
    delivered: ending.chosen?.delivered ?? null,
    errors: ending.errors,
    warnings: robots?.allowed === false ? [...shown.warnings, DISALLOWED] : shown.warnings,
    verdict: shown.verdictFull,
    redirects: fetched?.redirects ?? [],
    requestHeaders: fetched?.requestHeaders ?? null,
    remoteIp: fetched?.remoteIp ?? null,
    timing: {
      ...(fetched?.timing ?? NO_TIMING),
      queue: waited(ask.room, heldMs, fetched?.queuedMs),
      pause: orNull(pausedMs),
      total,
    },
    scraper: shown.step.scraper,
    proxyType: shown.step.proxyType,
    sentOnce: sentOnce(job, tried),
  };
}

/** Only where it is reported: respected, it would have ended the scrape. */
const DISALLOWED: Warning = { code: 'robots.disallowed', message: WARNINGS['robots.disallowed'] };

const orNull = (ms: number): number | null => (ms > 0 ? ms : null);

const waited = ({ waitedMs }: ByteRoom, heldMs: number, queuedMs?: number): number | null =>
  waitedMs > 0 || heldMs > 0 || queuedMs !== undefined ? waitedMs + heldMs + (queuedMs ?? 0) : null;

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
