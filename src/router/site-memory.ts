import type { Step } from '../domain/scrape.ts';
import { scraperNamed } from '../domain/scrapers.ts';
import { POOLED_TYPES } from '../domain/task.ts';
import type { Evidence } from './belief.ts';
import { OBSERVATIONS } from './observations.ts';
import { ROUTES, type Route } from './routes.ts';
import type { SiteKey } from './site-key.ts';

const OBSERVATION_COUNT = OBSERVATIONS.length;

/** Evidence counts half after this time. Each further attempt by the same route multiplies it by `ATTEMPT_DECAY`. */
const HALF_LIFE_S = 24 * 3600;
const DECAY_RATE = Math.LN2 / HALF_LIFE_S;
const ATTEMPT_DECAY = 0.97;
/** Ages are applied in steps of this length; shorter ones would be lost by rounding. */
const AGE_STEP_S = 60;
/** The weight of one attempt in a cell. */
const UNIT = 32_768;
/** Room for the weight of 32 attempts. Older attempts are forgotten by then. */
const WEIGHT_BITS = 20;
const WEIGHT_MASK = (1 << WEIGHT_BITS) - 1;
/** Cells with less weight are removed. */
const FORGOTTEN = 0.02 * UNIT;
/** Changes of the defense that are kept of each kind of page. */
const MAX_DEFENSE_CHANGES = 10;
/** Bound of the traffic factor; the inverse is its lower bound. The size of a document says little about its subresources. */
const MAX_TRAFFIC_FACTOR = 4;

const decay = (seconds: number): number => (seconds <= 0 ? 1 : Math.exp(-DECAY_RATE * seconds));

/** From this second on, a kind of page was believed to have this defense. */
export interface DefenseChange {
  readonly at: number;
  /** A name of `DEFENSES`. */
  readonly defense: string;
}

/**
 * The observations of attempts at one kind of page. To save memory, each count is one small integer: `route ×
 * OBSERVATION_COUNT + observation` in the upper bits, the weight in the lower bits.
 */
export class AttemptHistory {
  /** The second up to which the weights are decayed. */
  decayedTo: number;
  cells: number[] = [];
  /** Number of recorded attempts. */
  attemptCount = 0;
  /** Alternately a route and the units of effort of a page by it; null: none was measured. */
  paid: number[] | null = null;
  /** Traffic of pages, as a multiple of the usual; null: none was observed. */
  trafficFactor: number | null = null;
  /** Units of effort that may be spent on probes. */
  probeBudget = 0;
  /** The second of the last probe. */
  probedAt = 0;
  /** Second and route of the last expected page. */
  lastPageAt = 0;
  lastPageRoute = -1;
  /** The defenses of this kind of page, the newest last. */
  defenseChanges: readonly DefenseChange[] = [];

  constructor(now: number) {
    this.decayedTo = now;
  }

  copy(): AttemptHistory {
    const copy = new AttemptHistory(this.decayedTo);
    copy.cells = [...this.cells];
    copy.attemptCount = this.attemptCount;
    copy.paid = this.paid === null ? null : [...this.paid];
    copy.trafficFactor = this.trafficFactor;
    copy.defenseChanges = this.defenseChanges;
    return copy;
  }

  /** Records that the page has this defense now, if it had another one before. */
  recordDefense(at: number, defense: string): void {
    if (this.defenseChanges.at(-1)?.defense === defense) return;
    this.defenseChanges = [...this.defenseChanges, { at, defense }].slice(-MAX_DEFENSE_CHANGES);
  }

  /** Adds the observations, decayed to `now`, to `evidence`. @param share factor on them: 1 for all; -1 subtracts them */
  addTo(evidence: Evidence, now: number, share: number): void {
    const factor = (decay(now - this.decayedTo) * share) / UNIT;
    for (const cell of this.cells) evidence[indexOf(cell)]! += (cell & WEIGHT_MASK) * factor;
  }

