import { NET, OK } from '../../src/router/observations.ts';
import { EventQueue } from './event-queue.ts';
import type { SimulatedVendor } from './vendors.ts';
import type { Batch } from './workload.ts';
import { type Ask, attempt, VENDOR_LATE, vendorOf, type World } from './world.ts';

/** One ask on its way. */
export interface Trip {
  readonly ask: Ask;
  readonly begunAt: number;
  now: number;
  unitsLeft: number;
  secondsLeft: number;
  waited: boolean;
  /** How long an attempt by an arm would wait for a slot of the account, by the usual duration. */
  readonly slotWait: (arm: number) => number;
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
  /** The arms of the attempts in their order. */
  readonly arms: readonly number[];
  /** It ended without a page although a way that was not tried would have brought one within the time and units left. */
  readonly gaveUp: boolean;
}

export type Move = { readonly arm: number } | { readonly wait: number } | null;

/** Is told that an attempt has ended, which took so many seconds after it got a slot. */
type Ending = (trip: Trip, sign: number, seconds: number) => void;

/** Who decides about arms. */
export interface Policy {
  readonly name: string;
  next(trip: Trip): Move;
  /** An attempt begins, perhaps to wait for a slot. What it returns is called when it has ended. */
  started?(arm: number): Ending;
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
  const slots = world.arms.map((_, arm) => new Slots(vendorOf(world, arm)));
  const slotWait = (arm: number) => slots[arm]!.wait();

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
      slotWait,
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
        arms: trip.tried.map(([arm]) => arm),
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
      const ended = policy.started?.(arm);
      const giveUp = slots[arm]!.take(
        (then) => {
          trip.now = then;
          trip.secondsLeft = ask.deadline - (then - now);
          fetch(then, arm, ended);
        },
        () => queue.now,
      );
      if (giveUp === null) return;
      // As in the service, an attempt that others may follow has half of the time.
      queue.add(at + trip.secondsLeft / 2, (then) => {
        if (!giveUp()) return;
        trip.now = then;
        trip.tried.push([arm, VENDOR_LATE]);
        ended?.(trip, VENDOR_LATE, 0);
        step(then);
      });
    };
    const fetch = (at: number, arm: number, ended: Ending | undefined): void => {
      const n = (counts.get(arm) ?? 0) + 1;
      counts.set(arm, n);
      const came = attempt(world, ask, arm, n, at);
      const late = came.hangs !== true && came.seconds > trip.secondsLeft;
      const seconds = came.hangs === true ? trip.secondsLeft / 2 : Math.min(came.seconds, trip.secondsLeft);
      queue.add(at + seconds, (then) => {
        trip.now = then;
        const { failShare, vendor } = world.arms[arm]!;
        const stopped = !late && came.cost > trip.unitsLeft;
        const lateCost = Math.min(trip.unitsLeft, vendor ? 0 : came.full * Math.max(failShare, 0.5));
        const paid = stopped ? Math.max(0, trip.unitsLeft) : late ? lateCost : came.cost;
        const failed = late && vendorOf(world, arm) !== null ? VENDOR_LATE : NET;
        const sign = late || stopped ? failed : came.seen;
        cost += paid;
        trip.unitsLeft -= paid;
        trip.tried.push([arm, sign]);
        slots[arm]!.release(then);
        ended?.(trip, sign, seconds);
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

/** The slots of a vendor's account, and who waits for one. */
class Slots {
  readonly #vendor: SimulatedVendor | null;
  readonly #waiting: ((now: number) => void)[] = [];
  #used = 0;

  constructor(vendor: SimulatedVendor | null) {
    this.#vendor = vendor;
  }

  /** Seconds until the next one that asks would get a slot. */
  wait(): number {
    const { slots = null, seconds = 0 } = this.#vendor ?? {};
    if (slots === null) return 0;
    return (Math.max(0, this.#used + this.#waiting.length + 1 - slots) * seconds) / slots;
  }

  /** Calls `go` when there is a slot. @returns null: at once; else gives the place in the queue up, if `go` was not called yet */
  take(go: (now: number) => void, now: () => number): (() => boolean) | null {
    const slots = this.#vendor?.slots ?? null;
    if (slots === null || this.#used < slots) {
      this.#used++;
      go(now());
      return null;
    }
    this.#waiting.push(go);
    return () => {
      const at = this.#waiting.indexOf(go);
      if (at >= 0) this.#waiting.splice(at, 1);
      return at >= 0;
    };
  }

  release(now: number): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#used--;
    else next(now);
  }
}

/** Whether a way that a trip has not tried would bring a page with what the trip has left. */
function wouldHaveCome(world: World, { ask, tried, secondsLeft, unitsLeft }: Trip, now: number): boolean {
  return world.arms.some((_, arm) => {
    if (tried.some(([one]) => one === arm)) return false;
    const { good, seen, seconds, cost } = attempt(world, ask, arm, 1, now);
    return good && seen === OK && seconds <= secondsLeft && cost <= unitsLeft;
  });
}
