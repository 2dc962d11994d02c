import { OPERATOR } from '../account/account-actions.ts';
import type { Accounts } from '../account/accounts.ts';
import type { KeyRow } from '../domain/account.ts';
import type { AlertConditions, AlertKind, SiteWindow } from '../domain/alerts.ts';
import type { MonitorRow } from '../domain/monitors.ts';
import { newestFirst } from '../domain/run-lists.ts';
import { vendorName } from '../domain/scrapers.ts';
import type { HostShare } from '../domain/site-stats.ts';
import type { VendorFacts } from '../domain/vendors.ts';
import type { ProxyPools } from '../ports/proxies.ts';
import type { Store } from '../ports/store.ts';
import { duration, floorTo, type MetricReader, percent } from './metrics.ts';
import type { AlertReading } from './transitions.ts';

export interface ReadingsDeps {
  readonly store: Pick<Store, 'stats' | 'accounts' | 'monitors'>;
  readonly accounts: Pick<Accounts, 'listKeys'>;
  readonly metrics: MetricReader;
  readonly pools: Pick<ProxyPools, 'state'>;
  readonly vendors: () => readonly VendorFacts[];
  /** Memory for the contents of pages. */
  readonly memory: { readonly inUse: number; readonly capacity: number };
  /** Share of the memory of this machine, or of its control group, that is in use. */
  readonly machineMemory: () => number;
  /** Share of the disk of the data folder that is in use. */
  readonly disk: () => Promise<number>;
}

const MINUTE_S = 60;
const HOUR_S = 3_600;
const DAY_MS = 86_400_000;
const MAX_MONITORS = 10_000;

/** What is watched. A rule is one. */
interface Watched {
  readonly kind: AlertKind;
  readonly conditions: Pick<AlertConditions, 'subject' | 'site' | 'metric'>;
  /** Whose sites, keys and monitors; null: those of all users. */
  readonly userId: string | null;
}

/** A reading with what messages do not need. */
export interface DetailedReading extends AlertReading {
  /** Of a key or monitor. */
  readonly owned?: { readonly name: string; readonly userId: string };
  /** Of a site: in the window, and in the days before. */
  readonly shares?: { readonly windowS: number; readonly recent: HostShare; readonly usual: HostShare };
}

/** What rules watch, as it is now. Made anew for each round: what several rules need is read once. */
export class Readings {
  readonly #deps: ReadingsDeps;
  readonly #now: number;
  readonly #sites = new Map<string, Promise<readonly DetailedReading[]>>();

  constructor(deps: ReadingsDeps, now: number) {
    this.#deps = deps;
    this.#now = now;
  }

  async of(watched: Watched): Promise<readonly DetailedReading[]> {
    const { subject } = watched.conditions;
    const readings = await this.#all[watched.kind](watched);
    return subject === null ? readings : readings.filter((reading) => reading.subject === subject);
  }

  readonly #all: Readonly<
    Record<AlertKind, (watched: Watched) => Promise<readonly DetailedReading[]> | readonly DetailedReading[]>
  > = {
    metric: ({ userId, conditions: { metric, subject } }) =>
      this.#deps.metrics.read({ metric: metric!, subject, userId }, this.#now),
    site_success: ({ userId, conditions }) => this.#siteSuccess(userId, conditions.site!),
    budget: ({ userId }) => this.#budgets(userId),
    monitor: ({ userId }) => this.#monitors(userId),
    pool: () => this.#pools(),
    vendor: () => this.#vendors(),
    disk: () => this.#disk(),
    memory: () => this.#memory(),
  };

