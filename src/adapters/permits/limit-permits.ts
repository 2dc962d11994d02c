import type { Holding, LimitClaim, SharedLimits } from '../../ports/coordination.ts';
import type { PermitRequest, Permits } from '../../ports/permits.ts';

/** Of a key without a limit of its own. It counts nevertheless, because it may get a limit. */
const NO_LIMIT = 2 ** 31 - 1;

const USER_PREFIX = 'user:';

/** Permits as places under the name of the user and under that of the key. `take` is synchronous if the limits are. */
export function createLimitPermits(limits: SharedLimits): Permits {
  return {
    take: (request): Promise<Holding | null> | Holding | null => limits.take(claimsOf(request)),
    inUse: (userId) =>
      userId === null ? limits.inUseBelow(USER_PREFIX) : limits.inUse(USER_PREFIX + userId),
  };
}

function claimsOf({ userId, limit, keyId, keyLimit }: PermitRequest): readonly LimitClaim[] {
  const user = { name: USER_PREFIX + userId, limit };
  return keyId === null ? [user] : [user, { name: `key:${keyId}`, limit: keyLimit ?? NO_LIMIT }];
}
