import type { JobRow } from '../domain/jobs.ts';

/** The estimated costs of the items that are running, so that a job stays within its `max_cost`. */
export class RunningCosts {
  readonly #reserved = new Map<string, number>();

  /**
   * Reserves the estimated cost of an item.
   * @param job as stored now
   * @param price the estimate, in the currency of `maxCost`
   * @returns null: reserved. `cost_cap`: the job cannot afford it. `waits`: it may afford it when running items have ended
   */
  reserve(
    { id, maxCost, cost }: Pick<JobRow, 'id' | 'maxCost' | 'cost'>,
    price: number,
  ): null | 'cost_cap' | 'waits' {
    if (maxCost === null) return null;
    const reserved = this.#reserved.get(id) ?? 0;
    if (cost >= maxCost || cost + price > maxCost) return 'cost_cap';
    if (cost + reserved + price > maxCost) return 'waits';
    this.#reserved.set(id, reserved + price);
    return null;
  }

  release({ id, maxCost }: Pick<JobRow, 'id' | 'maxCost'>, price: number): void {
    if (maxCost === null) return;
    const reserved = (this.#reserved.get(id) ?? 0) - price;
    if (reserved <= 0) this.#reserved.delete(id);
    else this.#reserved.set(id, reserved);
  }
}
