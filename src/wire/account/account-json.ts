import type { KeyRow, UserRow } from '../../domain/account.ts';
import { timeText, timeTextOrNull } from '../record/time-text.ts';

/** A key object. @param key the text of the key, only when it was made just now */
export function keyObject(
  facts: KeyRow,
  today: { readonly requests: number; readonly cost: number },
  key?: string,
) {
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
    requests_today: today.requests,
    cost_today: today.cost,
    ...(key === undefined ? {} : { key }),
  };
}

/** What a user object tells besides what is stored. */
export interface UserMoment {
  /** What holds for users without a limit of their own. */
  readonly defaultConcurrency: number;
  /** ms since the epoch; null: never. */
  readonly lastSeenAt: number | null;
  readonly inFlight: number;
}

/** A user object; of the password it tells no more than that there is one. */
export function userObject(facts: UserRow, moment: UserMoment) {
  return {
    id: facts.id,
    email: facts.email,
    role: facts.role,
    concurrency: facts.concurrency ?? moment.defaultConcurrency,
    concurrency_is_default: facts.concurrency === null,
    disabled_at: timeTextOrNull(facts.disabledAt),
    created_at: timeText(facts.createdAt),
    has_password: facts.passwordHash !== null,
    last_seen_at: timeTextOrNull(moment.lastSeenAt),
    in_flight: moment.inFlight,
  };
}
