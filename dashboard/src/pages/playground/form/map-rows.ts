import { isObject, type Json, type JsonObject } from '../model/json.ts';

/** One line of a map; several with one name are an array in the JSON. */
export interface MapRow {
  readonly id: number;
  readonly name: string;
  readonly value: string;
  /** As it stood in the JSON: a number stays one until it is edited. */
  readonly raw: Json;
}

let lastId = 0;

export const newRow = (name = '', raw: Json = ''): MapRow => ({
  id: ++lastId,
  name,
  value: String(raw),
  raw,
});

export const rowsOf = (map: Json | undefined): readonly MapRow[] =>
  isObject(map)
    ? Object.entries(map).flatMap(([name, value]) =>
        (Array.isArray(value) ? value : [value]).map((one) => newRow(name, one)),
      )
    : [];

/** Lines without a name are not part of it yet; undefined when there is none with. */
export function mapOfRows(rows: readonly MapRow[]): JsonObject | undefined {
  const found = new Map<string, Json>();
  for (const { name, value, raw } of rows) {
    if (name === '') continue;
    const one = String(raw) === value ? raw : value;
    const before = found.get(name);
    found.set(name, before === undefined ? one : [...(Array.isArray(before) ? before : [before]), one]);
  }
  return found.size === 0 ? undefined : Object.fromEntries(found);
}
