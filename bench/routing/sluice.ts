import { isNew } from '../../src/router/choose.ts';
import { Experience } from '../../src/router/experience.ts';
import { Gate } from '../../src/router/gate.ts';
import { leastSpend } from '../../src/router/least-spend.ts';
import { pickProbe } from '../../src/router/probe.ts';
import { BANNED, NET, OK, SHELL } from '../../src/router/signs.ts';
import type { SiteKey } from '../../src/router/site-key.ts';
import type { Way } from '../../src/router/ways.ts';
import { balanced } from '../../src/router/weigh.ts';
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
  arms: readonly Way[],
  { name = 'auto', probes = true, missed = 0.02 }: Options = {},
): SluicePolicy {
  const experience = new Experience(arms);
  const gate = new Gate();
  const spent = { deciding: [] as number[], learning: [] as number[] };
  const weights = balanced(missed);
  const all = arms.map((_, arm) => arm);
  const going = new WeakSet<Trip>();
  const learn = (trip: Trip, arm: number, sign: number, paid: number | null) => {
    const from = process.hrtime.bigint();
    experience.note(keyOf(trip), trip.now, { way: arm, sign }, paid);
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
        trip.tried.map(([way, sign]) => ({ way, sign })),
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
      const bounds = { secondsLeft, unitsLeft, mustTry: false, persists: isNew(view) };
      const best =
        leastSpend(arms, open, view, weights, bounds) ??
        leastSpend(arms, spokenAgainst, view, weights, bounds);
      spent.deciding.push(Number(process.hrtime.bigint() - from));
      if (best === null) return null;
      if (trip.tried.length === 0) {
        const wait = trip.waited ? 0 : gate.wait(key, view.seen, best.p, secondsLeft);
        if (wait > 0) return { wait };
        if (!going.has(trip)) gate.enter(key);
        going.add(trip);
      }
      return { arm: best.way };
    },
    ended(trip, arm, sign, paid) {
      learn(trip, arm, sign, paid);
      if (going.delete(trip)) gate.leave(keyOf(trip));
      if (sign !== OK || !probes) return null;
      return pickProbe(experience, keyOf(trip), trip.now, { used: arm, paid, among: all });
    },
    probed(trip, arm, sign, paid) {
      learn(trip, arm, sign, sign === OK ? paid : null);
    },
    stopped(trip, arm, paid) {
      if (going.delete(trip)) gate.leave(keyOf(trip));
      experience.tooDear(keyOf(trip), trip.now, arm, paid);
    },
  };
}
