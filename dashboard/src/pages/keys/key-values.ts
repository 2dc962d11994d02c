import type { Schema } from '../../api/client.ts';
import type { ApiKey, Scope } from '../../api/keys.ts';
import { type Expiry, expiryProblem, expiryTime, NEVER } from './expiry.ts';

/** What stands in the form of a key; its members are named as those of the API. */
export interface KeyValues {
  name: string;
  expires_at: Expiry;
  scopes: Scope[];
  domains: string[];
  ips: string[];
  /** A day; `''`: no limit. */
  daily_budget: number | string;
  budget_unit: 'scrapes' | 'cost';
  /** `''`: all that the user has. */
  concurrency: number | string;
}

export const KEY_FIELDS = [
  'name',
  'expires_at',
  'scopes',
  'domains',
  'ips',
  'daily_budget',
  'concurrency',
] as const satisfies readonly (keyof KeyValues)[];

export const NEW_KEY: KeyValues = {
  name: '',
  expires_at: NEVER,
  scopes: ['scrape', 'read'],
  domains: [],
  ips: [],
  daily_budget: '',
  budget_unit: 'scrapes',
  concurrency: '',
};

export function valuesOf(key: ApiKey): KeyValues {
  return {
    name: key.name,
    expires_at: key.expires_at === null ? NEVER : { choice: 'keep', date: '' },
    scopes: key.scopes,
    domains: key.domains,
    ips: key.ips,
    daily_budget: key.daily_budget?.amount ?? '',
    budget_unit: key.daily_budget?.unit ?? 'scrapes',
    concurrency: key.concurrency ?? '',
  };
}

export const keyRules = {
  name: (name: string) => (name.trim() === '' ? 'Give it a name, such as the program that uses it.' : null),
  scopes: (scopes: readonly Scope[]) =>
    scopes.length === 0 ? 'Choose at least one, or the key could do nothing.' : null,
  expires_at: (expiry: Expiry) => expiryProblem(expiry, Date.now()),
};

export function createBody(values: KeyValues): Schema<'ApiKeyCreate'> {
  return { ...membersOf(values, Date.now()) };
}

/** Only what differs, so that an expiry that has passed is not sent again. */
export function patchBody(values: KeyValues, before: KeyValues): Schema<'ApiKeyPatch'> {
  const [next, old] = [membersOf(values, Date.now()), membersOf(before, Date.now())];
  const changed = KEY_FIELDS.filter((name) => JSON.stringify(next[name]) !== JSON.stringify(old[name]));
  return Object.fromEntries(changed.map((name) => [name, next[name]]));
}

function membersOf(
  { name, expires_at, scopes, domains, ips, daily_budget, budget_unit, concurrency }: KeyValues,
  now: number,
) {
  return {
    name: name.trim(),
    expires_at: expiryTime(expires_at, now),
    scopes,
    domains,
    ips,
    daily_budget: daily_budget === '' ? null : { amount: Number(daily_budget), unit: budget_unit },
    concurrency: concurrency === '' ? null : Number(concurrency),
  };
}
