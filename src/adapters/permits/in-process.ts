import type { Permit, PermitRequest, Permits } from '../../ports/permits.ts';

/**
 * Permits of a single process: two maps of counters. `take` and `inUse` are synchronous, because every request calls them, and
 * promises cost time. The maps contain only users and keys with requests in flight.
 */
export function createInProcessPermits(): Permits {
  const users = new Map<string, number>();
  const keys = new Map<string, number>();
  return {
    take(request) {
      const inUseByUser = users.get(request.userId) ?? 0;
      if (inUseByUser >= request.limit) return null;
      let remaining = request.limit - inUseByUser - 1;
      if (request.keyId !== null) {
        const inUseByKey = keys.get(request.keyId) ?? 0;
        if (request.keyLimit !== null) {
          if (inUseByKey >= request.keyLimit) return null;
          remaining = Math.min(remaining, request.keyLimit - inUseByKey - 1);
        }
        keys.set(request.keyId, inUseByKey + 1);
      }
      users.set(request.userId, inUseByUser + 1);
      return new CountedPermit(users, keys, request, remaining);
    },
    inUse(userId) {
      if (userId !== null) return users.get(userId) ?? 0;
      let total = 0;
      for (const count of users.values()) total += count;
      return total;
    },
    async close() {},
  };
}

class CountedPermit implements Permit {
  readonly remaining: number;
  readonly #users: Map<string, number>;
  readonly #keys: Map<string, number>;
  /** null: the permit was released. */
  #request: PermitRequest | null;

  constructor(
    users: Map<string, number>,
    keys: Map<string, number>,
    request: PermitRequest,
    remaining: number,
  ) {
    this.#users = users;
    this.#keys = keys;
    this.#request = request;
    this.remaining = remaining;
  }

  release(): void {
    if (this.#request === null) return;
    const { userId, keyId } = this.#request;
    this.#request = null;
    decrement(this.#users, userId);
    if (keyId !== null) decrement(this.#keys, keyId);
  }
}

function decrement(counts: Map<string, number>, id: string): void {
  const count = counts.get(id) ?? 0;
  if (count <= 1) counts.delete(id);
  else counts.set(id, count - 1);
}
