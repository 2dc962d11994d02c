import { latencyCell } from '../domain/latency-cells.ts';
import type { Scrape } from '../domain/scrape.ts';
import { OTHER_HOSTS, STAT_STEPS, type StatCount } from '../domain/stats.ts';
import { Tally } from './tally.ts';

/** Named hosts of one step; the bound of what one user's scrapes can make the tables grow by. */
const HOSTS_A_STEP = 100;
const MINUTE_MS = 60_000;

/** The named hosts of the step that runs. */
interface Named {
  at: number;
  readonly hosts: Set<string>;
}

/** The key of all users together; ids of users are never empty. */
const ALL = '';

/**
 * What ended scrapes add up to, in memory until it is taken to be stored. Counting is on the way of every scrape and
 * touches one small object; all that can wait (the other lengths of steps, all users together) is made by `take`.
 */
export class ScrapeCounters {
  readonly #now: () => number;
  #minute = Number.NaN;
  #tallies = new Map<string, Tally>();
  /** Of minutes that ended since the last `take`. */
  #ended: { readonly minute: number; readonly tallies: Map<string, Tally> }[] = [];
  /** By length of step and user. */
  readonly #named = new Map<number, Map<string, Named>>();

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
      tally = new Tally();
      this.#tallies.set(userId, tally);
    }
    tally.add(
      scrape.outcome,
      scrape.job.host,
      scrape.errors.length === 0 ? null : scrape.errors[0]!.code,
      latencyCell(scrape.timing.total),
      scrape.delivered?.content?.bytes.length ?? 0,
    );
  }

  /** All that was counted since the last time. */
  take(): StatCount[] {
    this.#enter(this.#minute);
    const taken: StatCount[] = [];
    for (const { minute, tallies } of this.#ended) {
      const all = new Tally();
      for (const [userId, tally] of tallies) {
        this.#spread(taken, minute, userId, tally);
        all.addAll(tally);
      }
      this.#spread(taken, minute, ALL, all);
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

  #spread(to: StatCount[], minute: number, user: string, tally: Tally): void {
    const userId = user === ALL ? null : user;
    for (const { seconds: step } of STAT_STEPS) {
      const at = Math.floor((minute * MINUTE_MS) / (step * 1000)) * step * 1000;
      const hosts = this.#namedOf(step, user, at);
      for (const { kind, name, count } of tally.counts((host) => nameIn(hosts, host)))
        to.push({ userId, step, at, kind, name, count });
    }
  }

  #namedOf(step: number, user: string, at: number): Set<string> {
    const byUser = getOrMake(this.#named, step, () => new Map<string, Named>());
    const named = getOrMake(byUser, user, () => ({ at, hosts: new Set<string>() }));
    if (named.at !== at) {
      named.at = at;
      named.hosts.clear();
    }
    return named.hosts;
  }
}

function nameIn(hosts: Set<string>, host: string): string {
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
