import { isObject } from '../domain/json-schema.ts';
import type { ChangedField } from '../domain/monitors.ts';

/** More fields are not listed. */
export const MAX_FIELDS = 1_000;

export interface DataDifference {
  /** At most `MAX_FIELDS`. */
  readonly fields: readonly ChangedField[];
  readonly added: number;
  readonly removed: number;
  /** Share of values that are the same, 0 to 1. */
  readonly similarity: number;
}

/** Compares two JSON values: the values at each JSON pointer that is in one of them. */
export function compareData(before: unknown, after: unknown): DataDifference {
  const old = valuesOf(before);
  const now = valuesOf(after);
  const fields: ChangedField[] = [];
  let same = 0;
  let added = 0;
  let removed = 0;
  const note = (field: ChangedField) => fields.length < MAX_FIELDS && fields.push(field);
  for (const [path, value] of now) {
    if (!old.has(path)) {
      added++;
      note({ path, before: undefined, after: value });
    } else if (old.get(path) === value) same++;
    else {
      added++;
      removed++;
      note({ path, before: old.get(path), after: value });
    }
  }
  for (const [path, value] of old) {
    if (now.has(path)) continue;
    removed++;
    note({ path, before: value, after: undefined });
  }
  const total = old.size + now.size;
  return { fields, added, removed, similarity: total === 0 ? 1 : (2 * same) / total };
}

/** The plain values in a JSON value by JSON pointer. Empty objects and lists count as values, too. */
function valuesOf(root: unknown): Map<string, unknown> {
  const values = new Map<string, unknown>();
  const open: [pointer: string, value: unknown][] = [['', root]];
  for (let entry = open.pop(); entry !== undefined; entry = open.pop()) {
    const [pointer, value] = entry;
    const members = Array.isArray(value)
      ? [...value.entries()]
      : isObject(value)
        ? Object.entries(value)
        : null;
    if (members === null) values.set(pointer, value);
    else if (members.length === 0) values.set(pointer, Array.isArray(value) ? '[]' : '{}');
    else
      for (const [name, member] of members.reverse())
        open.push([`${pointer}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`, member]);
  }
  return values;
}