  /**
   * Adds one attempt.
   * @param keep factor on the earlier observations: less than 1 if the new one is a surprise
   * @param weight of the new one: less than 1 if something else than the site may be the reason
   */
  record(now: number, route: number, observation: number, { keep = 1, weight: added = 1 } = {}): void {
    const age = now - this.decayedTo;
    const ageFactor = age >= AGE_STEP_S ? decay(age) : 1;
    if (age >= AGE_STEP_S) this.decayedTo = now;
    const index = route * OBSERVATION_COUNT + observation;
    const cells: number[] = [];
    let found = false;
    for (const cell of this.cells) {
      const cellIndex = indexOf(cell);
      const sameRoute = Math.floor(cellIndex / OBSERVATION_COUNT) === route;
      let weight = (cell & WEIGHT_MASK) * ageFactor * keep * (sameRoute ? ATTEMPT_DECAY : 1);
      if (cellIndex === index) {
        found = true;
        weight += added * UNIT;
      } else if (weight < FORGOTTEN) continue;
      cells.push(cellOf(cellIndex, Math.min(WEIGHT_MASK, Math.round(weight))));
    }
    if (!found) cells.push(cellOf(index, Math.round(added * UNIT)));
    this.cells = cells;
    this.attemptCount = Math.min(this.attemptCount + 1, 65_535);
  }

  /** The measured effort of pages by a route, in units; null if there is none. */
  measuredEffortOf(route: number): number | null {
    if (this.paid === null) return null;
    for (let i = 0; i < this.paid.length; i += 2) if (this.paid[i] === route) return this.paid[i + 1]!;
    return null;
  }

  /** @param share weight of this effort against the earlier ones; the first one counts in full */
  recordEffort(route: number, units: number, share: number): void {
    this.paid ??= [];
    for (let i = 0; i < this.paid.length; i += 2) {
      if (this.paid[i] !== route) continue;
      this.paid[i + 1]! += share * (units - this.paid[i + 1]!);
      return;
    }
    this.paid.push(route, units);
  }

  /**
   * @param factor traffic of one page, as a multiple of the usual
   * @param share weight of this page against the earlier ones
   */
  recordTraffic(factor: number, share: number): void {
    const bounded = Math.min(MAX_TRAFFIC_FACTOR, Math.max(1 / MAX_TRAFFIC_FACTOR, factor));
    const earlier = this.trafficFactor;
    this.trafficFactor = earlier === null ? bounded : earlier + share * (bounded - earlier);
  }
}

/** The index in a cell: `route × OBSERVATION_COUNT + observation`. */
const indexOf = (cell: number): number => cell >>> WEIGHT_BITS;
const cellOf = (index: number, weight: number): number => (index << WEIGHT_BITS) | weight;

export interface SiteKnowledge {
  /** The attempts at all pages of the site. */
  readonly all: AttemptHistory;
  /** The only known kind of page, whose history is `all`; null: there are several. */
  only: string | null;
  /** Histories by kind of page; null: there is only one kind. */
  paths: Map<string, AttemptHistory> | null;
}

/**
 * Identifies the tables of routes and observations. Data stored with other tables is ignored, because its indexes differ. The
 * routes of vendors, whose indexes depend on the file of vendors, are stored with their names.
 */
export const TABLES_VERSION = `1 ${ROUTES.map(({ name }) => name).join(',')} ${OBSERVATIONS.join(',')}`;

/** An `AttemptHistory` in the database: `at` is `decayedTo`, `seen` is `attemptCount`, `weight` is `trafficFactor`. */
interface SerializedHistory {
  readonly at: number;
  readonly cells: readonly number[];
  readonly seen: number;
  readonly paid?: readonly number[];
  readonly weight?: number;
  /** `defenseChanges`, as pairs. */
  readonly defenses?: readonly (readonly [at: number, defense: string])[];
}

