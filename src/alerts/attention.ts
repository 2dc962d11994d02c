import {
  ALERT_KINDS,
  ALERT_THRESHOLDS,
  type AlertKind,
  DEFAULT_SITE_WINDOW,
  type SiteWindow,
  SYSTEM_ALERT_KINDS,
} from '../domain/alerts.ts';
import type { PoolState } from '../domain/pools.ts';
import { vendorName } from '../domain/scrapers.ts';
import type { HostStep } from '../domain/site-stats.ts';
import type { VendorOutage } from '../domain/vendors.ts';
import type { AlertStore } from '../ports/alerts.ts';
import type { Store } from '../ports/store.ts';
import { type DetailedReading, monitorReading, Readings, type ReadingsDeps, shareOf } from './readings.ts';
import { failingSince, highSince, worseSince } from './since.ts';

export interface AttentionDeps extends Omit<ReadingsDeps, 'store'> {
  readonly store: ReadingsDeps['store'] & Pick<Store, 'samples'>;
  readonly alerts: Pick<AlertStore, 'list'>;
}

/** Who asks. */
export interface AttentionScope {
  /** Whose sites, keys and monitors; null: those of all users. */
  readonly userId: string | null;
  /** Whose alerts: those of others are private. */
  readonly callerId: string;
  /** Whether pools, vendors, memory and disk are shown, too. */
  readonly seesSystem: boolean;
}

/** Something that does not work, or soon will not. */
export interface AttentionItem extends DetailedReading {
  readonly kind: AlertKind;
  /** Since when, ms since the epoch; null: not known. */
  readonly since: number | null;
  /** A rule of the caller that fires for it; null: none does. */
  readonly alert: { readonly id: string; readonly name: string } | null;
  /** Of a vendor; else null. */
  readonly outage: VendorOutage | null;
}

/** What is of most interest first. */
const ORDER: readonly AlertKind[] = [
  'pool',
  'site_success',
  'vendor',
  'monitor',
  'budget',
  'metric',
  'disk',
  'memory',
];
/** From these values on it does not work at all; it is listed before what still works. */
const STOPPED: Readonly<Record<AlertKind, number>> = {
  // A cost or a duration does not mean that nothing works.
  metric: Number.POSITIVE_INFINITY,
  site_success: ALERT_THRESHOLDS.site_success.threshold,
  budget: 1,
  monitor: ALERT_THRESHOLDS.monitor.threshold,
  pool: 1,
  vendor: 1,
  disk: 1,
  memory: 1,
};
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Rules of a user. */
const MAX_RULES = 100;
const MAX_MONITORS = 1_000;

type Candidate = Omit<AttentionItem, 'since'> & { readonly firingSince: number | null };

/**
 * What needs the attention of a user: what a rule of each kind with the usual conditions would fire for, without waiting, and what
 * the user's own rules fire for. Reads only counters and states that exist.
 * @param limit of `items`, the worst first
 * @param now ms since the epoch
 * @returns also the number of all items
 */
export async function needsAttention(
  deps: AttentionDeps,
  scope: AttentionScope,
  limit: number,
  now: number,
): Promise<{ readonly items: readonly AttentionItem[]; readonly total: number }> {
  const kinds = ALERT_KINDS.filter((kind) => scope.seesSystem || !SYSTEM_ALERT_KINDS.includes(kind));
  const readings = new Readings(deps, now);
  const [rules, ...measured] = await Promise.all([
    deps.alerts.list(scope.callerId, MAX_RULES, null),
    // There are no usual conditions for metrics.
    ...kinds
      .filter((kind) => kind !== 'metric')
      .map(async (kind) => ({ kind, readings: await measure(deps, readings, kind, scope.userId) })),
  ]);
  const firing = new Map(
    rules.flatMap(({ id, name, kind, instances }) =>
      instances
        .filter(({ state }) => state === 'firing' && kinds.includes(kind))
        .map((instance) => [
          kind === 'metric' ? `${kind} ${id} ${instance.subject}` : nameOf(kind, instance.subject),
          { kind, instance, alert: { id, name } },
        ]),
    ),
  );
  const candidates: Candidate[] = [];
  for (const { kind, readings: ofKind } of measured)
    for (const reading of ofKind) {
      const fired = firing.get(nameOf(kind, reading.subject));
      firing.delete(nameOf(kind, reading.subject));
      if (fired === undefined && reading.value < ALERT_THRESHOLDS[kind].threshold) continue;
      const outage = kind === 'vendor' ? outageOf(deps, reading.subject) : null;
      candidates.push({
        ...reading,
        kind,
        outage,
        alert: fired?.alert ?? null,
        firingSince: fired?.instance.since ?? null,
      });
    }
  // What fires by other conditions, and cannot be measured by the usual ones.
  for (const { kind, instance, alert } of firing.values())
    candidates.push({
      subject: instance.subject,
      value: instance.value,
      summary: instance.summary,
      kind,
      alert,
      outage: null,
      firingSince: instance.since,
    });
  candidates.sort(byUrgency);
  const shown = candidates.slice(0, limit);
  const since = await sinceWhen(deps, shown, scope.userId, now);
  const items = shown.map((item) => ({ ...item, since: since.get(item) ?? item.firingSince }));
  return { items, total: candidates.length };
}

