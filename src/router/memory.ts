import type { Evidence } from './belief.ts';
import { Known } from './known.ts';
import type { SiteKey } from './site-key.ts';
import type { Site } from './site-text.ts';

/** What is known of other pages of a site counts so much for one of which less is known. */
const POOLED = 0.4;
/** Other kinds of pages together count at most as so many attempts: they may be treated otherwise, however many they are. */
const OTHERS_MOST = 10;
const PATTERNS_MOST = 64;

/** What is known of sites: the least recently used are forgotten when there are too many. */
export class Memory {
  readonly #sites = new Map<string, Site>();
  readonly #most: number;
  /** Not stored yet as they are now. */
  readonly #changed = new Set<string>();

  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#sites.size;
  }

  /** The site of a host name, on whatever port, that was used last; null: there is none. Looks at all of them. */
  lastOf(hostname: string): string | null {
    let last: string | null = null;
    for (const site of this.#sites.keys())
      if (site.startsWith(hostname) && site[hostname.length] === ':') last = site;
    return last;
  }

  /** Of one kind of page; null: nothing. */
  path({ site, pattern }: SiteKey): Known | null {
    const known = this.#sites.get(site);
    if (known === undefined) return null;
    if (known.only === pattern) return known.all;
    return known.paths?.get(pattern) ?? null;
  }

  /** Units that a page by a way took, of this kind or else of the site; null: none did. */
  costOf(key: SiteKey, way: number): number | null {
    return this.path(key)?.costOf(way) ?? this.#sites.get(key.site)?.all.costOf(way) ?? null;
  }

  /** How much pages weigh, of this kind or else of the site; null: nobody knows. */
  weightOf(key: SiteKey): number | null {
    return this.path(key)?.weight ?? this.#sites.get(key.site)?.all.weight ?? null;
  }

  /**
   * Writes what is known of this kind of page and, less, of the rest of the site into `evidence`, which is empty. Gives how
   * often the page was seen.
   */
  addTo(evidence: Evidence, key: SiteKey, now: number): number {
    const known = this.#sites.get(key.site);
    if (known === undefined) return 0;
    if (known.only === key.pattern) {
      known.all.addTo(evidence, now, 1);
      return known.all.seen;
    }
    known.all.addTo(evidence, now, 1);
    const own = known.paths?.get(key.pattern);
    // It is a part of the whole.
    own?.addTo(evidence, now, -1);
    let others = 0;
    for (let at = 0; at < evidence.length; at++) others += evidence[at] = Math.max(0, evidence[at]!);
    const share = POOLED * Math.min(1, OTHERS_MOST / others);
    if (others > 0) for (let at = 0; at < evidence.length; at++) evidence[at]! *= share;
    if (own === undefined) return 0;
    own.addTo(evidence, now, 1);
    return own.seen;
  }

  /** The records that an attempt at this kind of page is noted in; made when there are none. */
  toNote({ site, pattern }: SiteKey, now: number): readonly Known[] {
    this.#changed.add(site);
    let known = this.#sites.get(site);
    if (known === undefined) {
      known = { all: new Known(now), only: pattern, paths: null };
      this.#sites.set(site, known);
      if (this.#sites.size > this.#most) this.#forgetOldest();
      return [known.all];
    }
    // Lately used is last.
    this.#sites.delete(site);
    this.#sites.set(site, known);
    if (known.only === pattern) return [known.all];
    if (known.paths === null) {
      known.paths = new Map([[known.only!, known.all.copy()]]);
      known.only = null;
    }
    let own = known.paths.get(pattern);
    if (own === undefined) {
      if (known.paths.size >= PATTERNS_MOST) return [known.all];
      own = new Known(now);
      known.paths.set(pattern, own);
    }
    return [own, known.all];
  }

  /** The kinds of pages of a site of which something is known; null: the site is not. */
  patterns(site: string): readonly string[] | null {
    const known = this.#sites.get(site);
    if (known === undefined) return null;
    return known.only !== null ? [known.only] : [...known.paths!.keys()];
  }

  forget(site: string): boolean {
    this.#changed.delete(site);
    return this.#sites.delete(site);
  }

  /** What was kept, lately used first; what has been learned since the start is newer than all of it. */
  restore(kept: readonly (readonly [name: string, site: Site])[]): void {
    const since = [...this.#sites];
    this.#sites.clear();
    const room = Math.max(0, this.#most - since.length);
    for (const [name, site] of kept.slice(0, room).toReversed()) this.#sites.set(name, site);
    for (const [name, site] of since) {
      this.#sites.delete(name);
      this.#sites.set(name, site);
    }
  }

  /** At most `limit` sites that changed since they were taken. */
  takeChanged(limit: number): (readonly [name: string, site: Site])[] {
    const taken: (readonly [string, Site])[] = [];
    for (const name of this.#changed) {
      if (taken.length === limit) break;
      this.#changed.delete(name);
      const site = this.#sites.get(name);
      if (site !== undefined) taken.push([name, site]);
    }
    return taken;
  }

  /** What was taken could not be stored. */
  stillChanged(names: readonly string[]): void {
    for (const name of names) if (this.#sites.has(name)) this.#changed.add(name);
  }

  #forgetOldest(): void {
    for (const site of this.#sites.keys()) {
      this.#sites.delete(site);
      this.#changed.delete(site);
      return;
    }
  }
}
