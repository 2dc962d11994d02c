import type { Evidence } from './belief.ts';
import { SIGNS } from './signs.ts';

const S = SIGNS.length;

/** What is known is worth half after this time, and 97 hundredths of it after each further attempt by a way. */
const HALF_LIFE_S = 24 * 3600;
const RATE = Math.LN2 / HALF_LIFE_S;
const FORGET = 0.97;
/** Ages are applied in such steps: smaller ones would be lost in rounding. */
const STEP_S = 60;
/** A weight in a cell is counted in this fraction of one attempt. */
const UNIT = 32_768;
const WEIGHT_BITS = 20;
const WEIGHT_MASK = (1 << WEIGHT_BITS) - 1;
const FORGOTTEN = 0.02 * UNIT;
/** What a document weighs does not tell everything of what a page loads with it: no more than this is concluded. */
const WEIGHT_MOST = 4;

const agedBy = (seconds: number): number => (seconds <= 0 ? 1 : Math.exp(-RATE * seconds));

/**
 * What attempts at one target have shown: few counts, each in one small integer (`way × signs + sign` above, weight
 * below), so that many targets find room.
 */
export class Known {
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
  saved = 0;
  probedAt = 0;
  /** Second and way of the last page that came as expected. */
  okAt = 0;
  okBy = -1;

  constructor(now: number) {
    this.at = now;
  }

  copy(): Known {
    const copy = new Known(this.at);
    copy.cells = [...this.cells];
    copy.seen = this.seen;
    copy.paid = this.paid === null ? null : [...this.paid];
    copy.weight = this.weight;
    return copy;
  }

  /** Of a cell: way × signs + sign. */
  placeOf(cell: number): number {
    return cell >>> WEIGHT_BITS;
  }

  /** Adds what is known, aged to `now`, `share` of it. */
  addTo(evidence: Evidence, now: number, share: number): void {
    const factor = (agedBy(now - this.at) * share) / UNIT;
    for (const cell of this.cells) evidence[cell >>> WEIGHT_BITS]! += (cell & WEIGHT_MASK) * factor;
  }

  /** One attempt more. `keep` below 1: it was a surprise, and what was known counts for that much less. */
  note(now: number, way: number, sign: number, keep: number): void {
    const age = now - this.at;
    const aged = age >= STEP_S ? agedBy(age) : 1;
    if (age >= STEP_S) this.at = now;
    const cells: number[] = [];
    let found = false;
    for (const cell of this.cells) {
      const code = cell >>> WEIGHT_BITS;
      const mine = Math.floor(code / S) === way;
      let weight = (cell & WEIGHT_MASK) * aged * keep * (mine ? FORGET : 1);
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
