import type { Step } from '../domain/scrape.ts';
import { believe, type Evidence, noEvidence, success } from './belief.ts';
import type { Known } from './known.ts';
import { Memory } from './memory.ts';
import { Population } from './population.ts';
import { OK, SIGNS } from './signs.ts';
import type { SiteKey } from './site-key.ts';
import type { Way } from './ways.ts';

const S = SIGNS.length;
/** What was thought this unlikely has changed: then most of what was known is out of date. */
const SURPRISE = 0.08;
const KEEP = 0.3;
const PAID_STEP = 0.5;
const EXPECTED = 0.9;
const DEARER = 1.1;
const SITES_MOST = 200_000;

/** An attempt of this request that ended, as evidence. */
export interface Shown {
  readonly way: number;
  readonly sign: number;
}

/** What is thought of one target at one moment. */
export interface Outlook {
  readonly belief: Float64Array;
  readonly evidence: Evidence;
  /** Attempts at this kind of page that are remembered. */
  readonly seen: number;
  /** P(page) by a way. */
  success(way: number): number;
  /** Units that a page by this way takes here. */
  cost(way: number): number;
  /** Something was paid here that tells so. */
  isPriced(way: number): boolean;
  /** How much is remembered of attempts by this way. */
  looks(way: number): number;
}

/** What is remembered of targets, and what follows from it. Time is given, in seconds. */
export class Experience {
  readonly population: Population;
  readonly memory: Memory;
  /** What an administrator wants `auto` to begin with, by site. */
  readonly pins = new Map<string, Step>();

  constructor(ways: readonly Way[], sitesMost = SITES_MOST) {
    this.population = new Population(ways);
    this.memory = new Memory(sitesMost);
  }

  /** `shown`: what this very request has seen counts in full. */
  outlook(key: SiteKey, now: number, shown: readonly Shown[]): Outlook {
    const { population, memory } = this;
    const evidence = noEvidence(population.ways.length);
    const seen = memory.addTo(evidence, key, now);
    for (const { way, sign } of shown) evidence[way * S + sign]! += 1;
    const belief = believe(population, evidence);
    return {
      belief,
      evidence,
      seen,
      success: (way) => success(population, belief, evidence, way),
      cost: (way) => this.#cost(key, belief, way),
      isPriced: (way) =>
        memory.costOf(key, way) !== null ||
        (population.ways[way]!.byBytes === true && memory.weightOf(key) !== null),
      looks(way) {
        let total = 0;
        for (let s = way * S; s < way * S + S; s++) total += evidence[s]!;
        return total;
      },
    };
  }

  /** One attempt that ended. `paid`: units that it took, null when that is not known. */
  note(key: SiteKey, now: number, { way, sign }: Shown, paid: number | null): void {
    const { population, memory } = this;
    const second = Math.floor(now);
    const known = memory.path(key);
    if (sign === OK && known !== null && known.okAt === second && known.okBy === way) {
      // Of many pages that come as ever in one second, one tells enough of what the site is like.
      for (const one of memory.toNote(key, now)) one.note(now, way, sign, 1);
      return;
    }
    const before = this.outlook(key, now, []);
    const p = before.success(way);
    const keep = (sign === OK ? p : 1 - p) < SURPRISE ? KEEP : 1;
    const noted = memory.toNote(key, now);
    for (const one of noted) one.note(now, way, sign, keep);
    if (sign === OK && p >= EXPECTED) {
      noted[0]!.okAt = second;
      noted[0]!.okBy = way;
    }
    const after = this.outlook(key, now, []);
    if (sign === OK && paid !== null) this.#notePaid(noted, way, paid, after);
    const { seen } = noted[0]!;
    const looks = before.looks(way);
    population.learn({ way, sign, before: before.belief, after: after.belief, seen, looks });
  }

  /** An attempt was ended because it would have passed a ceiling: it costs more than the `units` that were left. */
  tooDear(key: SiteKey, now: number, way: number, units: number): void {
    const cost = this.outlook(key, now, []).cost(way);
    for (const one of this.memory.toNote(key, now)) one.notePaid(way, Math.max(cost, units * DEARER), 1);
  }

  /** As paid here; or by what such targets cost and, where that counts, by what pages of this site weigh. */
  #cost(key: SiteKey, belief: Float64Array, way: number): number {
    const paid = this.memory.costOf(key, way);
    if (paid !== null) return paid;
    const { cost, byBytes } = this.population.ways[way]!;
    return cost * (byBytes ? (this.memory.weightOf(key) ?? 1) : this.population.dearer(belief, way));
  }

  #notePaid(noted: readonly Known[], way: number, paid: number, { belief }: Outlook): void {
    const { cost, byBytes } = this.population.ways[way]!;
    for (const one of noted) {
      one.notePaid(way, paid, PAID_STEP);
      if (byBytes) one.noteWeight(paid / cost, PAID_STEP);
    }
    this.population.learnPrice(way, paid / cost, belief);
  }
}
