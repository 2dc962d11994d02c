import type { TSchema } from 'typebox';
import type { Failure } from '../../domain/failure.ts';
import type { DailyBudget, Role, Scope } from '../../domain/principal.ts';
import { readTime } from '../record/time-text.ts';
import { withoutNulls } from '../request/without-nulls.ts';
import { isObject } from '../schema/build.ts';
import { checker } from '../schema/checker.ts';
import type { Schema } from '../schema/explain.ts';
import { type Problems, wrongValue } from '../schema/problems.ts';
import { KeyCreate, KeyPatch, KeyRotate, UserCreate, UserPatch } from './account-schema.ts';

/** Members of a key as the core names them; absent ones were not given. Times are ms since the epoch. */
export interface KeyAsk {
  readonly name?: string;
  readonly expiresAt?: number | null;
  readonly scopes?: readonly Scope[];
  readonly domains?: readonly string[];
  readonly ips?: readonly string[];
  readonly dailyBudget?: DailyBudget | null;
  readonly concurrency?: number | null;
}
export interface UserAsk {
  readonly email?: string;
  readonly role?: Role;
  readonly concurrency?: number | null;
  readonly password?: string | null;
  readonly disabled?: boolean;
}

export type Parsed<T> =
  | { readonly value: T; readonly problems: null }
  | { readonly value: null; readonly problems: readonly Failure[] };

type Body = Readonly<Record<string, unknown>>;

/**
 * Reads bodies of that schema; `read` may find more that is wrong. An optional member that is null counts as absent
 * (contract, general rules), unless `nulls` says that it has a meaning.
 */
export function parser<T>(
  schema: TSchema,
  read: (body: Body, problems: Problems) => T,
  nulls: 'absent' | 'meant' = 'absent',
) {
  const check = checker(schema);
  return (given: unknown): Parsed<T> => {
    const problems: Problems = [];
    const body = nulls === 'absent' ? withoutNulls(given, schema as Schema) : given;
    if (!isObject(body)) wrongValue(problems, '', 'must be a JSON object', body);
    else if (check(body, '', problems)) {
      const value = read(body, problems);
      if (problems.length === 0) return { value, problems: null };
    }
    return { value: null, problems };
  };
}

/** Body of `POST /api/v1/keys/`. Whether domains and addresses are such, the core tells. */
export const parseKeyCreate = parser(
  KeyCreate,
  (body, problems) => readKey(body, problems) as KeyAsk & { readonly name: string },
);
/** Body of `PATCH /api/v1/keys/{id}/`. Here null has a meaning: it takes the limit away. */
export const parseKeyPatch = parser(KeyPatch, readKey, 'meant');
/** Body of `POST /api/v1/keys/{id}/rotate/`. */
export const parseKeyRotate = parser(KeyRotate, (body) => ({
  overlapHours: (body.overlap_hours as number | undefined) ?? 0,
}));
export const parseUserCreate = parser(
  UserCreate,
  (body) => body as unknown as UserAsk & { readonly email: string },
);
export const parseUserPatch = parser(UserPatch, (body) => body as UserAsk, 'meant');

function readKey(body: Body, problems: Problems): KeyAsk {
  const { expires_at: expires, daily_budget: dailyBudget, ...same } = body;
  let ask: KeyAsk = same;
  if (dailyBudget !== undefined) ask = { ...ask, dailyBudget: dailyBudget as DailyBudget | null };
  if (expires === undefined) return ask;
  const expiresAt = expires === null ? null : readTime(String(expires));
  if (expires !== null && expiresAt === null) {
    wrongValue(problems, '/expires_at', 'must be an RFC 3339 time such as 2027-01-31T12:00:00Z', expires);
  }
  return { ...ask, expiresAt };
}
