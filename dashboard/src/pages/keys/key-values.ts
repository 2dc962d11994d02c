import type { Schema } from '../../api/client.ts';
import type { ApiKey, Scope } from '../../api/keys.ts';

/** How long a key is to work. `keep`: as it is; `date`: until `date`. */
export interface Expiry {
  readonly choice: string;
  /** As `<input type="datetime-local">` has it, in the zone of the reader. */
  readonly date: string;
}

const NEVER: Expiry = { choice: 'never', date: '' };

const DAY_MS = 86_400_000;

/** Days by their name. */
export const EXPIRY_PRESETS: readonly (readonly [days: number, label: string])[] = [
  [7, '7 days'],
  [30, '30 days'],
  [90, '90 days'],
  [365, '1 year'],
];

/** For the API: a time, null for never, undefined for what stays as it is (or is no date). */
export function expiryTime({ choice, date }: Expiry, now: number): string | null | undefined {
  if (choice === 'never') return null;
  if (choice === 'keep') return undefined;
  const at = choice === 'date' ? new Date(date).getTime() : now + Number(choice) * DAY_MS;
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
}

/** What is wrong with it; null: nothing. */
function expiryProblem(expiry: Expiry, now: number): string | null {
  if (expiry.choice !== 'date') return null;
  const at = new Date(expiry.date).getTime();
  if (Number.isNaN(at)) return 'Choose a day and a time.';
  return at > now ? null : 'Choose a time that is still to come.';
}

/** A month from now, to begin with. */
export function defaultExpiryDate(now: number): string {
  const at = new Date(now + 30 * DAY_MS);
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

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

export function valuesOfKey(key: ApiKey): KeyValues {
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

export const keyValidation = {
  name: (name: string) => (name.trim() === '' ? 'Give it a name, such as the program that uses it.' : null),
  scopes: (scopes: readonly Scope[]) =>
    scopes.length === 0 ? 'Choose at least one, or the key could do nothing.' : null,
  expires_at: (expiry: Expiry) => expiryProblem(expiry, Date.now()),
};

export function createBody(values: KeyValues): Schema<'ApiKeyCreate'> {
  return { ...requestMembers(values, Date.now()) };
}

/** Only what differs, so that an expiry that has passed is not sent again. */
export function patchBody(values: KeyValues, before: KeyValues): Schema<'ApiKeyPatch'> {
  const [next, old] = [requestMembers(values, Date.now()), requestMembers(before, Date.now())];
  const changed = KEY_FIELDS.filter((name) => JSON.stringify(next[name]) !== JSON.stringify(old[name]));
  return Object.fromEntries(changed.map((name) => [name, next[name]]));
}

function requestMembers(
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
