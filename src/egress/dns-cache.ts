import type { Resolution } from './resolution.ts';

interface Entry {
  readonly resolution: Resolution;
  /** Monotonic ms. */
  readonly until: number;
}

/** Answers by name while they are valid; over `limit` the one not used for the longest time goes. */
export interface DnsCache {
  get(name: string, now: number): Resolution | null;
  set(name: string, resolution: Resolution, until: number): void;
  clear(): void;
  readonly size: number;
}

export function dnsCache(limit: number): DnsCache {
  // A Map keeps the order of insertion: taken out and put in again with each use, the oldest use is first.
  const entries = new Map<string, Entry>();
  return {
    get(name, now) {
      const entry = entries.get(name);
      if (entry === undefined) return null;
      entries.delete(name);
      if (entry.until <= now) return null;
      entries.set(name, entry);
      return entry.resolution;
    },
    set(name, resolution, until) {
      entries.delete(name);
      entries.set(name, { resolution, until });
      if (entries.size > limit) {
        const oldest = entries.keys().next();
        if (oldest.done !== true) entries.delete(oldest.value);
      }
    },
    clear: () => entries.clear(),
    get size() {
      return entries.size;
    },
  };
}
