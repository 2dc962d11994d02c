import type { Ended } from './simulate.ts';

export interface Figures {
  readonly success: number;
  readonly perRequest: number;
  readonly perSuccess: number;
  readonly attempts: number;
  readonly median: number;
  readonly p95: number;
  readonly mean: number;
  /** Requests whose attempts cost more than their ceiling; probes are not the request's. */
  readonly over: number;
  /** Spend and 250 units for each page that did not come, per request. */
  readonly loss: number;
  /** Of the first requests for a target, those that ended without a page although a way not tried would have brought it. */
  readonly gaveUpFirst: number;
}

const WORTH = 250;

export function figuresOf(results: readonly Ended[]): Figures {
  const n = results.length;
  const firsts = results.filter(({ rank }) => rank === 0);
  const good = results.filter(({ ok }) => ok);
  const cost = results.reduce((sum, each) => sum + each.cost, 0);
  const seconds = good.map((each) => each.seconds).sort((a, b) => a - b);
  const at = (share: number) =>
    seconds[Math.min(seconds.length - 1, Math.floor(share * seconds.length))] ?? 0;
  return {
    success: good.length / n,
    perRequest: cost / n,
    perSuccess: cost / good.length,
    attempts: results.reduce((sum, each) => sum + each.attempts, 0) / n,
    median: at(0.5),
    p95: at(0.95),
    mean: seconds.reduce((sum, each) => sum + each, 0) / seconds.length,
    over: results.filter((each) => each.cost - each.probed > each.ask.ceiling * 1.0001).length,
    loss: (cost + WORTH * (n - good.length)) / n,
    gaveUpFirst: firsts.filter(({ gaveUp }) => gaveUp).length / firsts.length,
  };
}

export function meanOf(all: readonly Figures[]): Figures {
  const mean = (of: (figures: Figures) => number) =>
    all.reduce((sum, each) => sum + of(each), 0) / all.length;
  return {
    success: mean((f) => f.success),
    perRequest: mean((f) => f.perRequest),
    perSuccess: mean((f) => f.perSuccess),
    attempts: mean((f) => f.attempts),
    median: mean((f) => f.median),
    p95: mean((f) => f.p95),
    mean: mean((f) => f.mean),
    over: all.reduce((sum, each) => sum + each.over, 0),
    loss: mean((f) => f.loss),
    gaveUpFirst: mean((f) => f.gaveUpFirst),
  };
}
