import type { Experience } from './experience.ts';
import type { SiteKey } from './site-key.ts';

/** A target is probed at most so often, */
const EVERY_S = 600;
/** for at most this part of what is spent on it, */
const SHARE = 0.02;
const SAVED_MOST = 50;
/** and only by ways that cost at most this part of the one that works. */
const CHEAPER = 0.7;

export interface Spent {
  /** The way that brought the page, and the units that it took. */
  readonly used: number;
  readonly paid: number;
  /** The ways that might be probed. */
  readonly among: readonly number[];
}

/**
 * After a page by an expensive way: the cheaper way that is to fetch the page once more, beside the request, to find out
 * whether a defence has fallen; null: none. What a probe costs is taken from what the target has saved up for it.
 */
export function pickProbe(
  experience: Experience,
  key: SiteKey,
  now: number,
  { used, paid, among }: Spent,
): number | null {
  const known = experience.memory.path(key);
  if (known === null) return null;
  known.saved = Math.min(SAVED_MOST, known.saved + SHARE * paid);
  if (now - known.probedAt < EVERY_S) return null;
  const view = experience.outlook(key, now, []);
  const most = view.cost(used) * CHEAPER;
  let best: number | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const way of among) {
    const cost = view.cost(way);
    if (cost > most || cost > known.saved) continue;
    // The least looked at of them, lately.
    const looked = view.looks(way);
    if (looked >= least) continue;
    least = looked;
    best = way;
  }
  if (best === null) return null;
  known.probedAt = now;
  known.saved -= view.cost(best);
  return best;
}