/** @param routes those that the indexes refer to */
export function serializeSite(
  { all, only, paths }: SiteKnowledge,
  routes: readonly Route[] = ROUTES,
): string {
  const byPattern =
    paths === null ? null : [...paths].map(([pattern, history]) => [pattern, serializeHistory(history)]);
  const vendors = routes.slice(ROUTES.length).map(({ name }) => name);
  return JSON.stringify({
    tables: TABLES_VERSION,
    ...(vendors.length > 0 && { vendors }),
    all: serializeHistory(all),
    only,
    paths: byPattern,
  });
}

const serializeHistory = ({
  decayedTo,
  cells,
  attemptCount,
  paid,
  trafficFactor,
  defenseChanges,
}: AttemptHistory): SerializedHistory => ({
  at: decayedTo,
  cells,
  seen: attemptCount,
  ...(paid === null ? null : { paid }),
  ...(trafficFactor === null ? null : { weight: trafficFactor }),
  ...(defenseChanges.length === 0
    ? null
    : { defenses: defenseChanges.map(({ at, defense }) => [at, defense] as const) }),
});

/**
 * Parses the result of `serializeSite`; null if it is invalid or belongs to other tables. What is known of vendors that are no
 * more configured is left out.
 * @param routes those that the indexes of the result refer to
 */
export function parseSite(text: string, routes: readonly Route[] = ROUTES): SiteKnowledge | null {
  let stored: Partial<Record<string, unknown>>;
  try {
    stored = JSON.parse(text);
  } catch {
    return null;
  }
  if (stored === null || typeof stored !== 'object' || stored.tables !== TABLES_VERSION) return null;
  const vendors = Array.isArray(stored.vendors) ? stored.vendors : [];
  const indexes = [
    ...ROUTES.keys(),
    ...vendors.map((name) => routes.findIndex((route) => route.name === name)),
  ];
  const all = parseHistory(stored.all, indexes);
  if (all === null) return null;
  if (typeof stored.only === 'string') return { all, only: stored.only, paths: null };
  if (!Array.isArray(stored.paths)) return null;
  const paths = new Map<string, AttemptHistory>();
  for (const [pattern, serialized] of stored.paths) {
    const history = parseHistory(serialized, indexes);
    if (history === null || typeof pattern !== 'string') return null;
    paths.set(pattern, history);
  }
  return { all, only: null, paths };
}

/** @param indexes of the routes, by those in the text; -1: there is no such route any more */
function parseHistory(value: unknown, indexes: readonly number[]): AttemptHistory | null {
  const {
    at,
    cells,
    seen,
    paid = [],
    weight = null,
    defenses = [],
  } = (value ?? {}) as Partial<SerializedHistory>;
  if (!Number.isFinite(at) || !Number.isSafeInteger(seen) || !areNumbers(cells) || !areNumbers(paid))
    return null;
  const cellCount = indexes.length * OBSERVATION_COUNT;
  if (!cells.every((cell) => Number.isSafeInteger(cell) && cell >= 0 && indexOf(cell) < cellCount))
    return null;
  const history = new AttemptHistory(at!);
  history.cells = cells.flatMap((cell) => {
    const route = indexes[Math.floor(indexOf(cell) / OBSERVATION_COUNT)]!;
    const observation = indexOf(cell) % OBSERVATION_COUNT;
    return route < 0 ? [] : [cellOf(route * OBSERVATION_COUNT + observation, cell & WEIGHT_MASK)];
  });
  history.attemptCount = seen!;
  for (let i = 0; i + 1 < paid.length; i += 2) {
    const route = indexes[paid[i]!] ?? -1;
    if (route >= 0) history.recordEffort(route, paid[i + 1]!, /* share */ 1);
  }
  if (Number.isFinite(weight) && weight! > 0) history.trafficFactor = weight;
  if (Array.isArray(defenses))
    for (const [since, defense] of defenses)
      if (Number.isFinite(since) && typeof defense === 'string') history.recordDefense(since, defense);
  return history;
}

