import type { FailureCode } from '../domain/failure.ts';
import type { Outcome, Scrape } from '../domain/scrape.ts';
import { latencyBucket, OTHER_HOSTS, STAT_STEPS, type StatCount, type StatKind } from '../domain/stats.ts';

/** Hosts that are told apart between two takes. */
const MOST_HOSTS = 1_000;

type HostKind = Extract<StatKind, `host_${string}`>;
const HOST_KINDS: readonly HostKind[] = ['host_ok', 'host_failed', 'host_blocked', 'host_other'];

const HOST_KIND_OF: Readonly<Partial<Record<Outcome, HostKind>>> = {
  ok: 'host_ok',
  failed: 'host_failed',
  blocked: 'host_blocked',
};

/** What the scrapes of one user add up to. */
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

  add(outcome: Outcome, host: string, error: FailureCode | null, cell: number, bytes: number): void {
    addCount(this.#outcomes, outcome, 1);
    if (error !== null) addCount(this.#errors, error, 1);
    this.#bytes += bytes;
    // A dry run fetches nothing.
    if (outcome === 'planned') return;
    addCount(this.#latency, cell, 1);
    this.#addHost(HOST_KIND_OF[outcome] ?? 'host_other', host, 1);
  }

  addAll(other: ScrapeTally): void {
    for (const [outcome, count] of other.#outcomes) addCount(this.#outcomes, outcome, count);
    for (const [code, count] of other.#errors) addCount(this.#errors, code, count);
    for (const [cell, count] of other.#latency) addCount(this.#latency, cell, count);
    this.#bytes += other.#bytes;
    for (const kind of HOST_KINDS)
      for (const [host, count] of other.#hosts[kind]) this.#addHost(kind, host, count);
  }

  /** @param named the name that a host is counted under; several may have the same */
  counts(named: (host: string) => string): Pick<StatCount, 'kind' | 'name' | 'count'>[] {
    const counts: Pick<StatCount, 'kind' | 'name' | 'count'>[] = [];
    const all = (kind: StatKind, of: ReadonlyMap<string | number, number>) => {
      for (const [name, count] of of) counts.push({ kind, name: String(name), count });
    };
    all('outcome', this.#outcomes);
    all('error', this.#errors);
    all('latency', this.#latency);
    if (this.#bytes > 0) counts.push({ kind: 'bytes', name: '', count: this.#bytes });
    for (const kind of HOST_KINDS) {
      const byName = new Map<string, number>();
      for (const [host, count] of this.#hosts[kind]) addCount(byName, named(host), count);
      all(kind, byName);
    }
    return counts;
  }

  #addHost(kind: HostKind, host: string, count: number): void {
    const hosts = this.#hosts[kind];
    const known = hosts.get(host);
    if (known !== undefined) hosts.set(host, known + count);
    else if (hosts.size < MOST_HOSTS) hosts.set(host, count);
    else addCount(hosts, OTHER_HOSTS, count);
  }
}

function addCount<K>(counts: Map<K, number>, key: K, by: number): void {
  counts.set(key, (counts.get(key) ?? 0) + by);
}

/** Named hosts of one step; the bound of what one user's scrapes can make the tables grow by. */
const HOSTS_A_STEP = 100;
const MINUTE_MS = 60_000;

/** The named hosts of the step that runs. */
interface NamedHosts {
  at: number;
  readonly hosts: Set<string>;
}

/** The key of all users together; ids of users are never empty. */
const ALL_USERS = '';

/**
 * What ended scrapes add up to, in memory until it is taken to be stored. Counting is on the way of every scrape and
 * touches one small object; all that can wait (the other lengths of steps, all users together) is made by `take`.
 */
export class ScrapeCounters {
  readonly #now: () => number;
  #minute = Number.NaN;
  #tallies = new Map<string, ScrapeTally>();
  /** Of minutes that ended since the last `take`. */
  #ended: { readonly minute: number; readonly tallies: Map<string, ScrapeTally> }[] = [];
  /** By length of step and user. */
  readonly #named = new Map<number, Map<string, NamedHosts>>();

  /** @param now wall clock, ms since the epoch */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Counts under the minute in which the scrape ended. */
  count(scrape: Scrape, userId: string): void {
    const minute = Math.floor(this.#now() / MINUTE_MS);
    if (minute !== this.#minute) this.#enter(minute);
    let tally = this.#tallies.get(userId);
    if (tally === undefined) {
      tally = new ScrapeTally();
      this.#tallies.set(userId, tally);
    }
    tally.add(
      scrape.outcome,
      scrape.job.host,
      scrape.errors.length === 0 ? null : scrape.errors[0]!.code,
      latencyBucket(scrape.timing.total),
      scrape.delivered?.content?.bytes.length ?? 0,
    );
  }

  /** All that was counted since the last time. */
  take(): StatCount[] {
    this.#enter(this.#minute);
    const taken: StatCount[] = [];
    for (const { minute, tallies } of this.#ended) {
      const all = new ScrapeTally();
      for (const [userId, tally] of tallies) {
        this.#spread(taken, minute, userId, tally);
        all.addAll(tally);
      }
      this.#spread(taken, minute, ALL_USERS, all);
    }
    this.#ended = [];
    return taken;
  }

  #enter(minute: number): void {
    if (this.#tallies.size > 0) {
      this.#ended.push({ minute: this.#minute, tallies: this.#tallies });
      this.#tallies = new Map();
    }
    this.#minute = minute;
  }

  #spread(to: StatCount[], minute: number, user: string, tally: ScrapeTally): void {
    const userId = user === ALL_USERS ? null : user;
    for (const { seconds: step } of STAT_STEPS) {
      const at = Math.floor((minute * MINUTE_MS) / (step * 1000)) * step * 1000;
      const hosts = this.#namedOf(step, user, at);
      for (const { kind, name, count } of tally.counts((host) => countedHostName(hosts, host)))
        to.push({ userId, step, at, kind, name, count });
    }
  }

  #namedOf(step: number, user: string, at: number): Set<string> {
    const byUser = getOrMake(this.#named, step, () => new Map<string, NamedHosts>());
    const named = getOrMake(byUser, user, () => ({ at, hosts: new Set<string>() }));
    if (named.at !== at) {
      named.at = at;
      named.hosts.clear();
    }
    return named.hosts;
  }
}

function countedHostName(hosts: Set<string>, host: string): string {
  if (hosts.has(host)) return host;
  if (hosts.size >= HOSTS_A_STEP) return OTHER_HOSTS;
  hosts.add(host);
  return host;
}

function getOrMake<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let found = map.get(key);
  if (found === undefined) {
    found = make();
    map.set(key, found);
  }
  return found;
}
