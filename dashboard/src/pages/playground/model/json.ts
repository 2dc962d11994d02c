import {
  isObject,
  type ExactJson as Json,
  type ExactJsonObject as JsonObject,
  type Path,
  pointerOf,
} from '../../../../../src/snippets/json.ts';

/** Functions that read and change JSON values by path. Values are never changed in place. */

export { isObject, type Json, type JsonObject, type Path, pointerOf };

export const sameJson = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The member of an object or the element of an array; undefined if there is none. */
export function memberOf(value: Json | undefined, step: string | number): Json | undefined {
  if (Array.isArray(value)) return /^\d+$/.test(String(step)) ? value[Number(step)] : undefined;
  // Own members only: names may be anything, such as `constructor`.
  return isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
}

export const valueAt = (value: Json | undefined, path: Path): Json | undefined =>
  path.reduce<Json | undefined>(memberOf, value);

/**
 * A copy of `value` with `next` at `path`. undefined removes the member, and objects that become empty by that.
 * @param followingNames a new member of the outermost object is inserted before the first member with one of these names, so
 *   that a request keeps its usual order
 */
export function withValueAt(
  value: JsonObject,
  path: Path,
  next: Json | undefined,
  followingNames: ReadonlySet<string> = new Set(),
): JsonObject {
  const [step, ...rest] = path;
  if (step === undefined) return isObject(next) ? next : {};
  const name = String(step);
  const inner = memberOf(value, name);
  let changed = next;
  if (rest.length > 0) {
    // If the user has written an array where the path needs an object, or the reverse, an object replaces it.
    changed =
      Array.isArray(inner) && typeof rest[0] === 'number'
        ? withElementAt(inner, rest, next)
        : withValueAt(isObject(inner) ? inner : {}, rest, next);
    if (next === undefined && isObject(changed) && Object.keys(changed).length === 0) changed = undefined;
  }
  if (changed === undefined) return without(value, name);
  if (Object.hasOwn(value, name)) return { ...value, [name]: changed };
  const entries = Object.entries(value);
  const index = entries.findIndex(([other]) => followingNames.has(other));
  entries.splice(index === -1 ? entries.length : index, 0, [name, changed]);
  return Object.fromEntries(entries);
}

function withElementAt(
  list: readonly Json[],
  [step, ...rest]: Path,
  next: Json | undefined,
): readonly Json[] {
  const index = Number(step);
  if (rest.length === 0) return next === undefined ? list.toSpliced(index, 1) : list.with(index, next);
  const inner = list[index];
  return list.with(
    index,
    Array.isArray(inner) && typeof rest[0] === 'number'
      ? withElementAt(inner, rest, next)
      : withValueAt(isObject(inner) ? inner : {}, rest, next),
  );
}

function without(value: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([other]) => other !== name));
}

/** The service writes this instead of each secret in a stored request. */
const MASK = '***';

/** Pointers of the values in a stored request that were masked, completely or in part. */
export function maskedPointers(value: Json, path: Path = []): readonly string[] {
  if (typeof value === 'string') return value.includes(MASK) ? [pointerOf(path)] : [];
  if (Array.isArray(value)) return value.flatMap((item, index) => maskedPointers(item, [...path, index]));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => maskedPointers(member, [...path, name]));
}
