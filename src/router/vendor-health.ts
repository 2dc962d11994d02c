/** How well a vendor may work, as a share of its usual P(page): as usual, worse, hardly at all. */
const STATES = [1, 0.4, 0.03] as const;
const OUT = 2;
/** P(it hardly works) from which it is tried only now and then. */
const OUT_FROM = 0.3;
/** P(state) of a vendor of which nothing was seen lately: it is seldom ill. */
const USUAL = [0.98, 0.01, 0.01] as const;
/** Seconds after which what was seen says little of the present (1/e): troubles of vendors last minutes to hours. */
const MEMORY_S = 1_200;
/** P(page) that is expected is kept within these bounds: one attempt never proves a state. */
const BOUNDS = [0.05, 0.95] as const;

/**
 * Whether a vendor works as usual, by its latest attempts at all sites: a hidden Markov model with three states. A vendor that is down,
 * or that returns block pages, fails where it was expected to succeed; that is learned after a few attempts, for all sites at once.
 * The longer it was not used, the more it is believed to work again, so that it is tried again.
 */
export class VendorHealth {
  /** Time of the latest attempt. */
  at = 0;
  #p: readonly number[] = USUAL;

  /** @param expected P(page) of the attempt if the vendor works as usual */
  record(now: number, expected: number, isPage: boolean): void {
    const bounded = Math.min(BOUNDS[1], Math.max(BOUNDS[0], expected));
    const weights = this.#stateAt(now).map((p, state) => {
      const page = bounded * STATES[state]!;
      return p * (isPage ? page : 1 - page);
    });
    const sum = weights.reduce((total, weight) => total + weight, 0);
    this.#p = weights.map((weight) => weight / sum);
    this.at = Math.max(now, this.at);
  }

  /** The factor on P(page), 0 to 1. */
  factor(now: number): number {
    return this.#stateAt(now).reduce((sum, p, state) => sum + p * STATES[state]!, 0);
  }

  /** Whether it probably hardly works. */
  isOut(now: number): boolean {
    return this.#stateAt(now)[OUT]! > OUT_FROM;
  }

  #stateAt(now: number): readonly number[] {
    const keep = Math.exp(-Math.max(0, now - this.at) / MEMORY_S);
    return this.#p.map((p, state) => USUAL[state]! + keep * (p - USUAL[state]!));
  }
}
