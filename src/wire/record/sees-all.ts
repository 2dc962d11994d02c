import type { Principal } from '../../domain/principal.ts';

/** Administrators see what all users did, but only where they look themselves: a key shows what its own user did. */
export function seesAll(who: Pick<Principal, 'keyId' | 'role'>): boolean {
  return who.keyId === null && who.role === 'admin';
}
