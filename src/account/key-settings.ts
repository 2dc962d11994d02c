import { isIPv6 } from 'node:net';
import { parseIpRange } from '../base/ip-range.ts';
import { type DailyBudget, SCOPES, type Scope } from '../domain/account.ts';
import type { Failure } from '../domain/failure.ts';

import { withoutFinalDot } from '../domain/url-check.ts';
import { invalid } from './account-actions.ts';

/**
 * An entry of a key's list of domains, in the form in which it is stored and compared: `example.com` (with subdomains),
 * `*.example.com` (subdomains only), or an IP literal. Lower-case, IDNA-encoded by the URL parser, without a final dot.
 * @returns null if the text is none of these
 */
export function normaliseDomain(text: string): string | null {
  const isWildcard = text.startsWith('*.');
  const name = isWildcard ? text.slice(2) : text;
  const unbracketed = name.startsWith('[') && name.endsWith(']') ? name.slice(1, -1) : name;
  if (isIPv6(unbracketed))
    return isWildcard || unbracketed.includes('%') ? null : new URL(`http://[${unbracketed}]/`).hostname;
  if (unbracketed === '' || /[\s/?#@\\:*[\]]/.test(name)) return null;
  const url = URL.parse(`http://${name}/`);
  if (url === null || url.pathname !== '/' || url.port !== '') return null;
  const host = withoutFinalDot(url.hostname);
  if (host === '' || host.startsWith('.') || host.endsWith('.') || host.includes('..')) return null;
  if (!isWildcard) return host;
  // An IPv4 address has no subdomains.
  return /^[\d.]+$/.test(host) ? null : `*.${host}`;
}

/** The settings of a key that can be changed. */
export interface KeySettings {
  readonly name: string;
  /** ms since the epoch; null: never. */
  readonly expiresAt: number | null;
  readonly scopes: readonly Scope[];
  /** Empty: all. */
  readonly domains: readonly string[];
  /** Empty: any address. */
  readonly ips: readonly string[];
  readonly dailyBudget: DailyBudget | null;
  readonly concurrency: number | null;
}

/** Limit of the list of domains and of the list of addresses. */
const MAX_ENTRIES = 100;
/** In micro-units, this is still a safe integer. */
const MAX_COST = 1_000_000_000;
/** The latest time of a JavaScript Date, ms since the epoch (ECMA-262 §21.4.1.1). */
const MAX_DATE_MS = 8.64e15;

/**
 * Checks settings and brings them into the form in which they are stored. Absent members stay absent.
 * @param now ms since the epoch
 * @param priced whether prices are configured, so that a budget may be a cost
 */
export function validateKeySettings(
  settings: Partial<KeySettings>,
  now: number,
  priced: boolean,
): { readonly members: Partial<KeySettings>; readonly failures: readonly Failure[] } {
  const failures: Failure[] = [];
  const members: { -readonly [K in keyof KeySettings]?: KeySettings[K] } = { ...settings };
  const { name, expiresAt, scopes, domains, ips, dailyBudget, concurrency } = settings;
  if (name !== undefined) {
    members.name = name.trim();
    if (members.name.length < 1 || members.name.length > 100 || /[\u0000-\u001f\u007f]/.test(name)) {
      failures.push(invalid('/name', 'The name must have 1 to 100 characters, without control characters.'));
    }
  }
  if (typeof expiresAt === 'number' && !(expiresAt > now && expiresAt <= MAX_DATE_MS)) {
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

/** @param requirement what an entry must be, for the error message; errors are added to `failures` */
function normaliseEntries(
  pointer: string,
  texts: readonly string[],
  normalise: (text: string) => string | null,
  requirement: string,
  failures: Failure[],
): readonly string[] {
  if (texts.length > MAX_ENTRIES)
    failures.push(invalid(pointer, `At most ${MAX_ENTRIES} entries are allowed.`));
  const entries = new Set<string>();
  texts.slice(0, MAX_ENTRIES).forEach((text, i) => {
    const entry = normalise(text.trim());
    if (entry === null)
      failures.push(invalid(`${pointer}/${i}`, `An entry ${requirement}; got ${quoteInput(text)}.`));
    else entries.add(entry);
  });
  return [...entries];
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
