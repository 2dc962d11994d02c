import type { Step } from '../domain/scrape.ts';
import {
  attemptsBy,
  cleared,
  type Evidence,
  emptyEvidence,
  posterior,
  successProbability,
} from './belief.ts';
import { DEFENSES } from './defenses.ts';
import { BANNED, BLOCK, CAPTCHA, CHALLENGE, OBSERVATIONS, OK } from './observations.ts';
import { Population } from './population.ts';
import type { Route } from './routes.ts';
import type { SiteKey } from './site-key.ts';
import { type AttemptHistory, SiteMemory } from './site-memory.ts';
import { VendorHealth } from './vendor-health.ts';

/** An observation with a lower probability shows that the site has changed. */
const SURPRISE = 0.08;
/** Factor on all earlier evidence after a surprise. */
const SURPRISE_KEEP = 0.3;
/** Weight of the latest measured effort against the earlier ones. */
const EFFORT_WEIGHT = 0.5;
/** A page was expected if P(page) was at least this. */
const EXPECTED = 0.9;
/** A defense counts as that of the page if it is believed with this probability. In between, the last one counts. */
const SURE_DEFENSE = 0.7;
/** Assumed factor on the remaining units if an attempt exceeded them. */
const EFFORT_INCREASE = 1.1;
/** A vendor with less of its usual P(page) is on trial. */
const DOUBTFUL = 0.6;
/** Shortest time between attempts by a vendor that hardly works. */
const TRIAL_INTERVAL_S = 60;
const MAX_SITES = 200_000;
/** Weight of an attempt that is a day old. */
const RECENT = 0.5;
/** A site that refuses more is one that refuses visitors. One that has begun to is noticed after a page or two. */
const PAGES_PER_REFUSAL = 3;
export const NO_ROUTES: ReadonlySet<number> = new Set();

function pagesAndRefusals(evidence: Evidence, route: number): readonly [pages: number, refusals: number] {
  const of = (observation: number) => evidence[route * OBSERVATIONS.length + observation]!;
  return [of(OK), of(CHALLENGE) + of(CAPTCHA) + of(BLOCK) + of(BANNED)];
}

/** What an attempt by a route has shown. */
export interface RouteObservation {
  /** Index in the routes of the experience. */
  readonly route: number;
  /** Index in `OBSERVATIONS`. */
  readonly observation: number;
}

/** A change of the experience. `at` is in seconds. */
export type ExperienceChange =
  | {
      readonly kind: 'attempt';
      readonly key: SiteKey;
      readonly at: number;
      readonly shown: RouteObservation;
      /** Units; null: not known. */
      readonly effort: number | null;
    }
  | {
      readonly kind: 'effort_exceeded';
      readonly key: SiteKey;
      readonly at: number;
      readonly route: number;
      readonly units: number;
    }
  | { readonly kind: 'vendor_failure'; readonly key: SiteKey; readonly at: number; readonly route: number }
  | { readonly kind: 'forget'; readonly site: string }
  /** null: the pin was removed. */
  | { readonly kind: 'pin'; readonly site: string; readonly step: Step | null };

/** What is believed about one kind of page at one moment. */
export interface Outlook {
  readonly routes: readonly Route[];
  /** P(defense). */
  readonly belief: Float64Array;
  readonly evidence: Evidence;
  /** Number of recorded attempts at this kind of page. */
  readonly attemptCount: number;
  /** P(page) by a route. */
  success(route: number): number;
  /** Estimated units of effort for a page by this route. */
  effort(route: number): number;
  /** Whether the estimate is based on pages of this site. */
  isMeasured(route: number): boolean;
  /** Number of attempts by this route that still count, with their decayed weights. */
  attempts(route: number): number;
}

