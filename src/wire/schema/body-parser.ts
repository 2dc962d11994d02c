import type { TSchema } from 'typebox';
import type { Failure } from '../../domain/failure.ts';
import { isObject } from '../../domain/json-schema.ts';
import { withoutNulls } from './json-value.ts';
import { addValueProblem, type Problems } from './problems.ts';
import { checker, type Schema } from './validation.ts';

export type ParsedBody<T> =
  | { readonly value: T; readonly problems: null }
  | { readonly value: null; readonly problems: readonly Failure[] };

export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Returns a function that checks a body against the schema and converts it with `read`, which may add further problems.
 * @param nulls `absent`: an optional member that is null counts as absent (contract, general rules); `kept`: null has a
 * meaning, such as to reset a member
 */
export function bodyParser<T>(
  schema: TSchema,
  read: (body: JsonObject, problems: Problems) => T,
  nulls: 'absent' | 'kept' = 'absent',
): (body: unknown) => ParsedBody<T> {
  const check = checker(schema);
  return (received) => {
    const problems: Problems = [];
    const body = nulls === 'absent' ? withoutNulls(received, schema as Schema) : received;
    if (!isObject(body)) addValueProblem(problems, '', 'must be a JSON object', body);
    else if (check(body, '', problems)) {
      const value = read(body, problems);
      if (problems.length === 0) return { value, problems: null };
    }
    return { value: null, problems };
  };
}
