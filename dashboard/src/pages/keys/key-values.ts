import { t } from '@lingui/core/macro';
import type { Schema } from '../../api/client.ts';
import type { ApiKey, Scope } from '../../api/keys.ts';

/** The expiry of a key, as chosen in the form. */
export interface Expiry {
  /** `never`; `keep`: unchanged; `date`: at `date`; or the number of days from now. */
  readonly choice: string;
  /** The value of `<input type="datetime-local">`, in the local time zone. */
  readonly date: string;
}

const NEVER: Expiry = { choice: 'never', date: '' };

const DAY_MS = 86_400_000;

/** Numbers of days with their labels. */
export const EXPIRY_PRESETS: readonly (readonly [days: number, label: string])[] = [
  [7, t`7 days`],
  [30, t`30 days`],
  [90, t`90 days`],
  [365, t`1 year`],
];

/** The value for the API: a time; null: never; undefined: unchanged, or not a valid date. */
export function expiryTime({ choice, date }: Expiry, now: number): string | null | undefined {
  if (choice === 'never') return null;
  if (choice === 'keep') return undefined;
  const at = choice === 'date' ? new Date(date).getTime() : now + Number(choice) * DAY_MS;
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
}

/** An error message; null if the expiry is valid. */
function expiryProblem(expiry: Expiry, now: number): string | null {
  if (expiry.choice !== 'date') return null;
  const at = new Date(expiry.date).getTime();
  if (Number.isNaN(at)) return t`Choose a day and a time.`;
  return at > now ? null : t`Choose a time that is still to come.`;
}

/** The initial value: a month from now. */
export function defaultExpiryDate(now: number): string {
  const at = new Date(now + 30 * DAY_MS);
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

/** The values of the key form. The names are those of the API. */
export interface KeyValues {
  name: string;
  /** A test key, which scrapes test hosts alone. */
  test: boolean;
  expires_at: Expiry;
  scopes: Scope[];
  domains: string[];
  ips: string[];
  /** Amount for each day; `''`: no limit. */
  daily_budget: number | string;
  budget_unit: 'scrapes' | 'cost';
  /** `''`: the limit of the user. */
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
  test: false,
  expires_at: NEVER,
  scopes: ['scrape', 'read', 'jobs'],
  domains: [],
  ips: [],
  daily_budget: '',
  budget_unit: 'scrapes',
  concurrency: '',
};

export function valuesOfKey(key: ApiKey): KeyValues {
  return {
    name: key.name,
    test: key.test,
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
  name: (name: string) => (name.trim() === '' ? t`Give it a name, such as the program that uses it.` : null),
  scopes: (scopes: readonly Scope[]) =>
    scopes.length === 0 ? t`Choose at least one, or the key could do nothing.` : null,
  expires_at: (expiry: Expiry) => expiryProblem(expiry, Date.now()),
};

export function createBody(values: KeyValues): Schema<'ApiKeyCreate'> {
  const { domains, daily_budget, ...members } = requestMembers(values, Date.now());
  // Test hosts count in no budget.
  return values.test ? { ...members, test: true } : { ...members, domains, daily_budget };
}

/** Only the changed values, so that an expiry in the past is not sent again. */
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