/** The knowledge about sites, and the conclusions from it. Times are in seconds. */
export class Experience {
  readonly population: Population;
  readonly memory: SiteMemory;
  /** Of the vendors that were used since the start, by route. Not stored: it is about minutes. */
  readonly #health = new Map<number, VendorHealth>();
  /** What `openRoutes` counts in, each time anew: at each scrape, two new arrays would take longer than the counting. */
  #ofSite = emptyEvidence(0);
  #ofPage = emptyEvidence(0);
  /** The first steps of `auto` that administrators have pinned, by site. */
  readonly pins = new Map<string, Step>();
  /** Is told each change that was made here, but none that `apply` makes. */
  onChange: ((change: ExperienceChange) => void) | null = null;
  /** Is told what `apply` has changed. */
  onApplied: ((key: SiteKey) => void) | null = null;
  /** Asks to share the changes made here at once, because other replicas wait for them; null: there are none. */
  shareSoon: (() => void) | null = null;

  constructor(routes: readonly Route[], maxSites = MAX_SITES) {
    this.population = new Population(routes);
    this.memory = new SiteMemory(maxSites);
  }

  /** They begin with those that it was made with, and never change their places. */
  get routes(): readonly Route[] {
    return this.population.routes;
  }

  /** Adds routes of vendors. What the operator changed of those that are known already, such as the price, is taken over. */
  addRoutes(routes: readonly Route[]): void {
    this.population.addRoutes(routes);
  }

  /** @param ofThisScrape observations by earlier attempts of the same scrape, which count in full */
  outlook(key: SiteKey, now: number, ofThisScrape: readonly RouteObservation[]): Outlook {
    const { population, memory } = this;
    const evidence = emptyEvidence(population.routes.length);
    const attemptCount = memory.addTo(evidence, key, now);
    for (const { route, observation } of ofThisScrape)
      evidence[route * OBSERVATIONS.length + observation]! += 1;
    const belief = posterior(population, evidence);
    return {
      routes: population.routes,
      belief,
      evidence,
      attemptCount,
      success: (route) =>
        successProbability(population, belief, evidence, route) * this.#healthFactor(route, now),
      effort: (route) => this.#effort(key, belief, route),
      isMeasured: (route) =>
        population.routes[route]!.hasFixedPrice === true ||
        memory.measuredEffortOf(key, route) !== null ||
        (population.routes[route]!.byBytes === true && memory.trafficFactorOf(key) !== null),
      attempts: (route) => attemptsBy(route, evidence),
    };
  }

  /**
   * Routes by which the site has given pages within about a day, and refused few: a refusal of one more page is rather about the page.
   * Not those that this kind of page has refused, and given nothing.
   */
  openRoutes(key: SiteKey, now: number): ReadonlySet<number> {
    const { memory, population } = this;
    this.#ofSite = cleared(this.#ofSite, population.routes.length);
    this.#ofPage = cleared(this.#ofPage, population.routes.length);
    const ofSite = this.#ofSite;
    const ofPage = this.#ofPage;
    if (!memory.addSiteTo(ofSite, key.site, now)) return NO_ROUTES;
    memory.historyOf(key)?.addTo(ofPage, now, 1);
    const open = new Set<number>();
    for (const route of population.routes.keys()) {
      const [pages, refusals] = pagesAndRefusals(ofSite, route);
      const [pagesOfKind, refusalsOfKind] = pagesAndRefusals(ofPage, route);
      const refusesKind = refusalsOfKind >= RECENT && pagesOfKind < RECENT;
      if (pages >= RECENT + PAGES_PER_REFUSAL * refusals && !refusesKind) open.add(route);
    }
    return open;
  }

  /** Records an attempt that has ended. @param effort units that the attempt took; null: not known */
  record(key: SiteKey, now: number, shown: RouteObservation, effort: number | null): void {
    this.onChange?.({ kind: 'attempt', key, at: now, shown, effort });
    this.#record(key, now, shown, effort, /* learnsPopulation */ true);
  }

  /** Records that a vendor itself failed: it was down or throttled, or did not answer. That shows nothing about the site. */
  recordVendorFailure(key: SiteKey, now: number, route: number): void {
    this.onChange?.({ kind: 'vendor_failure', key, at: now, route });
    this.#recordHealth(key, now, route, false);
  }

  /** Records that an attempt was ended because the page takes more than the `units` that were left. */
  recordEffortExceeded(key: SiteKey, now: number, route: number, units: number): void {
    this.onChange?.({ kind: 'effort_exceeded', key, at: now, route, units });
    this.#recordEffortExceeded(key, now, route, units);
  }

