import { isObject, type Json, type Path, pointerOf } from './json.ts';

/** What stands in a stored request where a secret was. */
const MASK = '***';

/** Pointers of the values of a stored request that were masked, in whole or in part. */
export function maskedPlaces(value: Json, path: Path = []): readonly string[] {
  if (typeof value === 'string') return value.includes(MASK) ? [pointerOf(path)] : [];
  if (Array.isArray(value)) return value.flatMap((one, index) => maskedPlaces(one, [...path, index]));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, one]) => maskedPlaces(one, [...path, name]));
}
