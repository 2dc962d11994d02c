import type { Verdict, VerdictKind } from '../../../src/domain/verdict.ts';
import type { Sample } from '../a-page.ts';

/** One line of the golden table. */
export type Case = readonly [name: string, kind: VerdictKind, sample: Sample, rest?: Partial<Verdict>];
