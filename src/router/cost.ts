import type { Job } from '../domain/job.ts';
import type { Micro } from '../domain/micro.ts';
import type { Step } from '../domain/scrape.ts';

/** What one attempt by a step costs. */
export interface StepPrice {
  /** Whatever it brings. */
  readonly fixed: Micro;
  /** Its exit is paid by the byte as well: nobody can say before what it will be. */
  readonly byBytes: boolean;
}

/** The price of a step of a job; null: a part of it has none. */
export type PriceOf = (step: Step, job: Job) => StepPrice | null;

/**
 * Why a step cannot be taken under a ceiling of which `left` is left, for `candidates[].excluded_by`; null: it can,
 * whatever it brings. Contract §7, `max_cost`: a hard ceiling over all attempts together.
 */
export function overCeiling(
  price: StepPrice | null,
  left: Micro,
): 'no_price' | 'no_bound' | 'max_cost' | null {
  if (price === null) return 'no_price';
  if (price.byBytes) return 'no_bound';
  return price.fixed > left ? 'max_cost' : null;
}
