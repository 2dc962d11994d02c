import { POOLED_TYPES } from '../domain/job.ts';
import type { Step } from '../domain/scrape.ts';
import { SCRAPER_NAMES } from '../domain/scrapers.ts';
import type { Evidence } from './belief.ts';
import { OBSERVATIONS } from './observations.ts';
import { ROUTES } from './routes.ts';
import type { SiteKey } from './site-key.ts';

const S = OBSERVATIONS.length;

/** What is known is worth half after this time, and 97 hundredths of it after each further attempt by a way. */
const HALF_LIFE_S = 24 * 3600;
const DECAY_RATE = Math.LN2 / HALF_LIFE_S;
const ATTEMPT_DECAY = 0.97;
/** Ages are applied in such steps: smaller ones would be lost in rounding. */
const STEP_S = 60;
/** A weight in a cell is counted in this fraction of one attempt. */
const UNIT = 32_768;
const WEIGHT_BITS = 20;
const WEIGHT_MASK = (1 << WEIGHT_BITS) - 1;
const FORGOTTEN = 0.02 * UNIT;
/** What a document weighs does not tell everything of what a page loads with it: no more than this is concluded. */
const WEIGHT_MOST = 4;

const decay = (seconds: number): number => (seconds <= 0 ? 1 : Math.exp(-DECAY_RATE * seconds));

/**
 * What attempts at one target have shown: few counts, each in one small integer (`way × signs + sign` above, weight
 * below), so that many targets find room.
 */
export class AttemptHistory {
  /** Second to which the weights have been aged. */
  at: number;
  cells: number[] = [];
  /** Attempts noted; for how new the target is. */
  seen = 0;
  /** Way and units that its pages were paid with, by turns; null: as estimated. */
  paid: number[] | null = null;
  /** How much pages weigh here beside those of other targets; null: none was paid by its weight. */
  weight: number | null = null;
  /** Units that may be spent on probes, and the second of the last one. */
  probeBudget = 0;
  probedAt = 0;
  /** Second and way of the last page that came as expected. */
  lastPageAt = 0;
  lastPageRoute = -1;

  constructor(now: number) {
    this.at = now;
  }

  copy(): AttemptHistory {
    const copy = new AttemptHistory(this.at);
    copy.cells = [...this.cells];
    copy.seen = this.seen;
    copy.paid = this.paid === null ? null : [...this.paid];
    copy.weight = this.weight;
    return copy;
  }

  /** Of a cell: way × signs + sign. */
  cellIndex(cell: number): number {
    return cell >>> WEIGHT_BITS;
  }

  /** Adds what is known, aged to `now`, `share` of it. */
  addTo(evidence: Evidence, now: number, share: number): void {
    const factor = (decay(now - this.at) * share) / UNIT;
    for (const cell of this.cells) evidence[cell >>> WEIGHT_BITS]! += (cell & WEIGHT_MASK) * factor;
  }

  /** One attempt more. `keep` below 1: it was a surprise, and what was known counts for that much less. */
  record(now: number, way: number, sign: number, keep: number): void {
    const age = now - this.at;
    const aged = age >= STEP_S ? decay(age) : 1;
    if (age >= STEP_S) this.at = now;
    const cells: number[] = [];
    let found = false;
    for (const cell of this.cells) {
      const code = cell >>> WEIGHT_BITS;
      const mine = Math.floor(code / S) === way;
      let weight = (cell & WEIGHT_MASK) * aged * keep * (mine ? ATTEMPT_DECAY : 1);
      if (code === way * S + sign) {
        found = true;
        weight += UNIT;
      } else if (weight < FORGOTTEN) continue;
      cells.push((code << WEIGHT_BITS) | Math.min(WEIGHT_MASK, Math.round(weight)));
    }
    if (!found) cells.push(((way * S + sign) << WEIGHT_BITS) | UNIT);
    this.cells = cells;
    this.seen = Math.min(this.seen + 1, 65_535);
  }

  /** What pages by a way have cost here lately; null: as estimated. */
  costOf(way: number): number | null {
    if (this.paid === null) return null;
    for (let i = 0; i < this.paid.length; i += 2) if (this.paid[i] === way) return this.paid[i + 1]!;
    return null;
  }

  /** `step`: how much the last price counts. The first one counts in full: estimates are worse. */
  notePaid(way: number, units: number, step: number): void {
    this.paid ??= [];
    for (let i = 0; i < this.paid.length; i += 2) {
      if (this.paid[i] !== way) continue;
      this.paid[i + 1]! += step * (units - this.paid[i + 1]!);
      return;
    }
    this.paid.push(way, units);
  }

  /** The weight of one page, as a multiple of the usual. */
  noteWeight(weight: number, step: number): void {
    const bounded = Math.min(WEIGHT_MOST, Math.max(1 / WEIGHT_MOST, weight));
    this.weight = this.weight === null ? bounded : this.weight + step * (bounded - this.weight);
  }
}

/** What is remembered of a site. */
export interface SiteKnowledge {
  readonly all: AttemptHistory;
  /** The only kind of page that was seen; it is known by `all`. Null: there are several. */
  only: string | null;
  paths: Map<string, AttemptHistory> | null;
}

/** Places of ways and signs mean something only in these tables: what was kept by others is not read. */
export const TABLES_VERSION = `1 ${ROUTES.map(({ name }) => name).join(',')} ${OBSERVATIONS.join(',')}`;

