import { type ItemRow, type ItemWait, type JobRow, OPEN_STATES, type WaitReason } from '../domain/jobs.ts';
import type { HoldUp, WaitingHost } from '../ports/jobs.ts';

/** What this process knows about the start of items. */
export interface StartRules {
  /** Items that may run at once on one host, over all jobs. */
  readonly perHost: number;
  /** Whether the job last waited because what runs may use up its `max_cost`. */
  readonly waitsForCost: (jobId: string) => boolean;
  /** Whether results can be stored now. */
  readonly canStore: () => boolean;
}

interface WaitContext {
  readonly rules: StartRules;
  /** ms since the epoch. */
  readonly now: number;
  /** Whether any item runs now, of whatever job. */
  readonly isBusy: boolean;
}

const waitFor = (reason: WaitReason, until: number | null = null): ItemWait => ({ reason, until });

/** What holds up all items of the job; null: nothing does. */
function waitOfAll({ pause, state }: JobRow, { canStore }: StartRules): ItemWait | null {
  if (state === 'paused' && pause !== null)
    return waitFor(pause.reason === 'asked' ? 'paused' : pause.reason, pause.resumesAt);
  return canStore() ? null : waitFor('storage');
}

/** Why the next item of a host does not start; null: its host does not keep it. */
function waitOfHost(job: JobRow, host: WaitingHost, { perHost }: StartRules, now: number): ItemWait | null {
  const { running, elsewhere, readyAt, delayMs } = host;
  if (running >= job.perHost || running + elsewhere >= perHost) return waitFor('host_limit');
  const hasPace = Math.max(job.delayMs, delayMs) > 0;
  return readyAt > now && hasPace ? waitFor('pace', readyAt) : null;
}

/** An item could start, but for a place. null: it starts in a moment. */
function waitForPlace(job: JobRow, rules: StartRules, isBusy: boolean): ItemWait | null {
  if (rules.waitsForCost(job.id) && job.counts.running > 0) return waitFor('max_cost');
  return isBusy ? waitFor('concurrency') : null;
}

const isOpen = ({ state }: JobRow): boolean => OPEN_STATES.some((open) => open === state);

/**
 * Why an item of a job does not start now; null: it does not wait, or it starts in a moment.
 * @param item `isLimited`: the limits of its site did not allow its last try
 * @param host its host; undefined: no item waits there any more
 */
export function itemWait(
  job: JobRow,
  item: Pick<ItemRow, 'state' | 'runAt'> & { readonly isLimited: boolean },
  host: WaitingHost | undefined,
  { rules, now, isBusy }: WaitContext,
): ItemWait | null {
  if (item.state !== 'queued' || !isOpen(job)) return null;
  const ofAll = waitOfAll(job, rules);
  if (ofAll !== null) return ofAll;
  if (item.runAt > now) return waitFor(item.isLimited ? 'site_limit' : 'retry', item.runAt);
  const ofHost = host === undefined ? null : waitOfHost(job, host, rules, now);
  return ofHost ?? waitForPlace(job, rules, isBusy);
}

/** Why no further item of a job starts now; null: none waits, or one starts in a moment. */
export function jobWait(
  job: JobRow,
  holdUp: HoldUp | undefined,
  options: { readonly rules: StartRules; readonly now: number },
): ItemWait | null {
  if (job.counts.queued === 0 || !isOpen(job)) return null;
  const ofAll = waitOfAll(job, options.rules);
  if (ofAll !== null || holdUp === undefined) return ofAll;
  const context = { ...options, isBusy: holdUp.isBusy };
  const waits = holdUp.hosts.map((host) => itemWait(job, { ...host, state: 'queued' }, host, context));
  return waits.reduce(sooner, waits[0] ?? null);
}

/** The wait that ends first. An item that waits for a place comes before one that waits for others on its host. */
function sooner(one: ItemWait | null, other: ItemWait | null): ItemWait | null {
  if (one === null || other === null) return null;
  return rank(other) < rank(one) ? other : one;
}

const rank = ({ reason, until }: ItemWait): number =>
  until ?? (reason === 'host_limit' ? Number.MAX_SAFE_INTEGER : 0);
