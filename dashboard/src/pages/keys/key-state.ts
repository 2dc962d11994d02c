import { plural, t } from '@lingui/core/macro';
import type { ApiKey } from '../../api/keys.ts';
import { formatCost, formatCount } from '../../ui/format.ts';

/** `expiring`: it works, but expires within a week, in which it should be replaced. */
export type KeyState = 'active' | 'expiring' | 'expired' | 'revoked';

const EXPIRING_MS = 7 * 86_400_000;

export function keyState({ revoked_at, expires_at }: ApiKey, now: number): KeyState {
  if (revoked_at !== null) return 'revoked';
  if (expires_at === null) return 'active';
  const left = Date.parse(expires_at) - now;
  return left <= 0 ? 'expired' : left <= EXPIRING_MS ? 'expiring' : 'active';
}

export function isUsable(key: ApiKey, now: number): boolean {
  const state = keyState(key, now);
  return state === 'active' || state === 'expiring';
}

/** How a key is shown everywhere. The service only knows its beginning and its end. */
export const shortKey = ({ prefix, last4 }: ApiKey): string => `${prefix}…${last4}`;

/** What a key may do, in one line: `Only reads · only example.com · any address · 500 scrapes a day`. @param currency of costs */
export function limitsText(
  { test, scopes, domains, ips, daily_budget, concurrency }: ApiKey,
  currency: string,
): string {
  const limits = [
    test ? t`only test hosts` : domains.length === 0 ? t`any site` : t`only ${listText(domains)}`,
    ips.length === 0 ? t`any address` : t`from ${listText(ips)}`,
    // Test hosts count in no budget.
    ...(test
      ? []
      : [daily_budget === null ? t`no daily limit` : t`${budgetText(daily_budget, currency)} a day`]),
  ];
  if (concurrency !== null) limits.push(t`${formatCount(concurrency)} at once`);
  const rights = scopesText(scopes);
  const text = [...(rights === null ? [] : [rights]), ...limits].join(' · ');
  // A host keeps its case: some languages begin with it.
  return domains.some((host) => text.startsWith(host)) ? text : `${text[0]!.toUpperCase()}${text.slice(1)}`;
}

function budgetText({ unit, amount }: NonNullable<ApiKey['daily_budget']>, currency: string): string {
  if (unit === 'cost') return formatCost(amount, currency);
  return plural(amount, { one: '# scrape', other: '# scrapes' });
}

/** null: the key has the default scopes, which need no mention. The service makes no key without scopes. */
function scopesText(scopes: ApiKey['scopes']): string | null {
  const [scrapes, reads, manages] = [
    scopes.includes('scrape'),
    scopes.includes('read'),
    scopes.includes('admin'),
  ];
  if (scrapes && reads) return manages ? t`may manage` : null;
  if (scrapes) return manages ? t`only scrapes and manages` : t`only scrapes`;
  if (reads) return manages ? t`only reads and manages` : t`only reads`;
  return manages ? t`only manages` : '';
}

/** `a`, `a and b`, or `a and 2 more`. @param list not empty */
function listText(list: readonly string[]): string {
  if (list.length === 2) return t`${list[0]!} and ${list[1]!}`;
  return list.length === 1 ? list[0]! : t`${list[0]!} and ${list.length - 1} more`;
}