const areNumbers = (value: unknown): value is readonly number[] =>
  Array.isArray(value) && value.every((member) => Number.isFinite(member));

export const serializePin = ({ scraper, proxyType }: Step): string => `${scraper}/${proxyType}`;

/** Parses the result of `serializePin`; null if this version has no such step. */
export function parsePin(text: string): Step | null {
  const [name = '', typeName] = text.split('/');
  const scraper = scraperNamed(name);
  const proxyType = POOLED_TYPES.find((type) => type === typeName);
  return scraper === null || proxyType === undefined ? null : { scraper, proxyType };
}

/** Factor on observations at other kinds of pages of the same site. */
const OTHER_PAGES_FACTOR = 0.4;
/** Limit of the weight of observations at other kinds of pages, in attempts, because the site may treat other pages differently. */
const MAX_OTHER_ATTEMPTS = 10;
const MAX_PATTERNS = 64;

/** The knowledge about sites. If there are too many, the least recently used ones are forgotten. */
export class SiteMemory {
  readonly #sites = new Map<string, SiteKnowledge>();
  readonly #maxSites: number;
  /** Names of the sites whose current state is not stored yet. */
  readonly #changed = new Set<string>();

  constructor(maxSites: number) {
    this.#maxSites = maxSites;
  }

  get size(): number {
    return this.#sites.size;
  }

  /**
   * Of each host, the site (`host` or `host:port`) with the most attempts; of several with as many, the one used last. Hosts
   * without a site are missing. Examines all sites.
   */
  mainSitesOf(hostnames: ReadonlySet<string>): ReadonlyMap<string, string> {
    const main = new Map<string, { readonly site: string; readonly attempts: number }>();
    for (const [site, { all }] of this.#sites) {
      const port = /:\d+$/.exec(site);
      const hostname = port === null ? site : site.slice(0, port.index);
      if (hostnames.has(hostname) && all.attemptCount >= (main.get(hostname)?.attempts ?? 0))
        main.set(hostname, { site, attempts: all.attemptCount });
    }
    return new Map([...main].map(([hostname, { site }]) => [hostname, site]));
  }

  /** The history of one kind of page; null if there is none. */
  historyOf({ site, pattern }: SiteKey): AttemptHistory | null {
    const knowledge = this.#sites.get(site);
    if (knowledge === undefined) return null;
    if (knowledge.only === pattern) return knowledge.all;
    return knowledge.paths?.get(pattern) ?? null;
  }

  /** The measured effort of a page by a route, for this kind of page or else for the site; null if there is none. */
  measuredEffortOf(key: SiteKey, route: number): number | null {
    return (
      this.historyOf(key)?.measuredEffortOf(route) ??
      this.#sites.get(key.site)?.all.measuredEffortOf(route) ??
      null
    );
  }

  /** The observed traffic of pages as a multiple of the usual, of this kind of page or else of the site; null: none observed. */
  trafficFactorOf(key: SiteKey): number | null {
    return this.historyOf(key)?.trafficFactor ?? this.#sites.get(key.site)?.all.trafficFactor ?? null;
  }

  /**
   * Fills empty evidence with the observations at this kind of page, and with less weight those at other pages of the site.
   * @returns the number of recorded attempts at this kind of page
   */
  addTo(evidence: Evidence, key: SiteKey, now: number): number {
    const knowledge = this.#sites.get(key.site);
    if (knowledge === undefined) return 0;
    if (knowledge.only === key.pattern) {
      knowledge.all.addTo(evidence, now, 1);
      return knowledge.all.attemptCount;
    }
    knowledge.all.addTo(evidence, now, 1);
    const ofPage = knowledge.paths?.get(key.pattern);
    // Subtracted (share -1), because the history of the site includes this page.
    ofPage?.addTo(evidence, now, -1);
    let others = 0;
    for (let cell = 0; cell < evidence.length; cell++)
      others += evidence[cell] = Math.max(0, evidence[cell]!);
    const factor = OTHER_PAGES_FACTOR * Math.min(1, MAX_OTHER_ATTEMPTS / others);
    if (others > 0) for (let cell = 0; cell < evidence.length; cell++) evidence[cell]! *= factor;
    if (ofPage === undefined) return 0;
    ofPage.addTo(evidence, now, 1);
    return ofPage.attemptCount;
  }

