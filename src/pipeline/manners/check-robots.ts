import type { Clock } from '../../base/clock.ts';
import type { Deadline } from '../../base/deadline.ts';
import { judgeRobots, parseRobotsTxt } from '../../content/robots-txt.ts';
import { type Failure, failure } from '../../domain/failure.ts';
import type { Job } from '../../domain/job.ts';
import type { RobotsMode, RobotsTold } from '../../domain/robots-told.ts';
import type { Tried } from '../attempt.ts';
import { whyEnded } from './reached.ts';
import { type KnownRobots, RobotsCache } from './robots-cache.ts';
import { robotsAgent, robotsJob } from './robots-job.ts';

export interface RobotsCheck {
  readonly told: RobotsTold;
  /** Why the scrape ends here; null: it goes on. */
  readonly failure: Failure | null;
}

/** Asks robots.txt (RFC 9309) before a site is scraped. */
export interface Robots {
  /** What holds for a job: what it asks for, but not less than the operator demands. null: it is not asked. */
  modeOf(job: Job): Exclude<RobotsMode, 'ignore'> | null;
  /** @param fetch one plain fetch of that job, within the time of the request; what is in memory of it goes afterwards */
  check(ask: RobotsQuestion, fetch: Fetch, deadline: Deadline): Promise<RobotsCheck>;
}

export interface RobotsQuestion {
  readonly job: Job;
  readonly mode: Exclude<RobotsMode, 'ignore'>;
  readonly userId: string;
}

type Fetch = (job: Job) => Promise<Tried>;

const STRICTER: readonly RobotsMode[] = ['ignore', 'report', 'respect'];

/** @param minimum of the operator */
export function createRobots(clock: Clock, minimum: RobotsMode): Robots {
  const cache = new RobotsCache();
  /** One fetch for all that want the same at once. */
  const fetching = new Map<string, Promise<KnownRobots | Failure>>();

  async function fetchOne(job: Job, origin: string, fetch: Fetch): Promise<KnownRobots | Failure> {
    const got = knownOf(await fetch(robotsJob(job)));
    const now = clock.monotonic();
    const old = cache.stale(origin);
    const failing = 'code' in got || got.kind === 'failing';
    if (failing && old !== null) {
      cache.prolong(origin, now);
      return old;
    }
    if (!('code' in got)) cache.keep(origin, got, now);
    return got;
  }

  async function known(
    ask: RobotsQuestion,
    fetch: Fetch,
    deadline: Deadline,
  ): Promise<KnownRobots | Failure> {
    const origin = originFor(ask);
    const fresh = cache.fresh(origin, clock.monotonic());
    if (fresh !== null) return fresh;
    const running = fetching.get(origin);
    if (running !== undefined) {
      const shared = await inTime(running, deadline);
      // What ended the fetch of another (their time, their hanging up) is not ours.
      if (!('code' in shared) || deadline.signal.aborted) return shared;
    }
    const own = fetchOne(ask.job, origin, fetch).finally(() => {
      if (fetching.get(origin) === own) fetching.delete(origin);
    });
    fetching.set(origin, own);
    return await own;
  }

  return {
    modeOf({ router }) {
      const mode = STRICTER[Math.max(STRICTER.indexOf(router.robots), STRICTER.indexOf(minimum))]!;
      return mode === 'ignore' ? null : mode;
    },
    async check(ask, fetch, deadline) {
      const { job, mode } = ask;
      const url = new URL(job.url);
      const file = `${url.origin}/robots.txt`;
      const agent = robotsAgent(job);
      const found = await known(ask, fetch, deadline);
      if ('code' in found) {
        const told: RobotsTold = { mode, url: file, agent, allowed: null, rule: null, statusCode: null };
        return { told, failure: mode === 'respect' || isFinal(found) ? unread(file, found) : null };
      }
      const { statusCode } = found;
      const judged = judge(found, agent, url);
      const told: RobotsTold = { mode, url: file, agent, ...judged, statusCode };
      return { told, failure: mode === 'respect' && !judged.allowed ? refusal(told) : null };
    },
  };
}

/**
 * What a file is kept under. What came through a proxy of the caller's own, or from a server that nobody looked at the
 * certificate of, may be anybody's word: it holds for that user alone.
 */
function originFor({ job, userId }: RobotsQuestion): string {
  const { origin } = new URL(job.url);
  return job.proxyType !== 'custom' && job.options.verifyTls ? origin : `${origin} ${userId}`;
}

/** The fetch of another, as long as our own time lasts. */
function inTime(running: Promise<KnownRobots | Failure>, deadline: Deadline): Promise<KnownRobots | Failure> {
  const { signal } = deadline;
  return new Promise((resolve, reject) => {
    const stop = () => resolve(whyEnded(deadline) ?? TIME_UP);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    running.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

const TIME_UP = failure('timeout.total', 'The request timed out before robots.txt was received.');

/** What a fetch of robots.txt brought; a failure: nothing that could be judged by. */
function knownOf({ delivered, errors }: Tried): KnownRobots | Failure {
  if (delivered === null) {
    const cause = errors[0]!;
    // More redirects than have to be followed: as if there were none (RFC 9309 §2.3.1.2).
    return cause.code === 'redirect.too_many' ? { kind: 'none', statusCode: null } : cause;
  }
  const { statusCode, cut } = delivered.page;
  if (statusCode >= 500) return { kind: 'failing', statusCode };
  if (statusCode >= 300) return { kind: 'none', statusCode };
  if (cut !== null && cut.code !== 'content.truncated') return cut;
  const text = new TextDecoder().decode(delivered.content?.bytes ?? new Uint8Array());
  return { kind: 'rules', rules: parseRobotsTxt(text), size: text.length, statusCode };
}

function judge(known: KnownRobots, agent: string, url: URL): { allowed: boolean; rule: string | null } {
  // The file itself may always be fetched (RFC 9309 §2.2.2).
  if (known.kind === 'none' || url.pathname === '/robots.txt') return { allowed: true, rule: null };
  if (known.kind === 'failing') return { allowed: false, rule: null };
  const { allowed, rule } = judgeRobots(known.rules, agent, url.pathname + url.search);
  // Long patterns are of no use to a reader.
  const text = rule === null ? null : `${rule.allow ? 'Allow' : 'Disallow'}: ${rule.pattern.slice(0, 200)}`;
  return { allowed, rule: text };
}

/** It ends the scrape whether robots.txt is respected or not. */
const isFinal = ({ code }: Failure): boolean =>
  code === 'request.cancelled' || code === 'service.unavailable';

function unread(file: string, cause: Failure): Failure {
  if (isFinal(cause)) return cause;
  return { ...cause, message: `${file} could not be read, so nothing else was fetched: ${cause.message}` };
}

function refusal({ url, agent, rule, statusCode }: RobotsTold): Failure {
  const why =
    rule === null
      ? `its server returned ${statusCode}, so nothing may be fetched`
      : `the rule "${rule}" applies to ${JSON.stringify(agent)}`;
  return failure('policy.robots', `${url} does not allow this page: ${why}.`, {
    details: { url, agent, rule, status_code: statusCode },
  });
}
