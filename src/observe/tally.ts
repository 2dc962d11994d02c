import type { FailureCode } from '../domain/failure.ts';
import type { Outcome } from '../domain/scrape.ts';
import { OTHER_HOSTS, type StatCount, type StatKind } from '../domain/stats.ts';

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
export class Tally {
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
    raise(this.#outcomes, outcome, 1);
    if (error !== null) raise(this.#errors, error, 1);
    this.#bytes += bytes;
    // A dry run fetches nothing.
    if (outcome === 'planned') return;
    raise(this.#latency, cell, 1);
    this.#addHost(HOST_KIND_OF[outcome] ?? 'host_other', host, 1);
  }

  addAll(other: Tally): void {
    for (const [outcome, count] of other.#outcomes) raise(this.#outcomes, outcome, count);
    for (const [code, count] of other.#errors) raise(this.#errors, code, count);
    for (const [cell, count] of other.#latency) raise(this.#latency, cell, count);
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
      for (const [host, count] of this.#hosts[kind]) raise(byName, named(host), count);
      all(kind, byName);
    }
    return counts;
  }

  #addHost(kind: HostKind, host: string, count: number): void {
    const hosts = this.#hosts[kind];
    const known = hosts.get(host);
    if (known !== undefined) hosts.set(host, known + count);
    else if (hosts.size < MOST_HOSTS) hosts.set(host, count);
    else raise(hosts, OTHER_HOSTS, count);
  }
}

function raise<K>(counts: Map<K, number>, key: K, by: number): void {
  counts.set(key, (counts.get(key) ?? 0) + by);
}
