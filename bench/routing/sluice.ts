import { RequestCoalescer } from '../../src/pipeline/request-coalescer.ts';
import { Experience, pickProbe } from '../../src/router/experience.ts';
import { BANNED, NET, OK, SHELL } from '../../src/router/observations.ts';
import { balancedWeights, bestRoute, isUnfamiliar } from '../../src/router/route-choice.ts';
import { type Route, withDurations } from '../../src/router/routes.ts';
import type { SiteKey } from '../../src/router/site-key.ts';
import { VendorAccount } from '../../src/scrapers/vendor/vendor-account.ts';
import type { Policy, Trip } from './simulate.ts';
import { priceFactor, type SimulatedVendor } from './vendors.ts';
import { VENDOR_FAILED, VENDOR_LATE } from './world.ts';

export interface SluicePolicy extends Policy {
  readonly experience: Experience;
  /** Nanoseconds that each decision and each lesson took. */
  readonly spent: { readonly deciding: number[]; readonly learning: number[] };
}

interface Options {
  readonly name?: string;
  readonly probes?: boolean;
  /** How often a bad page passes, as the operator would measure it. */
  readonly missed?: number;
  /** Those whose routes are the last ones of `arms`. */
  readonly vendors?: readonly SimulatedVendor[];
}

const keyOf = ({ ask }: Trip): SiteKey => ({ site: `site-${ask.site}.test`, pattern: `/p${ask.path}` });

/** Signs that show nothing of the site. */
const isOfVendor = (sign: number): boolean => sign === VENDOR_FAILED || sign === VENDOR_LATE;

/** The router of the service: the same code, with the arms of the simulation for its ways. */
export function sluice(
  arms: readonly Route[],
  { name = 'auto', probes = true, missed = 0.02, vendors = [] }: Options = {},
): SluicePolicy {
  const own = arms.slice(0, arms.length - vendors.length);
  const experience = new Experience(own);
  /** As the file of vendors says at an instant. */
  const routesOfFile = (now: number) =>
    vendors.map((vendor) => ({ ...vendor.route, effort: vendor.route.effort * priceFactor(vendor, now) }));
  experience.addRoutes(routesOfFile(0));
  const changes = vendors.flatMap(({ prices }) => prices.map(([from]) => from)).sort((a, b) => a - b);
  let now = 0;
  const accounts = vendors.map(({ slots }) => new VendorAccount({ now: () => now * 1000 }, slots));
  const times = vendors.map(({ scraper }, at) => ({
    scraper,
    seconds: () => accounts[at]!.seconds(),
    waitSeconds: () => accounts[at]!.waitSeconds(),
  }));
  const accountOf = (arm: number) => accounts[arm - own.length] ?? null;
  const coalescer = new RequestCoalescer(null);
  const isLeftAlone = (account: VendorAccount, arm: number, at: number) =>
    account.resting() !== null || experience.isOnTrial(arm, at, { isRunning: account.present() > 0 });
  const spent = { deciding: [] as number[], learning: [] as number[] };
  const weights = balancedWeights(missed);
  /** Probes by vendors would cost money; the vendor of the older scenarios stands for any dear way. */
  const probed = own.map((_, arm) => arm);
  /** The trips whose first attempt is under way, with what ends that. */
  const leaders = new WeakMap<Trip, () => void>();
  const leave = (trip: Trip) => {
    leaders.get(trip)?.();
    leaders.delete(trip);
  };
  const learn = (trip: Trip, arm: number, observation: number, paid: number | null) => {
    const from = process.hrtime.bigint();
    experience.record(keyOf(trip), trip.now, { route: arm, observation }, paid);
    spent.learning.push(Number(process.hrtime.bigint() - from));
  };
  return {
    name,
    experience,
    spent,
    next(trip) {
      now = trip.now;
      while (changes.length > 0 && changes[0]! <= now) experience.addRoutes(routesOfFile(changes.shift()!));
      const from = process.hrtime.bigint();
      const key = keyOf(trip);
      const view = experience.outlook(
        key,
        trip.now,
        trip.tried.flatMap(([route, observation]) => (isOfVendor(observation) ? [] : { route, observation })),
      );
      const open: number[] = [];
      const spokenAgainst: number[] = [];
      for (let arm = 0; arm < arms.length; arm++) {
        const account = accountOf(arm);
        if (account !== null && isLeftAlone(account, arm, now)) continue;
        const mine = trip.tried.filter(([tried]) => tried === arm);
        if (mine.length > 1 || mine.some(([, sign]) => sign !== NET)) continue;
        if (trip.tried.some(([, sign]) => sign === SHELL && !arms[arm]!.js)) continue;
        const banned =
          arms[arm]!.vendor !== true &&
          trip.tried.some(([tried, sign]) => sign === BANNED && arms[arm]!.ip <= arms[tried]!.ip);
        if (!banned) open.push(arm);
        else spokenAgainst.push(arm);
      }
      const routes = withDurations(view.routes, times);
      const { secondsLeft, unitsLeft } = trip;
      const bounds = { secondsLeft, unitsLeft, mustTry: false, persists: isUnfamiliar(view) };
      const best =
        bestRoute(routes, open, view, weights, bounds) ??
        bestRoute(routes, spokenAgainst, view, weights, bounds);
      spent.deciding.push(Number(process.hrtime.bigint() - from));
      if (best === null) return null;
      if (trip.tried.length === 0) {
        const wait = trip.waited ? 0 : coalescer.secondsToWait(key, view.attemptCount, best.p, secondsLeft);
        if (wait > 0) return { wait };
        if (!leaders.has(trip)) leaders.set(trip, coalescer.enter(key));
      }
      return { arm: best.route };
    },
    started(arm) {
      const account = accountOf(arm);
      if (account === null) return () => {};
      account.enter();
      return (trip, sign, seconds) => {
        now = trip.now;
        account.leave();
        // It got no slot.
        if (seconds === 0) return;
        if (!isOfVendor(sign)) {
          account.notePage(seconds);
          return;
        }
        const isAtFault =
          sign === VENDOR_LATE ? account.noteLate(seconds) : account.noteTrouble('protocol', null);
        if (isAtFault) experience.recordVendorFailure(keyOf(trip), trip.now, arm);
      };
    },
    ended(trip, arm, sign, paid) {
      if (isOfVendor(sign)) {
        leave(trip);
        return null;
      }
      learn(trip, arm, sign, paid);
      leave(trip);
      if (sign !== OK || !probes) return null;
      return pickProbe(experience, keyOf(trip), trip.now, { used: arm, paid, among: probed });
    },
    probed(trip, arm, sign, paid) {
      learn(trip, arm, sign, sign === OK ? paid : null);
    },
    stopped(trip, arm, paid) {
      leave(trip);
      experience.recordEffortExceeded(keyOf(trip), trip.now, arm, paid);
    },
  };
}