const nameOf = (kind: AlertKind, subject: string): string => `${kind} ${subject}`;

const byUrgency = (a: Candidate, b: Candidate): number =>
  Number(isStopped(b)) - Number(isStopped(a)) ||
  ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind) ||
  weightOf(b) - weightOf(a) ||
  (a.subject < b.subject ? -1 : 1);
const isStopped = ({ kind, value }: Candidate): boolean => value >= STOPPED[kind];
/** A site is the worse the more scrapes fail. */
const weightOf = ({ value, shares }: Candidate): number => value * (shares?.recent.scrapes ?? 1);

async function measure(
  deps: AttentionDeps,
  readings: Readings,
  kind: AlertKind,
  userId: string | null,
): Promise<readonly DetailedReading[]> {
  const watched = (site: SiteWindow | null) =>
    readings.of({ kind, userId, conditions: { subject: null, site } });
  if (kind === 'monitor')
    return (await deps.store.monitors.failing(userId, MAX_MONITORS)).map(monitorReading);
  if (kind === 'vendor')
    return (await watched(null)).map((reading) => ({
      ...reading,
      value: outageOf(deps, reading.subject) === null ? 0 : 1,
    }));
  if (kind !== 'site_success') return await watched(null);
  // Of sites with few scrapes in the last hour, those of the last day tell more.
  const ofDay = await watched({ ...DEFAULT_SITE_WINDOW, windowS: DAY_MS / 1000 });
  const ofHour = await watched(DEFAULT_SITE_WINDOW);
  return [...new Map([...ofDay, ...ofHour].map((reading) => [reading.subject, reading])).values()];
}

/** A vendor that may be used again has not shown yet that it works. */
const outageOf = ({ vendors }: AttentionDeps, name: string): VendorOutage | null =>
  vendors()
    .find(({ scraper }) => vendorName(scraper) === name)
    ?.outage() ?? null;

/** Since when each is so, as far as it is stored. */
async function sinceWhen(
  deps: AttentionDeps,
  items: readonly Candidate[],
  userId: string | null,
  now: number,
): Promise<ReadonlyMap<Candidate, number | null>> {
  const hosts = items.filter(({ kind }) => kind === 'site_success').map(({ subject }) => subject);
  const from = Math.floor(now / HOUR_MS) * HOUR_MS - DEFAULT_SITE_WINDOW.baselineDays * DAY_MS;
  const steps = await deps.store.stats.hostSteps({ userId, step: HOUR_MS / 1000, from, to: now, hosts });
  const stepsOf = Map.groupBy(steps, ({ host }) => host);
  const found = items.map(
    async (item): Promise<[Candidate, number | null]> => [
      item,
      await sinceOf(deps, item, stepsOf.get(item.subject) ?? [], now),
    ],
  );
  return new Map(await Promise.all(found));
}

async function sinceOf(
  { store, pools }: AttentionDeps,
  { kind, subject, value, shares, outage }: Candidate,
  steps: readonly HostStep[],
  now: number,
): Promise<number | null> {
  switch (kind) {
    case 'site_success':
      if (shares === undefined) return null;
      return worseSince(steps, (shareOf(shares.recent) + shareOf(shares.usual)) / 2);
    case 'pool':
      return deadSince(pools.state().pools.find(({ name }) => name === subject));
    case 'vendor':
      return outage?.since ?? null;
    case 'monitor':
      return await failingSince(store.monitors, { id: subject, errors: value });
    case 'disk':
      return await highSince(store.samples, 'disk_share', ALERT_THRESHOLDS.disk.threshold, now);
    case 'memory':
      if (subject !== 'machine') return null;
      return await highSince(store.samples, 'machine_memory_share', ALERT_THRESHOLDS.memory.threshold, now);
    case 'budget':
    case 'metric':
      return null;
  }
}

/** When the last of its exits began to fail; null: one works. */
function deadSince(pool: PoolState | undefined): number | null {
  const times = pool?.exits.map(({ failingSince: since }) => since) ?? [];
  return times.length === 0 || times.includes(null) ? null : Math.max(...times.filter((at) => at !== null));
}
