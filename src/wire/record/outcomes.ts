import type { Outcome } from '../../domain/scrape.ts';

/** Every outcome, as a list; the compiler checks that none is missing. */
const OUTCOME_SET: Readonly<Record<Outcome, true>> = {
  planned: true,
  failed: true,
  blocked: true,
  unaccepted: true,
  partial: true,
  target_error: true,
  ok: true,
};

export const OUTCOMES = Object.keys(OUTCOME_SET) as readonly Outcome[];
