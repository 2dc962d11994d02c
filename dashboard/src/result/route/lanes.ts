import type { Schema } from '../../api/client.ts';

type Attempt = Schema<'Attempt'>;
type Candidate = Schema<'Candidate'>;

/** A way that could be gone, or was. */
export interface Lane {
  readonly scraper: Candidate['scraper'];
  readonly proxyType: Candidate['proxy_type'];
  /** null: an attempt went it although it stands among no candidates. */
  readonly candidate: Candidate | null;
  readonly attempts: readonly Attempt[];
}

/** The ways that were open, in the order of the answer. */
export function lanesOf(candidates: readonly Candidate[], attempts: readonly Attempt[]): readonly Lane[] {
  const lanes = new Map<string, Lane>();
  for (const one of candidates) {
    const went = attempts.filter((attempt) => keyOf(attempt) === keyOf(one));
    if (one.excluded_by !== null && went.length === 0) continue;
    lanes.set(keyOf(one), {
      scraper: one.scraper,
      proxyType: one.proxy_type,
      candidate: one,
      attempts: went,
    });
  }
  for (const one of attempts) {
    if (lanes.has(keyOf(one))) continue;
    const went = attempts.filter((attempt) => keyOf(attempt) === keyOf(one));
    lanes.set(keyOf(one), {
      scraper: one.scraper,
      proxyType: one.proxy_type,
      candidate: null,
      attempts: went,
    });
  }
  return [...lanes.values()];
}

export interface Stop {
  readonly attempt: Attempt;
  /** Parts of the width and the height of the track, 0 to 1. */
  readonly x: number;
  readonly y: number;
}

/** Where each attempt stands in the picture: time from left to right, its lane from the top. */
export function stopsOf(lanes: readonly Lane[], attempts: readonly Attempt[]): readonly Stop[] {
  return attempts.map((attempt, at) => ({
    attempt,
    x: (at + 0.5) / attempts.length,
    y: (lanes.findIndex((lane) => lane.attempts.includes(attempt)) + 0.5) / lanes.length,
  }));
}

export const keyOf = (way: { readonly scraper: string; readonly proxy_type: string }): string =>
  `${way.scraper}/${way.proxy_type}`;