interface SerializedHistory {
  readonly at: number;
  readonly cells: readonly number[];
  readonly seen: number;
  readonly paid?: readonly number[];
  readonly weight?: number;
}

/** As JSON, to be kept. */
export function serializeSite({ all, only, paths }: SiteKnowledge): string {
  const others =
    paths === null ? null : [...paths].map(([pattern, known]) => [pattern, serializeHistory(known)]);
  return JSON.stringify({ tables: TABLES_VERSION, all: serializeHistory(all), only, paths: others });
}

const serializeHistory = ({ at, cells, seen, paid, weight }: AttemptHistory): SerializedHistory => ({
  at,
  cells,
  seen,
  ...(paid === null ? null : { paid }),
  ...(weight === null ? null : { weight }),
});

/** What `siteText` gave; null: it is of other tables, or nothing that can be read. */
export function parseSite(text: string): SiteKnowledge | null {
  let given: Partial<Record<string, unknown>>;
  try {
    given = JSON.parse(text);
  } catch {
    return null;
  }
  if (given === null || typeof given !== 'object' || given.tables !== TABLES_VERSION) return null;
  const all = parseHistory(given.all);
  if (all === null) return null;
  if (typeof given.only === 'string') return { all, only: given.only, paths: null };
  if (!Array.isArray(given.paths)) return null;
  const paths = new Map<string, AttemptHistory>();
  for (const [pattern, one] of given.paths) {
    const known = parseHistory(one);
    if (known === null || typeof pattern !== 'string') return null;
    paths.set(pattern, known);
  }
  return { all, only: null, paths };
}

const CELLS = ROUTES.length * OBSERVATIONS.length;

function parseHistory(given: unknown): AttemptHistory | null {
  const { at, cells, seen, paid = [], weight = null } = (given ?? {}) as Partial<SerializedHistory>;
  if (!Number.isFinite(at) || !Number.isSafeInteger(seen) || !areNumbers(cells) || !areNumbers(paid))
    return null;
  const known = new AttemptHistory(at!);
  if (!cells.every((cell) => Number.isSafeInteger(cell) && cell >= 0 && known.cellIndex(cell) < CELLS))
    return null;
  known.cells = [...cells];
  known.seen = seen!;
  known.paid = paid.length === 0 ? null : [...paid];
  if (Number.isFinite(weight) && weight! > 0) known.weight = weight;
  return known;
}

const areNumbers = (given: unknown): given is readonly number[] =>
  Array.isArray(given) && given.every((one) => Number.isFinite(one));

/** As text, to be kept. */
export const serializePin = ({ scraper, proxyType }: Step): string => `${scraper}/${proxyType}`;

/** What `pinText` gave; null: no step of this version. */
export function parsePin(text: string): Step | null {
  const [name, type] = text.split('/');
  const scraper = SCRAPER_NAMES.find((one) => one === name);
  const proxyType = POOLED_TYPES.find((one) => one === type);
  return scraper === undefined || proxyType === undefined ? null : { scraper, proxyType };
}

/** What is known of other pages of a site counts so much for one of which less is known. */
const POOLED = 0.4;
/** Other kinds of pages together count at most as so many attempts: they may be treated otherwise, however many they are. */
const OTHERS_MOST = 10;
const PATTERNS_MOST = 64;

/** What is known of sites: the least recently used are forgotten when there are too many. */
export class SiteMemory {
  readonly #sites = new Map<string, SiteKnowledge>();
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
  latestSiteOf(hostname: string): string | null {
    let last: string | null = null;
    for (const site of this.#sites.keys())
      if (site.startsWith(hostname) && site[hostname.length] === ':') last = site;
    return last;
  }

  /** Of one kind of page; null: nothing. */
  historyOf({ site, pattern }: SiteKey): AttemptHistory | null {
    const known = this.#sites.get(site);
    if (known === undefined) return null;
    if (known.only === pattern) return known.all;
    return known.paths?.get(pattern) ?? null;
  }

  /** Units that a page by a way took, of this kind or else of the site; null: none did. */
  costOf(key: SiteKey, way: number): number | null {
    return this.historyOf(key)?.costOf(way) ?? this.#sites.get(key.site)?.all.costOf(way) ?? null;
  }

  /** How much pages weigh, of this kind or else of the site; null: nobody knows. */
  weightOf(key: SiteKey): number | null {
    return this.historyOf(key)?.weight ?? this.#sites.get(key.site)?.all.weight ?? null;
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
  historiesFor({ site, pattern }: SiteKey, now: number): readonly AttemptHistory[] {
    this.#changed.add(site);
    let known = this.#sites.get(site);
    if (known === undefined) {
      known = { all: new AttemptHistory(now), only: pattern, paths: null };
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
      own = new AttemptHistory(now);
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
  restore(kept: readonly (readonly [name: string, site: SiteKnowledge])[]): void {
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
  takeChanged(limit: number): (readonly [name: string, site: SiteKnowledge])[] {
    const taken: (readonly [string, SiteKnowledge])[] = [];
    for (const name of this.#changed) {
      if (taken.length === limit) break;
      this.#changed.delete(name);
      const site = this.#sites.get(name);
      if (site !== undefined) taken.push([name, site]);
    }
    return taken;
  }

  /** What was taken could not be stored. */
  markChanged(names: readonly string[]): void {
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
