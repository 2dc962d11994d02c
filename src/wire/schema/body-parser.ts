import type { TSchema } from 'typebox';
import type { Failure } from '../../domain/failure.ts';
import { isObject } from '../../domain/json-schema.ts';
import { withoutNulls, withoutNullsWithin } from './json-value.ts';
import { addValueProblem, type Problems } from './problems.ts';
import { checker, type Schema } from './validation.ts';

export type ParsedBody<T> =
  | { readonly value: T; readonly problems: null }
  | { readonly value: null; readonly problems: readonly Failure[] };

export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * What null in a body means. `absent`: an optional member that is null counts as absent (contract, general rules); `kept`: null has
 * a meaning, such as to reset a member; `kept in members`: only in members of the body itself, and within them it counts as absent.
 */
export type Nulls = 'absent' | 'kept' | 'kept in members';

/** Returns a function that checks a body against the schema and converts it with `read`, which may add further problems. */
export function bodyParser<T>(
  schema: TSchema,
  read: (body: JsonObject, problems: Problems) => T,
  nulls: Nulls = 'absent',
): (body: unknown) => ParsedBody<T> {
  const check = checker(schema);
  return (received) => {
    const problems: Problems = [];
    const body = NULLS[nulls](received, schema as Schema);
    if (!isObject(body)) addValueProblem(problems, '', 'must be a JSON object', body);
    else if (check(body, '', problems)) {
      const value = read(body, problems);
      if (problems.length === 0) return { value, problems: null };
    }
    return { value: null, problems };
  };
}

const NULLS: Readonly<Record<Nulls, typeof withoutNulls>> = {
  absent: withoutNulls,
  kept: (value) => value,
  'kept in members': withoutNullsWithin,
};