  #siteSuccess(ownerId: string | null, site: SiteWindow): Promise<readonly DetailedReading[]> {
    const userId = site.allUsers ? null : ownerId;
    const key = JSON.stringify([userId, site]);
    const known = this.#sites.get(key) ?? siteReadings(this.#deps.store.stats, userId, site, this.#now);
    this.#sites.set(key, known);
    return known;
  }

  /** Of the keys with a daily budget. */
  async #budgets(userId: string | null): Promise<readonly DetailedReading[]> {
    const { store, accounts } = this.#deps;
    const day = new Date(this.#now).toISOString().slice(0, 10);
    const used = new Map((await store.accounts.usage(day)).map((usage) => [usage.keyId, usage]));
    const keys = accounts.listKeys(OPERATOR, userId).filter(({ revokedAt }) => revokedAt === null);
    return keys.flatMap(({ id, name, userId: ownerId, dailyBudget }) => {
      if (dailyBudget === null) return [];
      const { scrapes = 0, cost = 0 } = used.get(id) ?? {};
      const { amount, unit } = dailyBudget;
      const spent = unit === 'scrapes' ? scrapes : cost / 1_000_000;
      const value = amount === 0 ? 1 : spent / amount;
      return {
        subject: id,
        value,
        owned: { name, userId: ownerId },
        summary: `The key “${name}” has used ${percent(value)} of its budget of today.`,
      };
    });
  }

  async #monitors(userId: string | null): Promise<readonly DetailedReading[]> {
    const monitors = await this.#deps.store.monitors.list(userId, newestFirst(MAX_MONITORS));
    return monitors.filter(({ state }) => state === 'active').map(monitorReading);
  }

  #pools(): readonly DetailedReading[] {
    return this.#deps.pools.state().pools.map(({ name, exits }) => {
      const usable = exits.filter(({ health }) => health === 'healthy').length;
      return {
        subject: name,
        value: exits.length === 0 ? 1 : (exits.length - usable) / exits.length,
        summary: `${usable} of ${exits.length} exits of the pool “${name}” work.`,
      };
    });
  }

  #vendors(): readonly DetailedReading[] {
    return this.#deps.vendors().map((vendor) => {
      const name = vendorName(vendor.scraper);
      const reason = vendor.resting();
      return {
        subject: name,
        value: reason === null ? 0 : 1,
        summary:
          reason === null
            ? `The vendor “${name}” is used again.`
            : `The vendor “${name}” is not used at the moment: ${reason}.`,
      };
    });
  }

  async #disk(): Promise<readonly DetailedReading[]> {
    const value = await this.#deps.disk();
    return [{ subject: 'disk', value, summary: `The disk of the data folder is ${percent(value)} full.` }];
  }

  #memory(): readonly DetailedReading[] {
    const { memory, machineMemory } = this.#deps;
    const contents = memory.inUse / memory.capacity;
    const machine = machineMemory();
    return [
      {
        subject: 'contents',
        value: contents,
        summary: `${percent(contents)} of the memory for the contents of pages is in use.`,
      },
      {
        subject: 'machine',
        value: machine,
        summary: `${percent(machine)} of the memory of the machine is in use.`,
      },
    ];
  }
}

/** Of an active monitor. */
export function monitorReading({
  id,
  userId,
  name,
  errors,
}: Pick<MonitorRow, 'id' | 'userId' | 'name' | 'errors'>): DetailedReading {
  return {
    subject: id,
    value: errors,
    owned: { name, userId },
    summary:
      errors === 0
        ? `The last run of the monitor “${name}” succeeded.`
        : errors === 1
          ? `The last run of the monitor “${name}” failed.`
          : `The last ${errors} runs of the monitor “${name}” failed.`,
  };
}

/**
 * How much lower the share of successful scrapes of each site is in the window than in the days before, from -1 to 1. Sites with too
 * few scrapes in either are left out.
 */
async function siteReadings(
  stats: Store['stats'],
  userId: string | null,
  { windowS, minScrapes, baselineDays }: SiteWindow,
  now: number,
): Promise<readonly DetailedReading[]> {
  const step = windowS <= HOUR_S ? MINUTE_S : 15 * MINUTE_S;
  const from = floorTo(now - windowS * 1000, step);
  const request = { userId, minScrapes };
  const recent = await stats.hostShares({ ...request, step, from, to: now });
  if (recent.length === 0) return [];
  const before = await stats.hostShares({
    ...request,
    step: HOUR_S,
    from: from - baselineDays * DAY_MS,
    // Only whole hours before the window.
    to: floorTo(from, HOUR_S),
  });
  const usual = new Map(before.map((share) => [share.host, share]));
  return recent.flatMap((share) => {
    const baseline = usual.get(share.host);
    if (baseline === undefined) return [];
    const value = shareOf(baseline) - shareOf(share);
    const days = baselineDays === 1 ? 'day' : `${baselineDays} days`;
    return {
      subject: share.host,
      value,
      shares: { windowS, recent: share, usual: baseline },
      summary: `${share.host}: ${percent(shareOf(share))} of ${share.scrapes} scrapes succeeded in the last ${duration(windowS)}, ${percent(shareOf(baseline))} in the ${days} before.`,
    };
  });
}

export const shareOf = ({ scrapes, ok }: HostShare): number => ok / scrapes;

/** What a rule may name as its subject now; null: it is not known here. */
export function knownSubjects(
  { accounts, pools, vendors }: Pick<ReadingsDeps, 'accounts' | 'pools' | 'vendors'>,
  kind: AlertKind,
  userId: string,
): readonly string[] | null {
  if (kind === 'budget') return accounts.listKeys(OPERATOR, userId).map(({ id }: KeyRow) => id);
  if (kind === 'pool') return pools.state().pools.map(({ name }) => name);
  if (kind === 'vendor') return vendors().map(({ scraper }) => vendorName(scraper));
  return null;
}
