import { type TSchema, type TSchemaOptions, Type } from 'typebox';
import { trimOws } from '../../base/http-syntax.ts';
import { closed, mapOf, orNull, pairOf } from '../../domain/json-schema.ts';
import { addProblem, childPointer, type Problems } from '../schema/problems.ts';

/** A number or a boolean is sent as its text; null is left out. */
export const ScalarOrNull = orNull(Type.Union([Type.String(), Type.Number(), Type.Boolean()]));
type ScalarOrNull = string | number | boolean | null;

interface NamedValue {
  readonly name: string;
  readonly value: ScalarOrNull;
}

/** `query`, `headers` and `cookies` of a request: what has names and values, in all shapes in which callers have them. */
export type NamedValues<E = NamedValue> =
  | Readonly<Record<string, ScalarOrNull | readonly ScalarOrNull[]>>
  | readonly (E | readonly [string, ScalarOrNull] | string)[];

/**
 * The schema of `NamedValues`: `{name: value}`, in which an array repeats the name, or an array of `{name, value}`, `[name, value]`
 * or texts.
 * @param options.entry in place of `{name, value}`
 */
export const namedValues = <E = NamedValue>(
  options: TSchemaOptions & { readonly description: string },
  { entry, max }: { readonly entry?: TSchema; readonly max?: number } = {},
) =>
  Type.Unsafe<NamedValues<E>>(
    Type.Union(
      [
        mapOf(
          Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null(), Type.Array(ScalarOrNull)]),
          max === undefined ? {} : { maxProperties: max },
        ),
        Type.Array(
          Type.Union([
            entry ?? closed({ name: Type.String(), value: ScalarOrNull }),
            pairOf(Type.String(), ScalarOrNull),
            Type.String(),
          ]),
          max === undefined ? {} : { maxItems: max },
        ),
      ],
      options,
    ),
  );

/** @param separator in a text: `name=value` */
export function readNamedValues<E extends { readonly name: string; readonly value: ScalarOrNull }>(
  field: NamedValues<E>,
  pointer: string,
  separator: '=' | ':',
  add: (name: string, value: string, pointer: string, entry: E | null) => void,
  problems: Problems,
): void {
  const addOne = (name: string, value: ScalarOrNull, at: string, entry: E | null = null) => {
    if (value !== null) add(name, String(value), at, entry);
  };
  if (!Array.isArray(field)) {
    for (const [name, value] of Object.entries(field)) {
      const at = childPointer(pointer, name);
      if (Array.isArray(value)) for (const item of value as readonly ScalarOrNull[]) addOne(name, item, at);
      else addOne(name, value as ScalarOrNull, at);
    }
    return;
  }
  for (const [index, entry] of (
    field as readonly (E | readonly [string, ScalarOrNull] | string)[]
  ).entries()) {
    const at = childPointer(pointer, index);
    if (typeof entry === 'string') {
      const end = entry.indexOf(separator);
      if (end === -1)
        addProblem(problems, at, `must have the form ${separator === '=' ? 'name=value' : 'Name: value'}`);
      else addOne(trimOws(entry.slice(0, end)), entry.slice(end + 1), at);
    } else if (Array.isArray(entry)) addOne(entry[0], entry[1], at);
    else addOne((entry as E).name, (entry as E).value, at, entry as E);
  }
}
