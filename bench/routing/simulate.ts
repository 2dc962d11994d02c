import { NET, OK } from '../../src/router/observations.ts';
import { EventQueue } from './event-queue.ts';
import type { Batch } from './workload.ts';
import { type Ask, attempt, type World } from './world.ts';

/** One ask on its way. */
export interface Trip {
  readonly ask: Ask;
  readonly begunAt: number;
  now: number;
  unitsLeft: number;
  secondsLeft: number;
  waited: boolean;
  /** Arm and sign of each attempt that ended. */
  readonly tried: (readonly [arm: number, sign: number])[];
  /** What a policy remembers of it. */
  at: number;
}

export interface Ended {
  readonly ask: Ask;
  readonly begunAt: number;
  readonly ok: boolean;
  readonly cost: number;
  /** Of it, what was spent beside the attempts of the ask. */
  readonly probed: number;
  readonly seconds: number;
  readonly attempts: number;
  readonly failures: number;
  /** How many asks for this target were before. */
  readonly rank: number;
  /** It ended without a page although a way that was not tried would have brought one within the time and units left. */
  readonly gaveUp: boolean;
}

export type Move = { readonly arm: number } | { readonly wait: number } | null;

/** Who decides about arms. */
export interface Policy {
  readonly name: string;
  next(trip: Trip): Move;
  /** An attempt ended; `paid` units. Gives an arm that is to fetch the page once more, off the way; null: none. */
  ended?(trip: Trip, arm: number, sign: number, paid: number): number | null;
  probed?(trip: Trip, arm: number, sign: number, paid: number): void;
  /** An attempt was ended because it would have passed the ceiling. */
  stopped?(trip: Trip, arm: number, paid: number): void;
}

const LITTLE_S = 0.3;
const PROBE = 9;

/** The number of a target: a kind of page at a site. */
export const targetOf = ({ site, path }: Ask): number => site * 8 + path;

/** Lets all asks of the batches go their way under a policy. */
export function simulate(world: World, batches: readonly Batch[], policy: Policy): Ended[] {
  const queue = new EventQueue();
  const results: Ended[] = [];
  const ranks = new Map<number, number>();
  const waiting = new Map<number, Set<() => void>>();

  function begin(ask: Ask, now: number, done: (at: number) => void): void {
    const target = targetOf(ask);
    const rank = ranks.get(target) ?? 0;
    ranks.set(target, rank + 1);
    const trip: Trip = {
      ask,
      begunAt: now,
      now,
      unitsLeft: ask.ceiling,
      secondsLeft: ask.deadline,
      waited: false,
      tried: [],
      at: -1,
    };
    let cost = 0;
    let probed = 0;
    const counts = new Map<number, number>();
    const end = (at: number, ok: boolean) => {
      const failures = trip.tried.filter(([, sign]) => sign !== OK).length;
      const { length: attempts } = trip.tried;
      const gaveUp = failures === attempts && wouldHaveCome(world, trip, at);
      results.push({
        ask,
        begunAt: now,
        ok,
        cost,
        probed,
        seconds: at - now,
        attempts,
        failures,
        rank,
        gaveUp,
      });
      done(at);
    };
    const step = (at: number): void => {
      trip.now = at;
      trip.secondsLeft = ask.deadline - (at - now);
      const move = trip.secondsLeft <= LITTLE_S ? null : policy.next(trip);
      if (move === null) end(at, false);
      else if ('wait' in move) wait(at, move.wait);
      else go(at, move.arm);
    };
    const go = (at: number, arm: number): void => {
      const n = (counts.get(arm) ?? 0) + 1;
      counts.set(arm, n);
      const came = attempt(world, ask, arm, n, at);
      const late = came.seconds > trip.secondsLeft;
      const seconds = Math.min(came.seconds, trip.secondsLeft);
      queue.add(at + seconds, (then) => {
        trip.now = then;
        const { failShare, vendor } = world.arms[arm]!;
        const stopped = !late && came.cost > trip.unitsLeft;
        const lateCost = Math.min(trip.unitsLeft, vendor ? 0 : came.full * Math.max(failShare, 0.5));
        const paid = stopped ? Math.max(0, trip.unitsLeft) : late ? lateCost : came.cost;
        const sign = late || stopped ? NET : came.seen;
        cost += paid;
        trip.unitsLeft -= paid;
        trip.tried.push([arm, sign]);
        if (stopped) policy.stopped?.(trip, arm, paid);
        else probe(policy.ended?.(trip, arm, sign, paid) ?? null, then);
        const others = waiting.get(target);
        waiting.delete(target);
        for (const go of others ?? []) go();
        if (sign === OK) end(then, came.good);
        else step(then);
      });
    };
    const probe = (arm: number | null, at: number): void => {
      if (arm === null) return;
      const came = attempt(world, ask, arm, PROBE, at);
      cost += came.cost;
      probed += came.cost;
      // It is held against the page that is there: the detector plays no part.
      policy.probed?.(trip, arm, came.good ? OK : came.sign, came.cost);
    };
    const wait = (at: number, seconds: number): void => {
      trip.waited = true;
      let gone = false;
      const go = () => {
        if (gone) return;
        gone = true;
        queue.add(queue.now, step);
      };
      const others = waiting.get(target) ?? new Set();
      others.add(go);
      waiting.set(target, others);
      queue.add(at + seconds, go);
    };
    step(now);
  }

  for (const { at, atOnce, asks } of batches)
    queue.add(at, (now) => {
      let next = 0;
      let active = 0;
      const pump = (then: number): void => {
        while (active < atOnce && next < asks.length) {
          active++;
          begin(asks[next++]!, then, (ended) => {
            active--;
            pump(ended);
          });
        }
      };
      pump(now);
    });
  queue.run();
  return results;
}

/** Whether a way that a trip has not tried would bring a page with what the trip has left. */
function wouldHaveCome(world: World, { ask, tried, secondsLeft, unitsLeft }: Trip, now: number): boolean {
  return world.arms.some((_, arm) => {
    if (tried.some(([one]) => one === arm)) return false;
    const { good, seen, seconds, cost } = attempt(world, ask, arm, 1, now);
    return good && seen === OK && seconds <= secondsLeft && cost <= unitsLeft;
  });
}
