import type { ApiKey } from '../../api/keys.ts';
import { formatCount } from '../../ui/format.ts';

/** What a key is restricted to, in words; where it is not, that is said too. */
export function limitsInWords({ scopes, domains, ips, daily_budget, concurrency }: ApiKey): string {
  const words = [
    domains.length === 0 ? 'any site' : `only ${someOf(domains)}`,
    ips.length === 0 ? 'any address' : `from ${someOf(ips)}`,
    daily_budget === null ? 'no daily limit' : `${budgetInWords(daily_budget)} a day`,
  ];
  if (concurrency !== null) words.push(`${formatCount(concurrency)} at once`);
  const rights = rightsInWords(scopes);
  const text = [...(rights === null ? [] : [rights]), ...words].join(' · ');
  return `${text[0]!.toUpperCase()}${text.slice(1)}`;
}

function budgetInWords({ unit, amount }: NonNullable<ApiKey['daily_budget']>): string {
  if (unit === 'cost') return `costs of ${amount}`;
  return amount === 1 ? '1 scrape' : `${formatCount(amount)} scrapes`;
}

/** null: the usual ones. */
function rightsInWords(scopes: ApiKey['scopes']): string | null {
  const [scrapes, reads, manages] = [
    scopes.includes('scrape'),
    scopes.includes('read'),
    scopes.includes('admin'),
  ];
  if (scrapes && reads) return manages ? 'may manage' : null;
  const others = [scrapes ? 'scrapes' : '', reads ? 'reads' : '', manages ? 'manages' : ''].filter(Boolean);
  return `only ${others.join(' and ')}`;
}

function someOf(list: readonly string[]): string {
  if (list.length === 2) return `${list[0]} and ${list[1]}`;
  return list.length === 1 ? list[0]! : `${list[0]} and ${list.length - 1} more`;
}