  /** @returns false: nothing was known about the site */
  forget(site: string): boolean {
    this.onChange?.({ kind: 'forget', site });
    return this.memory.forget(site);
  }

  /** Pins the first step of `auto` at a site. null: removes the pin. */
  pin(site: string, step: Step | null): void {
    this.onChange?.({ kind: 'pin', site, step });
    this.#pin(site, step);
  }

  /**
   * Makes a change that was made on another replica, which also stores it.
   * @param learnsPopulation false: the population includes the change already
   */
  apply(change: ExperienceChange, learnsPopulation: boolean): void {
    if (change.kind === 'forget') this.memory.forget(change.site);
    else if (change.kind === 'pin') this.#pin(change.site, change.step);
    else {
      const { key, at } = change;
      this.memory.withoutMarking(key.site, () => {
        if (change.kind === 'attempt') this.#record(key, at, change.shown, change.effort, learnsPopulation);
        else if (change.kind === 'effort_exceeded')
          this.#recordEffortExceeded(key, at, change.route, change.units);
        else this.#recordHealth(key, at, change.route, false);
      });
      this.onApplied?.(key);
    }
  }

  #pin(site: string, step: Step | null): void {
    if (step === null) this.pins.delete(site);
    else this.pins.set(site, step);
  }

  /**
   * Whether a vendor fails more than usual, so that only single attempts find out whether it works again; one that hardly works is tried
   * once a minute.
   * @param isRunning whether an attempt by it runs
   */
  isOnTrial(route: number, now: number, { isRunning }: { readonly isRunning: boolean }): boolean {
    const health = this.#health.get(route);
    if (health === undefined || health.factor(now) > DOUBTFUL) return false;
    return isRunning || (health.isOut(now) && now - health.at < TRIAL_INTERVAL_S);
  }

  /** The factor on P(page) by a route, because of the health of its vendor. */
  #healthFactor(route: number, now: number): number {
    return this.#health.get(route)?.factor(now) ?? 1;
  }

  /** @returns the factor on P(page) after the attempt */
  #recordHealth(key: SiteKey, now: number, route: number, isPage: boolean): number {
    const { population } = this;
    if (population.routes[route]!.vendor !== true) return 1;
    const { belief, evidence } = this.outlook(key, now, []);
    const health = this.#health.get(route) ?? new VendorHealth();
    this.#health.set(route, health);
    health.record(now, successProbability(population, belief, evidence, route), isPage);
    return health.factor(now);
  }

  #record(
    key: SiteKey,
    now: number,
    { route, observation }: RouteObservation,
    effort: number | null,
    learnsPopulation: boolean,
  ): void {
    const { population, memory } = this;
    const nowSecond = Math.floor(now);
    const pageHistory = memory.historyOf(key);
    if (
      observation === OK &&
      pageHistory !== null &&
      pageHistory.lastPageAt === nowSecond &&
      pageHistory.lastPageRoute === route
    ) {
      // Of several expected pages in the same second, only the first one is learned from.
      for (const history of memory.historiesFor(key, now)) history.record(now, route, observation);
      return;
    }
    /** A failure of a vendor that fails everywhere hardly shows anything about this site. */
    const health = this.#recordHealth(key, now, route, observation === OK);
    const weight = observation === OK ? 1 : health;
    const mayBeVendor = population.routes[route]!.vendor === true && observation !== OK;
    const before = this.outlook(key, now, []);
    const success = before.success(route);
    /** Factor on the earlier evidence. */
    const keep = (observation === OK ? success : 1 - success) < SURPRISE && !mayBeVendor ? SURPRISE_KEEP : 1;
    const histories = memory.historiesFor(key, now);
    for (const history of histories) history.record(now, route, observation, { keep, weight });
    if (observation === OK && success >= EXPECTED) {
      histories[0]!.lastPageAt = nowSecond;
      histories[0]!.lastPageRoute = route;
    }
    const after = this.outlook(key, now, []);
    const defense = after.belief.indexOf(Math.max(...after.belief));
    if (after.belief[defense]! >= SURE_DEFENSE)
      histories[0]!.recordDefense(nowSecond, DEFENSES[defense]!.name);
    if (observation === OK && effort !== null)
      this.#recordEffort(histories, route, effort, after, learnsPopulation);
    if (!learnsPopulation) return;
    population.learn({
      route,
      observation,
      before: before.belief,
      after: after.belief,
      weight,
      attemptCount: histories[0]!.attemptCount,
      attemptsByRoute: before.attempts(route),
    });
  }

  #recordEffortExceeded(key: SiteKey, now: number, route: number, units: number): void {
    const effort = Math.max(this.outlook(key, now, []).effort(route), units * EFFORT_INCREASE);
    for (const history of this.memory.historiesFor(key, now))
      history.recordEffort(route, effort / this.#effortUnit(route), /* share */ 1);
  }

  /**
   * The estimate is based on pages of this site; or else on the traffic of its pages, if it determines the effort; or else
   * on the effort at similar sites.
   */
  #effort(key: SiteKey, belief: Float64Array, route: number): number {
    const measured = this.memory.measuredEffortOf(key, route);
    if (measured !== null) return measured * this.#effortUnit(route);
    const { effort, byBytes } = this.population.routes[route]!;
    return (
      effort *
      (byBytes ? (this.memory.trafficFactorOf(key) ?? 1) : this.population.effortFactor(belief, route))
    );
  }

  /** What measured efforts are stored in: those of vendors as multiples of the price, which the operator may change. */
  #effortUnit(route: number): number {
    const { vendor, effort } = this.population.routes[route]!;
    return vendor === true ? effort : 1;
  }

  #recordEffort(
    histories: readonly AttemptHistory[],
    route: number,
    measured: number,
    { belief }: Outlook,
    learnsPopulation: boolean,
  ): void {
    const { effort, byBytes } = this.population.routes[route]!;
    for (const history of histories) {
      history.recordEffort(route, measured / this.#effortUnit(route), EFFORT_WEIGHT);
      if (byBytes) history.recordTraffic(measured / effort, EFFORT_WEIGHT);
    }
    if (learnsPopulation) this.population.learnEffort(route, measured / effort, belief);
  }
}

