import type { Duplex } from 'node:stream';
import type { AnswerGuard } from './answer-guard.ts';
import type { AnswerWatch } from './answer-watch.ts';
import type { Tapping } from './tapping.ts';
import type { Trip } from './trip.ts';

/** The way to a target, and how far its answers have come. */
export interface Link {
  readonly socket: Duplex;
  readonly trip: Trip;
  /** Connections of one key are interchangeable. */
  readonly key: string;
  readonly watch: AnswerWatch;
  /** Of the answer that is under way. */
  tapping: Tapping | null;
  /** It leads to a proxy that takes whole URLs; null: to the target. */
  readonly guard: AnswerGuard | null;
}
