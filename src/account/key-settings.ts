import { isIPv6 } from 'node:net';
import { parseIpRange } from '../base/ip-range.ts';
import { type DailyBudget, type Principal, SCOPES, type Scope } from '../domain/account.ts';
import { type Failure, failure } from '../domain/failure.ts';
import { invalid } from './account-actions.ts';

/**
 * An entry of a key's domain list as it is stored and compared: `example.com` (itself and its sub-domains),
 * `*.example.com` (sub-domains only), or an IP literal. Lower-case, IDNA as the URL parser does it, without a final
 * dot. null when it is none of these.
 */
export function normaliseDomain(text: string): string | null {
  const wild = text.startsWith('*.');
  const name = wild ? text.slice(2) : text;
  const bare = name.startsWith('[') && name.endsWith(']') ? name.slice(1, -1) : name;
  if (isIPv6(bare)) return wild || bare.includes('%') ? null : new URL(`http://[${bare}]/`).hostname;
  if (bare === '' || /[\s/?#@\\:*[\]]/.test(name)) return null;
  const url = URL.parse(`http://${name}/`);
  if (url === null || url.pathname !== '/' || url.port !== '') return null;
  const host = withoutFinalDot(url.hostname);
  if (host === '' || host.startsWith('.') || host.endsWith('.') || host.includes('..')) return null;
  const literal = /^[\d.]+$/.test(host);
  return wild && literal ? null : wild ? `*.${host}` : host;
}

/** Whether the key's list covers the host of `url`, a main document: `policy.domain` when not. Empty list: all. */
export function domainRefusal(principal: Pick<Principal, 'domains'>, url: URL): Failure | null {
  const { domains } = principal;
  if (domains.length === 0) return null;
  const host = withoutFinalDot(url.hostname);
  for (const domain of domains) {
    if (domain.startsWith('*.') ? host.endsWith(domain.slice(1)) : coversHost(domain, host)) return null;
  }
  return failure('policy.domain', `The host ${host} is not on the list of domains that this key may scrape.`);
}

function coversHost(domain: string, host: string): boolean {
  return host === domain || (host.endsWith(domain) && host[host.length - domain.length - 1] === '.');
}

function withoutFinalDot(host: string): string {
  return host.endsWith('.') ? host.slice(0, -1) : host;
}

/** What the holder of a key can set. */
export interface KeySettings {
  readonly name: string;
  /** ms since the epoch; null: never. */
  readonly expiresAt: number | null;
  readonly scopes: readonly Scope[];
  /** Empty: all. */
  readonly domains: readonly string[];
  /** Empty: from anywhere. */
  readonly ips: readonly string[];
  readonly dailyBudget: DailyBudget | null;
  readonly concurrency: number | null;
}

const MAX_ENTRIES = 100;
/** In millionths it is a whole number that can still be counted. */
const MAX_COST = 1_000_000_000;

/** The members in their stored form, and what is wrong with them (empty: nothing). Absent members stay absent. */
export function validateKeySettings(
  given: Partial<KeySettings>,
  now: number,
  priced: boolean,
): { readonly members: Partial<KeySettings>; readonly failures: readonly Failure[] } {
  const failures: Failure[] = [];
  const members: { -readonly [K in keyof KeySettings]?: KeySettings[K] } = { ...given };
  const { name, expiresAt, scopes, domains, ips, dailyBudget, concurrency } = given;
  if (name !== undefined) {
    members.name = name.trim();
    if (members.name.length < 1 || members.name.length > 100 || /[\u0000-\u001f\u007f]/.test(name)) {
      failures.push(invalid('/name', 'The name must have 1 to 100 characters, without control characters.'));
    }
  }
  if (typeof expiresAt === 'number' && !(expiresAt > now && expiresAt <= 8.64e15)) {
    failures.push(invalid('/expires_at', 'The expiry must be in the future.'));
  }
  if (scopes !== undefined) {
    members.scopes = [...new Set(scopes)];
    if (scopes.length === 0) failures.push(invalid('/scopes', 'A key needs at least one scope.'));
    scopes.forEach((scope, i) => {
      if (!SCOPES.includes(scope)) {
        failures.push(
          invalid(`/scopes/${i}`, `A scope must be one of ${SCOPES.join(', ')}; got ${quoteInput(scope)}.`),
        );
      }
    });
  }
  if (domains !== undefined) {
    members.domains = normaliseEntries('/domains', domains, normaliseDomain, DOMAIN_TEXT, failures);
  }
  if (ips !== undefined) {
    members.ips = normaliseEntries(
      '/ips',
      ips,
      (text) => (parseIpRange(text) === null ? null : text),
      IP_TEXT,
      failures,
    );
  }
  if (dailyBudget !== undefined && dailyBudget !== null) checkBudget(dailyBudget, priced, failures);
  if (typeof concurrency === 'number' && !isConcurrencyLimit(concurrency)) {
    failures.push(invalid('/concurrency', CONCURRENCY_TEXT));
  }
  return { members, failures };
}

const DOMAIN_TEXT = 'must be a domain such as example.com or *.example.com, without scheme, port or path';
const IP_TEXT = 'must be an address or a CIDR range such as 192.0.2.0/24';
export const CONCURRENCY_TEXT =
  'The concurrency must be a whole number from 1 to 100000, or null for the default.';

export const isConcurrencyLimit = (number: number): boolean =>
  Number.isInteger(number) && number >= 1 && number <= 100_000;

function normaliseEntries(
  pointer: string,
  texts: readonly string[],
  read: (text: string) => string | null,
  allowed: string,
  failures: Failure[],
): readonly string[] {
  if (texts.length > MAX_ENTRIES)
    failures.push(invalid(pointer, `At most ${MAX_ENTRIES} entries are allowed.`));
  const found = new Set<string>();
  texts.slice(0, MAX_ENTRIES).forEach((text, i) => {
    const one = read(text.trim());
    if (one === null)
      failures.push(invalid(`${pointer}/${i}`, `An entry ${allowed}; got ${quoteInput(text)}.`));
    else found.add(one);
  });
  return [...found];
}

function checkBudget({ amount, unit }: DailyBudget, priced: boolean, failures: Failure[]): void {
  if (unit === 'cost' && priced) {
    if (!Number.isFinite(amount) || amount < 0 || amount > MAX_COST)
      failures.push(invalid('/daily_budget/amount', `The amount must be a number from 0 to ${MAX_COST}.`));
  } else if (unit === 'cost') {
    failures.push(
      invalid(
        '/daily_budget/unit',
        'A budget in `cost` needs prices, and the operator has configured none. Use `scrapes`.',
      ),
    );
  } else if (unit !== 'scrapes') {
    failures.push(
      invalid('/daily_budget/unit', `The unit must be scrapes or cost; got ${quoteInput(unit)}.`),
    );
  } else if (!Number.isSafeInteger(amount) || amount < 0) {
    failures.push(invalid('/daily_budget/amount', 'The amount of scrapes must be a whole number from 0.'));
  }
}

function quoteInput(text: unknown): string {
  return JSON.stringify(String(text).slice(0, 80));
}
