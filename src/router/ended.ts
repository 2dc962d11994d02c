import type { FailureCode } from '../domain/failure.ts';
import type { Step } from '../domain/scrape.ts';
import type { CapabilityAsked, VerdictKind } from '../domain/verdict.ts';

/** What the decision about a further attempt needs to know of one that ended. */
export interface Ended {
  readonly step: Step;
  /** null: it gave a page. */
  readonly code: FailureCode | null;
  readonly verdict: VerdictKind;
  /** What was missing, as far as the page tells. */
  readonly failed: CapabilityAsked | null;
  /** The page is not what `accept` asks for. */
  readonly unmet: boolean;
  /** The page is all that was asked for: whole, `ok`, meets `accept`. */
  readonly satisfied: boolean;
  /** A byte of the request may have reached the target. */
  readonly sent: boolean;
}
