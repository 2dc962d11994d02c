import { showsSame, wordsOf } from '../assess/same-page.ts';
import type { ByteBudget } from '../base/byte-budget.ts';
import type { Clock } from '../base/clock.ts';
import { deadlineIn } from '../base/deadline.ts';
import type { Failure } from '../domain/failure.ts';
import type { Job } from '../domain/job.ts';
import type { Step } from '../domain/scrape.ts';
import type { Experience } from '../router/experience.ts';
import { pickProbe } from '../router/probe.ts';
import { lessonOf, OK, SHELL } from '../router/signs.ts';
import { type SiteKey, siteKeyOf } from '../router/site-key.ts';
import { WAYS, wayOf } from '../router/ways.ts';
import { type AttemptParts, type Tried, tryOnce } from './attempt.ts';
import { paidFor } from './learn.ts';
import type { Manners } from './manners/manners.ts';

export interface ProbesParts extends AttemptParts {
  readonly experience: Experience;
  readonly manners: Pick<Manners, 'enter'>;
  readonly memory: Pick<ByteBudget, 'open'>;
  /** Units of effort that probes of all sites together may take a day (UTC). */
  readonly budget: number;
  readonly onTrouble: (error: unknown) => void;
}

export interface ProbeAsk {
  readonly job: Job;
  /** The ways that the request might have gone. */
  readonly steps: readonly Step[];
  readonly tried: readonly Tried[];
  readonly allowUrl: ((url: URL) => Failure | null) | null;
  readonly userId: string;
}

export interface Probes {
  /** After a page came: fetches it once more by a cheaper way, sometimes, beside the request and after it. */
  after(ask: ProbeAsk): void;
  /** Units that probes have taken since midnight (UTC). */
  spentToday(): number;
  /** Ends those that run. */
  stop(): Promise<void>;
}

const AT_ONCE = 2;
const TIME_MS = 20_000;
const DAY_MS = 86_400_000;
const LARGEST_BYTES = 1024 * 1024;
/** What changes nothing of who is asking. */
const HARMLESS = new Set(['accept', 'accept-language', 'user-agent', 'referer']);

/**
 * Finds out whether a defence has fallen, or a site does without scripts by now: what works is never changed by asking
 * for more than it. Only plain GETs are sent once more: without data, cookies, credentials, or an exit of their own.
 */
export function createProbes(parts: ProbesParts): Probes {
  const { experience, clock, budget } = parts;
  const ending = new AbortController();
  const running = new Set<Promise<void>>();
  let day = 0;
  let spent = 0;

  function spentToday(): number {
    const today = Math.floor(clock.now() / DAY_MS);
    if (today !== day) {
      day = today;
      spent = 0;
    }
    return spent;
  }

  return {
    after({ job, steps, tried, allowUrl, userId }) {
      const last = tried[tried.length - 1];
      if (running.size >= AT_ONCE || last === undefined || !isGood(last) || !isPlain(job)) return;
      const key = siteKeyOf(job.url);
      const used = wayOf(last.step);
      const cheap = steps.map(wayOf);
      const view = experience.outlook(key, seconds(clock), []);
      const way = pickProbe(experience, key, seconds(clock), { used, paid: view.cost(used), among: cheap });
      if (way === null) return;
      const cost = view.cost(way);
      if (spentToday() + cost > budget) return;
      spent += cost;
      const step = steps[cheap.indexOf(way)]!;
      // Now: the content is gone when the answer has left.
      const good = wordsOf(last.delivered!.content!.bytes);
      const probe = look(parts, { key, step, job, allowUrl, userId, good, ending })
        .catch(parts.onTrouble)
        .finally(() => running.delete(probe));
      running.add(probe);
    },
    spentToday,
    async stop() {
      ending.abort();
      await Promise.all(running);
    },
  };
}

const seconds = (clock: Clock): number => clock.now() / 1000;

function isGood({ satisfied, verdict, delivered }: Tried): boolean {
  if (!satisfied || verdict !== 'ok' || delivered?.content?.encoding !== 'utf-8') return false;
  const { page, content } = delivered;
  const type = page.headers.find(([name]) => name === 'content-type')?.[1] ?? '';
  return page.statusCode === 200 && type.startsWith('text/html') && content.bytes.length <= LARGEST_BYTES;
}

function isPlain({ scraper, method, body, cookies, headers, browserOnly, proxy, proxyType }: Job): boolean {
  if (scraper !== 'auto' || method !== 'GET' || body !== null || cookies.length > 0) return false;
  if (browserOnly.length > 0 || proxyType === 'custom' || proxy.session !== null) return false;
  // Nobody can say which exit it would tell of.
  if (proxy.bypass.length > 0) return false;
  return headers.every(([name]) => HARMLESS.has(name.toLowerCase()));
}

interface Look {
  readonly key: SiteKey;
  readonly step: Step;
  readonly job: Job;
  readonly allowUrl: ((url: URL) => Failure | null) | null;
  readonly userId: string;
  readonly good: ReadonlySet<string>;
  readonly ending: AbortController;
}

async function look(parts: ProbesParts, { key, step, job, good, ending, ...who }: Look): Promise<void> {
  using deadline = deadlineIn(TIME_MS, ending.signal);
  const room = parts.memory.open();
  try {
    const chosen = { step, reason: 'a probe', pauseMs: 0, sharesTime: false };
    // What the caller makes of the page, and accepts of it, is the caller's.
    const plain: Job = {
      ...job,
      options: { ...job.options, formats: [], extract: null },
      router: { ...job.router, accept: null },
    };
    const stay = await parts.manners.enter(
      { url: job.url, proxyType: step.proxyType, userId: who.userId },
      deadline,
    );
    if (stay.failure !== null) return;
    let came: Tried | null = null;
    try {
      const order = {
        n: 1,
        job: plain,
        chosen,
        deadline,
        room,
        used: [],
        document: null,
        pass: null,
        ...who,
      };
      came = await tryOnce(parts, order);
    } finally {
      stay.leave(came);
    }
    const sign = signOfProbe(came, good);
    if (sign === null || ending.signal.aborted) return;
    parts.experience.note(key, seconds(parts.clock), { way: wayOf(step), sign }, paidFor(came));
  } finally {
    room.close();
  }
}

/** It is held against the page that is there. */
function signOfProbe(came: Tried, good: ReadonlySet<string>): number | null {
  const lesson = lessonOf(came);
  const content = came.delivered?.content;
  if (lesson !== OK || content === null || content === undefined) return lesson;
  const same = showsSame(good, wordsOf(content.bytes));
  if (same === null) return null;
  return same ? OK : WAYS[wayOf(came.step)]!.js ? null : SHELL;
}
