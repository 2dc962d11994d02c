import type { DailyBudget } from '../../domain/principal.ts';
import { timeText, timeTextOrNull } from '../record/time-text.ts';

/** What of a key is shown; the store's row has it. Times are ms since the epoch. */
export interface KeyFacts {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly last4: string;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
  readonly scopes: readonly string[];
  readonly domains: readonly string[];
  readonly ips: readonly string[];
  readonly dailyBudget: DailyBudget | null;
  readonly concurrency: number | null;
}

export interface UserFacts {
  readonly id: string;
  readonly email: string;
  readonly role: string;
  /** null: the default of the service. */
  readonly concurrency: number | null;
  readonly disabledAt: number | null;
  readonly createdAt: number;
}

/** A key object. @param key the text of the key, only when it was made just now */
export function keyObject(facts: KeyFacts, key?: string) {
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
export function userObject(facts: UserFacts, defaultConcurrency: number) {
  return {
    id: facts.id,
    email: facts.email,
    role: facts.role,
    concurrency: facts.concurrency ?? defaultConcurrency,
    disabled_at: timeTextOrNull(facts.disabledAt),
    created_at: timeText(facts.createdAt),
  };
}
