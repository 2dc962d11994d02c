import type { KeyRow, UserRow } from '../../domain/account.ts';
import { timeText, timeTextOrNull } from '../record/time-text.ts';

/** A key object. @param key the text of the key, only when it was made just now */
export function keyObject(facts: KeyRow, key?: string) {
  return {
    id: facts.id,
    name: facts.name,
    prefix: facts.prefix,
    last4: facts.last4,
    created_at: timeText(facts.createdAt),
    last_used_at: timeTextOrNull(facts.lastUsedAt),
    expires_at: timeTextOrNull(facts.expiresAt),
    revoked_at: timeTextOrNull(facts.revokedAt),
    scopes: facts.scopes,
    domains: facts.domains,
    ips: facts.ips,
    daily_budget: facts.dailyBudget,
    concurrency: facts.concurrency,
    ...(key === undefined ? {} : { key }),
  };
}

/** A user object. @param defaultConcurrency what holds for users without a limit of their own */
export function userObject(facts: Omit<UserRow, 'passwordHash'>, defaultConcurrency: number) {
  return {
    id: facts.id,
    email: facts.email,
    role: facts.role,
    concurrency: facts.concurrency ?? defaultConcurrency,
    disabled_at: timeTextOrNull(facts.disabledAt),
    created_at: timeText(facts.createdAt),
  };
}
