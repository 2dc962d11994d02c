import type { Clock } from '../../base/time.ts';

/** If there are as many entries, further results are not cached. */
const MAX_ENTRIES = 1_000;

/**
 * A cache for results that are expensive to compute and may be up to `ms` old. Calls with the same key share one computation.
 * Rejected promises are not cached.
 */
export function ttlCache<T>(
  ms: number,
  clock: Clock,
): (key: string, compute: () => Promise<T>) => Promise<T> {
  const entries = new Map<string, { readonly result: Promise<T>; readonly expiresAt: number }>();
  return (key, compute) => {
    const now = clock.monotonic();
    const known = entries.get(key);
    if (known !== undefined && known.expiresAt > now) return known.result;
    for (const [oldKey, { expiresAt }] of entries) if (expiresAt <= now) entries.delete(oldKey);
    const result = compute();
    if (entries.size < MAX_ENTRIES) {
      entries.set(key, { result, expiresAt: now + ms });
      result.catch(() => entries.delete(key));
    }
    return result;
  };
}
