import type { Clock } from '../base/time.ts';

/** More different answers than this at once are not remembered. */
const MAX_ENTRIES = 1_000;

/**
 * What is dear to make and may be a little old is made once for all who ask within `ms`. What could not be made is not
 * remembered.
 */
export function ttlCache<T>(ms: number, clock: Clock): (key: string, make: () => Promise<T>) => Promise<T> {
  const kept = new Map<string, { readonly made: Promise<T>; readonly until: number }>();
  return (key, make) => {
    const now = clock.monotonic();
    const known = kept.get(key);
    if (known !== undefined && known.until > now) return known.made;
    for (const [old, { until }] of kept) if (until <= now) kept.delete(old);
    const made = make();
    if (kept.size < MAX_ENTRIES) {
      kept.set(key, { made, until: now + ms });
      made.catch(() => kept.delete(key));
    }
    return made;
  };
}
