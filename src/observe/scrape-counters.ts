import type { FailureCode } from '../domain/failure.ts';
import { activeMs, type Outcome, type Scrape } from '../domain/scrape.ts';
import type { SiteIncrements } from '../domain/site-stats.ts';
import { latencyBucket, OTHER_HOSTS, STAT_STEPS, type StatCount, type StatKind } from '../domain/stats.ts';
import type { UsageIncrement } from '../domain/usage.ts';
import { SiteCounters } from './site-counters.ts';
import { UsageCounters } from './usage-counters.ts';

/** Further hosts are counted together, as `OTHER_HOSTS`. Limits the memory of a tally. */
const MAX_HOSTS_PER_TALLY = 1_000;

type HostKind = Extract<StatKind, `host_${string}`>;
const HOST_KINDS: readonly HostKind[] = ['host_ok', 'host_failed', 'host_blocked', 'host_other'];

const HOST_KIND_OF: Readonly<Partial<Record<Outcome, HostKind>>> = {
  ok: 'host_ok',
  failed: 'host_failed',
  blocked: 'host_blocked',
};

/** The counts of one user's scrapes in one minute. */
class ScrapeTally {
  readonly #outcomes = new Map<Outcome, number>();
  readonly #errors = new Map<FailureCode, number>();
  readonly #latency = new Map<number, number>();
  readonly #hosts: Readonly<Record<HostKind, Map<string, number>>> = {
    host_ok: new Map(),
    host_failed: new Map(),
    host_blocked: new Map(),
    host_other: new Map(),
  };
  #bytes = 0;

  add(outcome: Outcome, host: string, error: FailureCode | null, bucket: number, bytes: number): void {
    addCount(this.#outcomes, outcome, 1);
    if (error !== null) addCount(this.#errors, error, 1);
    this.#bytes += bytes;
    // `planned` is a dry run: it fetches nothing.
    if (outcome === 'planned') return;
    addCount(this.#latency, bucket, 1);
    this.#addHost(HOST_KIND_OF[outcome] ?? 'host_other', host, 1);
  }

  merge(other: ScrapeTally): void {
    for (const [outcome, count] of other.#outcomes) addCount(this.#outcomes, outcome, count);
    for (const [code, count] of other.#errors) addCount(this.#errors, code, count);
    for (const [bucket, count] of other.#latency) addCount(this.#latency, bucket, count);
    this.#bytes += other.#bytes;
    for (const kind of HOST_KINDS)
      for (const [host, count] of other.#hosts[kind]) this.#addHost(kind, host, count);
  }

  /** @param hostName the name under which a host is counted; several hosts may share one */
  counts(hostName: (host: string) => string): Pick<StatCount, 'kind' | 'name' | 'count'>[] {
    const counts: Pick<StatCount, 'kind' | 'name' | 'count'>[] = [];
    const addCounts = (kind: StatKind, byName: ReadonlyMap<string | number, number>) => {
      for (const [name, count] of byName) counts.push({ kind, name: String(name), count });
    };
    addCounts('outcome', this.#outcomes);
    addCounts('error', this.#errors);
    addCounts('latency', this.#latency);
    if (this.#bytes > 0) counts.push({ kind: 'bytes', name: '', count: this.#bytes });
    for (const kind of HOST_KINDS) {
      const byName = new Map<string, number>();
      for (const [host, count] of this.#hosts[kind]) addCount(byName, hostName(host), count);
      addCounts(kind, byName);
    }
    return counts;
  }

  #addHost(kind: HostKind, host: string, count: number): void {
    const hosts = this.#hosts[kind];
    const known = hosts.get(host);
    if (known !== undefined) hosts.set(host, known + count);
    else if (hosts.size < MAX_HOSTS_PER_TALLY) hosts.set(host, count);
    else addCount(hosts, OTHER_HOSTS, count);
  }
}

function addCount<K>(counts: Map<K, number>, key: K, increment: number): void {
  counts.set(key, (counts.get(key) ?? 0) + increment);
}

/** Hosts of one user that are counted by name in one step. Limits how much one user can make the tables grow. */
const MAX_HOSTS_PER_STEP = 100;
const MINUTE_MS = 60_000;

/** The hosts of one user that are counted by name in the current time step. */
interface StepHosts {
  /** Start of the step, ms since the epoch. */
  at: number;
  readonly hosts: Set<string>;
}

/** Stands for all users together; ids of users are never empty. */
const ALL_USERS = '';

/**
 * Counts ended scrapes in memory, until `drain` returns the counts to be stored. `count` is called for every scrape and only
 * changes one tally; `drain` derives from the tallies the counts of longer time steps and of all users together.
 */
export class ScrapeCounters {
  readonly #now: () => number;
  /** The current minute, counted from the epoch. */
  #minute = Number.NaN;
  /** The tallies of the current minute, by user. */
  #tallies = new Map<string, ScrapeTally>();
  /** The tallies of earlier minutes, since the last `drain`. */
  #endedMinutes: { readonly minute: number; readonly tallies: Map<string, ScrapeTally> }[] = [];
  /** By length of the step in seconds and user: `60 <user>`. */
  readonly #stepHosts = new Map<string, StepHosts>();
  readonly #sites = new SiteCounters();
  readonly #usage = new UsageCounters();

  /** @param now wall clock, ms since the epoch */
  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * Counts under the minute in which the scrape ended.
   * @param keyId null: a session
   */
  count(scrape: Scrape, userId: string, keyId: string | null = null): void {
    const now = this.#now();
    this.#sites.count(scrape, userId, now);
    this.#usage.count(scrape, userId, keyId, now);
    const minute = Math.floor(now / MINUTE_MS);
    if (minute !== this.#minute) this.#startMinute(minute);
    let tally = this.#tallies.get(userId);
    if (tally === undefined) {
      tally = new ScrapeTally();
      this.#tallies.set(userId, tally);
    }
    tally.add(
      scrape.outcome,
      scrape.task.host,
      scrape.errors.length === 0 ? null : scrape.errors[0]!.code,
      latencyBucket(activeMs(scrape)),
      scrape.delivered?.content?.bytes.length ?? 0,
    );
  }

  /** The counts since the last call. */
  drain(): StatCount[] {
    // Moves the tallies of the current minute to `#endedMinutes`; later scrapes of this minute get new tallies.
    this.#startMinute(this.#minute);
    const counts: StatCount[] = [];
    for (const { minute, tallies } of this.#endedMinutes) {
      const all = new ScrapeTally();
      for (const [userId, tally] of tallies) {
        this.#addToSteps(counts, minute, userId, tally);
        all.merge(tally);
      }
      this.#addToSteps(counts, minute, ALL_USERS, all);
    }
    this.#endedMinutes = [];
    return counts;
  }

  /** The counts by site and month since the last call. */
  drainSites(): SiteIncrements {
    return this.#sites.drain();
  }

  /** Takes counts by site back that could not be stored. */
  restoreSites(increments: SiteIncrements): void {
    this.#sites.restore(increments);
  }

  /** The counts of usage since the last call. */
  drainUsage(): readonly UsageIncrement[] {
    return this.#usage.drain();
  }

  /** Takes counts of usage back that could not be stored. */
  restoreUsage(counts: readonly UsageIncrement[]): void {
    this.#usage.restore(counts);
  }

  #startMinute(minute: number): void {
    if (this.#tallies.size > 0) {
      this.#endedMinutes.push({ minute: this.#minute, tallies: this.#tallies });
      this.#tallies = new Map();
    }
    this.#minute = minute;
  }

  /** Appends the counts of a tally to `counts`, once for each length of step. */
  #addToSteps(counts: StatCount[], minute: number, user: string, tally: ScrapeTally): void {
    const userId = user === ALL_USERS ? null : user;
    for (const { seconds: step } of STAT_STEPS) {
      const at = Math.floor((minute * MINUTE_MS) / (step * 1000)) * step * 1000;
      const hosts = this.#hostsOfStep(step, user, at);
      for (const { kind, name, count } of tally.counts((host) => countedHostName(hosts, host)))
        counts.push({ userId, step, at, kind, name, count });
    }
  }

  #hostsOfStep(step: number, user: string, at: number): Set<string> {
    const key = `${step} ${user}`;
    let current = this.#stepHosts.get(key);
    if (current === undefined) {
      current = { at, hosts: new Set() };
      this.#stepHosts.set(key, current);
    } else if (current.at !== at) {
      current.at = at;
      current.hosts.clear();
    }
    return current.hosts;
  }
}

/** The name under which a host is counted: for the first hosts of a step their own, which is added to `hosts`. */
function countedHostName(hosts: Set<string>, host: string): string {
  if (hosts.has(host)) return host;
  if (hosts.size >= MAX_HOSTS_PER_STEP) return OTHER_HOSTS;
  hosts.add(host);
  return host;
}
