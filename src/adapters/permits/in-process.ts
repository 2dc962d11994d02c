import type { Permit, PermitRequest, Permits } from '../../ports/permits.ts';

/**
 * Permits of one process: two counters and no waiting. `take` and `held` answer synchronously, so that the request
 * path pays no promise. An entry vanishes with its last permit: the maps hold only who has requests in flight.
 */
export function createInProcessPermits(): Permits {
  const users = new Map<string, number>();
  const keys = new Map<string, number>();
  return {
    take(ask) {
      const ofUser = users.get(ask.userId) ?? 0;
      if (ofUser >= ask.limit) return null;
      let remaining = ask.limit - ofUser - 1;
      if (ask.keyId !== null) {
        const ofKey = keys.get(ask.keyId) ?? 0;
        if (ask.keyLimit !== null) {
          if (ofKey >= ask.keyLimit) return null;
          remaining = Math.min(remaining, ask.keyLimit - ofKey - 1);
        }
        keys.set(ask.keyId, ofKey + 1);
      }
      users.set(ask.userId, ofUser + 1);
      return new CountedPermit(users, keys, ask, remaining);
    },
    inUse(userId) {
      if (userId !== null) return users.get(userId) ?? 0;
      let all = 0;
      for (const count of users.values()) all += count;
      return all;
    },
    async close() {},
  };
}

class CountedPermit implements Permit {
  readonly remaining: number;
  readonly #users: Map<string, number>;
  readonly #keys: Map<string, number>;
  #ask: PermitRequest | null;

  constructor(users: Map<string, number>, keys: Map<string, number>, ask: PermitRequest, remaining: number) {
    this.#users = users;
    this.#keys = keys;
    this.#ask = ask;
    this.remaining = remaining;
  }

  release(): void {
    if (this.#ask === null) return;
    const { userId, keyId } = this.#ask;
    this.#ask = null;
    decrement(this.#users, userId);
    if (keyId !== null) decrement(this.#keys, keyId);
  }
}

function decrement(counts: Map<string, number>, id: string): void {
  const count = counts.get(id) ?? 0;
  if (count <= 1) counts.delete(id);
  else counts.set(id, count - 1);
}
