import { RequestCoalescer } from '../../src/pipeline/request-coalescer.ts';
import { Experience, pickProbe } from '../../src/router/experience.ts';
import { BANNED, NET, OK, SHELL } from '../../src/router/observations.ts';
import { balancedWeights, bestRoute, isUnfamiliar } from '../../src/router/route-choice.ts';
import type { Route } from '../../src/router/routes.ts';
import type { SiteKey } from '../../src/router/site-key.ts';
import type { Policy, Trip } from './simulate.ts';

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
}

const keyOf = ({ ask }: Trip): SiteKey => ({ site: `site-${ask.site}.test`, pattern: `/p${ask.path}` });

/** The router of the service: the same code, with the arms of the simulation for its ways. */
export function sluice(
  arms: readonly Route[],
  { name = 'auto', probes = true, missed = 0.02 }: Options = {},
): SluicePolicy {
  const experience = new Experience(arms);
  const coalescer = new RequestCoalescer(null);
  const spent = { deciding: [] as number[], learning: [] as number[] };
  const weights = balancedWeights(missed);
  const all = arms.map((_, arm) => arm);
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
      const from = process.hrtime.bigint();
      const key = keyOf(trip);
      const view = experience.outlook(
        key,
        trip.now,
        trip.tried.map(([route, observation]) => ({ route, observation })),
      );
      const open: number[] = [];
      const spokenAgainst: number[] = [];
      for (let arm = 0; arm < arms.length; arm++) {
        const mine = trip.tried.filter(([tried]) => tried === arm);
        if (mine.length > 1 || mine.some(([, sign]) => sign !== NET)) continue;
        if (trip.tried.some(([, sign]) => sign === SHELL && !arms[arm]!.js)) continue;
        const banned = trip.tried.some(
          ([tried, sign]) => sign === BANNED && arms[arm]!.ip <= arms[tried]!.ip,
        );
        if (!banned) open.push(arm);
        else spokenAgainst.push(arm);
      }
      const { secondsLeft, unitsLeft } = trip;
      const bounds = { secondsLeft, unitsLeft, mustTry: false, persists: isUnfamiliar(view) };
      const best =
        bestRoute(arms, open, view, weights, bounds) ?? bestRoute(arms, spokenAgainst, view, weights, bounds);
      spent.deciding.push(Number(process.hrtime.bigint() - from));
      if (best === null) return null;
      if (trip.tried.length === 0) {
        const wait = trip.waited ? 0 : coalescer.secondsToWait(key, view.attemptCount, best.p, secondsLeft);
        if (wait > 0) return { wait };
        if (!leaders.has(trip)) leaders.set(trip, coalescer.enter(key));
      }
      return { arm: best.route };
    },
    ended(trip, arm, sign, paid) {
      learn(trip, arm, sign, paid);
      leave(trip);
      if (sign !== OK || !probes) return null;
      return pickProbe(experience, keyOf(trip), trip.now, { used: arm, paid, among: all });
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
