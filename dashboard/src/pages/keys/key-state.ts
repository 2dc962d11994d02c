import type { ApiKey } from '../../api/keys.ts';

/** `expiring`: it works, but not for much longer. */
export type KeyState = 'active' | 'expiring' | 'expired' | 'revoked';

const SOON_MS = 7 * 86_400_000;

export function keyState({ revoked_at, expires_at }: ApiKey, now: number): KeyState {
  if (revoked_at !== null) return 'revoked';
  if (expires_at === null) return 'active';
  const left = Date.parse(expires_at) - now;
  return left <= 0 ? 'expired' : left <= SOON_MS ? 'expiring' : 'active';
}

export function works(key: ApiKey, now: number): boolean {
  const state = keyState(key, now);
  return state === 'active' || state === 'expiring';
}

/** As it is written everywhere: what is between is known to its holder alone. */
export const shortKey = ({ prefix, last4 }: ApiKey): string => `${prefix}…${last4}`;
