import type { VerdictKind } from '../../../src/domain/verdict.ts';
import type { Sample } from '../a-page.ts';

/** What a rule is right about, and what looks like it and is not; the latter is `ok` unless it says otherwise. */
export interface Example {
  readonly for: Sample;
  readonly against: Sample & { readonly kind?: VerdictKind };
}
export type Examples = Readonly<Record<string, Example>>;
