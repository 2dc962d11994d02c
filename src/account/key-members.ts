import { parseIpRange } from '../base/ip-range.ts';
import type { Failure } from '../domain/failure.ts';
import { type DailyBudget, SCOPES, type Scope } from '../domain/principal.ts';
import { normaliseDomain } from './domain-list.ts';
import { invalid } from './managed.ts';

/** What the holder of a key can set. */
export interface KeyMembers {
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
const MOST_COST = 1_000_000_000;

/** The members in their stored form, and what is wrong with them (empty: nothing). Absent members stay absent. */
export function checkKeyMembers(
  given: Partial<KeyMembers>,
  now: number,
  priced: boolean,
): { readonly members: Partial<KeyMembers>; readonly failures: readonly Failure[] } {
  const failures: Failure[] = [];
  const members: { -readonly [K in keyof KeyMembers]?: KeyMembers[K] } = { ...given };
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
          invalid(`/scopes/${i}`, `A scope must be one of ${SCOPES.join(', ')}; got ${quote(scope)}.`),
        );
      }
    });
  }
  if (domains !== undefined) {
    members.domains = entries('/domains', domains, normaliseDomain, DOMAIN_TEXT, failures);
  }
  if (ips !== undefined) {
    members.ips = entries(
      '/ips',
      ips,
      (text) => (parseIpRange(text) === null ? null : text),
      IP_TEXT,
      failures,
    );
  }
  if (dailyBudget !== undefined && dailyBudget !== null) checkBudget(dailyBudget, priced, failures);
  if (typeof concurrency === 'number' && !isLimit(concurrency)) {
    failures.push(invalid('/concurrency', LIMIT_TEXT));
  }
  return { members, failures };
}

const DOMAIN_TEXT = 'must be a domain such as example.com or *.example.com, without scheme, port or path';
const IP_TEXT = 'must be an address or a CIDR range such as 192.0.2.0/24';
export const LIMIT_TEXT = 'The concurrency must be a whole number from 1 to 100000, or null for the default.';

export const isLimit = (number: number): boolean =>
  Number.isInteger(number) && number >= 1 && number <= 100_000;

function entries(
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
    if (one === null) failures.push(invalid(`${pointer}/${i}`, `An entry ${allowed}; got ${quote(text)}.`));
    else found.add(one);
  });
  return [...found];
}

function checkBudget({ amount, unit }: DailyBudget, priced: boolean, failures: Failure[]): void {
  if (unit === 'cost' && priced) {
    if (!Number.isFinite(amount) || amount < 0 || amount > MOST_COST)
      failures.push(invalid('/daily_budget/amount', `The amount must be a number from 0 to ${MOST_COST}.`));
  } else if (unit === 'cost') {
    failures.push(
      invalid(
        '/daily_budget/unit',
        'A budget in `cost` needs prices, and the operator has configured none. Use `scrapes`.',
      ),
    );
  } else if (unit !== 'scrapes') {
    failures.push(invalid('/daily_budget/unit', `The unit must be scrapes or cost; got ${quote(unit)}.`));
  } else if (!Number.isSafeInteger(amount) || amount < 0) {
    failures.push(invalid('/daily_budget/amount', 'The amount of scrapes must be a whole number from 0.'));
  }
}

function quote(text: unknown): string {
  return JSON.stringify(String(text).slice(0, 80));
}
