import { ExactNumber } from '../../../api/exact-json.ts';

/** Values of JSON, and reading and changing them by path. Nothing is changed in place. */

export type Json = null | boolean | number | ExactNumber | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: Json;
}
export type Path = readonly (string | number)[];

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber);

export const sameJson = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** RFC 6901. */
export const pointerOf = (path: Path): string =>
  path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

export function memberOf(value: Json | undefined, step: string | number): Json | undefined {
  if (Array.isArray(value)) return /^\d+$/.test(String(step)) ? value[Number(step)] : undefined;
  // Never what an object has from its prototype: names come from strangers.
  return isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
}

export const valueAt = (value: Json | undefined, path: Path): Json | undefined =>
  path.reduce<Json | undefined>(memberOf, value);

/**
 * `value` with `next` at `path`; undefined takes the member away, and with it the objects that are empty then.
 * @param before names that a new member of the top must stand before, so that a request reads in its usual order
 */
export function withValueAt(
  value: JsonObject,
  path: Path,
  next: Json | undefined,
  before: ReadonlySet<string> = new Set(),
): JsonObject {
  const [step, ...rest] = path;
  if (step === undefined) return isObject(next) ? next : {};
  const name = String(step);
  const inner = memberOf(value, name);
  let changed = next;
  if (rest.length > 0) {
    // A name in an array is the place of an object that somebody wrote as an array.
    changed =
      Array.isArray(inner) && typeof rest[0] === 'number'
        ? withElementAt(inner, rest, next)
        : withValueAt(isObject(inner) ? inner : {}, rest, next);
    if (next === undefined && isObject(changed) && Object.keys(changed).length === 0) changed = undefined;
  }
  if (changed === undefined) return without(value, name);
  if (Object.hasOwn(value, name)) return { ...value, [name]: changed };
  const entries = Object.entries(value);
  const found = entries.findIndex(([other]) => before.has(other));
  entries.splice(found === -1 ? entries.length : found, 0, [name, changed]);
  return Object.fromEntries(entries);
}

function withElementAt(
  list: readonly Json[],
  [step, ...rest]: Path,
  next: Json | undefined,
): readonly Json[] {
  const at = Number(step);
  if (rest.length === 0) return next === undefined ? list.toSpliced(at, 1) : list.with(at, next);
  const inner = list[at];
  return list.with(
    at,
    Array.isArray(inner) && typeof rest[0] === 'number'
      ? withElementAt(inner, rest, next)
      : withValueAt(isObject(inner) ? inner : {}, rest, next),
  );
}

function without(value: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([other]) => other !== name));
}

/** What stands in a stored request where a secret was. */
const MASK = '***';

/** Pointers of the values of a stored request that were masked, in whole or in part. */
export function maskedPointers(value: Json, path: Path = []): readonly string[] {
  if (typeof value === 'string') return value.includes(MASK) ? [pointerOf(path)] : [];
  if (Array.isArray(value)) return value.flatMap((one, index) => maskedPointers(one, [...path, index]));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, one]) => maskedPointers(one, [...path, name]));
}
