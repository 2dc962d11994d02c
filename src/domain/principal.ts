export const SCOPES = ['scrape', 'read', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];
export const DEFAULT_SCOPES: readonly Scope[] = ['scrape', 'read'];

export type Role = 'admin' | 'user';

export interface DailyBudget {
  readonly amount: number;
  readonly unit: 'scrapes' | 'cost';
}

/** Who calls. Made by `account` from a key, or from a session: that has all scopes and no limits but the user's. */
export interface Principal {
  readonly userId: string;
  readonly role: Role;
  /** Requests in flight at once, over all keys of the user. */
  readonly concurrency: number;
  /** null: by session. */
  readonly keyId: string | null;
  /** Share of the user's concurrency that this key may use; null: all of it. */
  readonly keyConcurrency: number | null;
  readonly scopes: readonly Scope[];
  /** Target domains (and their sub-domains) this key may scrape; empty: all. */
  readonly domains: readonly string[];
  readonly dailyBudget: DailyBudget | null;
}