/** The shortest interval between probes of one kind of page. */
const PROBE_INTERVAL_S = 600;
/** The share of the effort for a kind of page that may be spent on probes. */
const PROBE_SHARE = 0.02;
/** In units of effort. */
const MAX_PROBE_BUDGET = 50;
/** A route is only probed if it costs at most this share of the route that works. */
const MAX_COST_RATIO = 0.7;

interface ProbeCandidates {
  /** The route that returned the page. */
  readonly used: number;
  /** Units of effort that the page took by this route. */
  readonly paid: number;
  /** The routes that may be probed. */
  readonly among: readonly number[];
}

/**
 * Chooses a cheaper route for a probe, after a page by an expensive route: it fetches the page once more, to find out whether
 * the site has dropped a defense. The cost of the probe is taken from the probe budget of this kind of page.
 * @returns null: no probe is due
 */
export function pickProbe(
  experience: Experience,
  key: SiteKey,
  now: number,
  { used, paid, among }: ProbeCandidates,
): number | null {
  const history = experience.memory.historyOf(key);
  if (history === null) return null;
  history.probeBudget = Math.min(MAX_PROBE_BUDGET, history.probeBudget + PROBE_SHARE * paid);
  if (now - history.probedAt < PROBE_INTERVAL_S) return null;
  const outlook = experience.outlook(key, now, []);
  const maxEffort = Math.min(outlook.effort(used) * MAX_COST_RATIO, history.probeBudget);
  // Of the routes that are cheap enough, the one with the fewest recent attempts.
  let chosen: number | null = null;
  let fewestAttempts = Number.POSITIVE_INFINITY;
  for (const route of among) {
    if (outlook.effort(route) > maxEffort) continue;
    const attempts = outlook.attempts(route);
    if (attempts >= fewestAttempts) continue;
    fewestAttempts = attempts;
    chosen = route;
  }
  if (chosen === null) return null;
  history.probedAt = now;
  history.probeBudget -= outlook.effort(chosen);
  return chosen;
}
