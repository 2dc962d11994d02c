import type { ExtractRule } from '../../domain/extract-rule.ts';
import { type Failure, failure } from '../../domain/failure.ts';
import type { PageFacts } from '../formats/page-facts.ts';
import { withinTime } from '../time-limit.ts';
import { Extraction, TooLarge } from './extract-values.ts';

export interface Extracted {
  /** Name → value; null for what failed. */
  readonly values: Readonly<Record<string, unknown>>;
  readonly failures: readonly Failure[];
}

/** All values of one page together. */
export const MOST_CHARACTERS = 5 * 2 ** 20;

/**
 * Every rule on its own, so that one that is too much for this page does not cost the others.
 * @param remaining milliseconds that are left for all of it
 */
export function extractAll(
  rules: readonly ExtractRule[],
  facts: PageFacts,
  remaining: () => number,
): Extracted {
  const extraction = new Extraction(facts, MOST_CHARACTERS);
  const values = Object.create(null) as Record<string, unknown>;
  const failures: Failure[] = [];
  for (const [at, rule] of rules.entries()) {
    let why: string | null = null;
    try {
      // One that never ends leaves time for those after it.
      const ms = at === rules.length - 1 ? remaining() : remaining() / 2;
      const result = ms < 1 ? null : withinTime(ms, () => extraction.whole(rule));
      if (result === null) why = 'took too long on this page';
      else values[rule.name] = result.value;
    } catch (error) {
      if (error instanceof TooLarge)
        why = `exceeds what is left of ${MOST_CHARACTERS} characters for all rules`;
      else if (error instanceof RangeError) why = 'cannot be applied to a page that is nested so deeply';
      else throw error;
    }
    if (why === null) continue;
    values[rule.name] = null;
    failures.push(failure('extract.failed', `The rule ${why}.`, { pointer: rule.pointer }));
  }
  return { values, failures };
}