  /** Adds the observations at all pages of a site to the evidence. @returns false: nothing is known of the site */
  addSiteTo(evidence: Evidence, site: string, now: number): boolean {
    const knowledge = this.#sites.get(site);
    knowledge?.all.addTo(evidence, now, 1);
    return knowledge !== undefined;
  }

  /**
   * The histories in which an attempt at this kind of page must be recorded: that of the kind of page, then that of the site.
   * They are created if they do not exist.
   */
  historiesFor({ site, pattern }: SiteKey, now: number): readonly AttemptHistory[] {
    this.#changed.add(site);
    let knowledge = this.#sites.get(site);
    if (knowledge === undefined) {
      knowledge = { all: new AttemptHistory(now), only: pattern, paths: null };
      this.#sites.set(site, knowledge);
      if (this.#sites.size > this.#maxSites) this.#forgetOldest();
      return [knowledge.all];
    }
    // The most recently used site comes last.
    this.#sites.delete(site);
    this.#sites.set(site, knowledge);
    if (knowledge.only === pattern) return [knowledge.all];
    if (knowledge.paths === null) {
      knowledge.paths = new Map([[knowledge.only!, knowledge.all.copy()]]);
      knowledge.only = null;
    }
    let ofPage = knowledge.paths.get(pattern);
    if (ofPage === undefined) {
      if (knowledge.paths.size >= MAX_PATTERNS) return [knowledge.all];
      ofPage = new AttemptHistory(now);
      knowledge.paths.set(pattern, ofPage);
    }
    return [ofPage, knowledge.all];
  }

  /** The known kinds of pages of a site; null if the site is not known. */
  patterns(site: string): readonly string[] | null {
    const knowledge = this.#sites.get(site);
    if (knowledge === undefined) return null;
    return knowledge.only !== null ? [knowledge.only] : [...knowledge.paths!.keys()];
  }

  forget(site: string): boolean {
    this.#changed.delete(site);
    return this.#sites.delete(site);
  }

  /** Adds stored sites. @param stored the most recently used first; all are older than the sites learned since the start */
  restore(stored: readonly (readonly [name: string, site: SiteKnowledge])[]): void {
    const learnedSinceStart = [...this.#sites];
    this.#sites.clear();
    const free = Math.max(0, this.#maxSites - learnedSinceStart.length);
    for (const [name, site] of stored.slice(0, free).toReversed()) this.#sites.set(name, site);
    for (const [name, site] of learnedSinceStart) {
      this.#sites.delete(name);
      this.#sites.set(name, site);
    }
  }

  /** Returns at most `limit` sites that have changed since the last call that returned them. */
  takeChanged(limit: number): (readonly [name: string, site: SiteKnowledge])[] {
    const changed: (readonly [string, SiteKnowledge])[] = [];
    for (const name of this.#changed) {
      if (changed.length === limit) break;
      this.#changed.delete(name);
      const site = this.#sites.get(name);
      if (site !== undefined) changed.push([name, site]);
    }
    return changed;
  }

  /** Runs `work`, which changes this site, but does not mark the site as changed: somebody else stores the change. */
  withoutMarking(site: string, work: () => void): void {
    const wasChanged = this.#changed.has(site);
    work();
    if (!wasChanged) this.#changed.delete(site);
  }

  /** Marks sites as changed again, because they could not be stored. */
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
