import { isObject } from '../schema/build.ts';
import type { Schema } from '../schema/explain.ts';

/**
 * Without the optional members that are null, as far down as the schema says what members there are; the same object
 * when there is none. What is required or unknown stays, to be refused.
 */
export function withoutNulls(value: unknown, schema: Schema): unknown {
  if (Array.isArray(value)) {
    const { items } = schema.items === undefined ? (branchOf(schema, 'items') ?? schema) : schema;
    return items === undefined ? value : mapped(value, (item) => withoutNulls(item, items));
  }
  if (!isObject(value)) return value;
  const { properties, required = [] } =
    schema.properties === undefined ? (branchOf(schema, 'properties') ?? schema) : schema;
  if (properties === undefined) return value;
  let changed: Record<string, unknown> | null = null;
  for (const name of Object.keys(value)) {
    const member = value[name];
    if (typeof member !== 'object' || !Object.hasOwn(properties, name)) continue;
    if (member === null) {
      if (required.includes(name)) continue;
      changed ??= { ...value };
      delete changed[name];
      continue;
    }
    const better = withoutNulls(member, properties[name]!);
    if (better === member) continue;
    changed ??= { ...value };
    changed[name] = better;
  }
  return changed ?? value;
}

/** Of a union, the part that describes objects, or arrays; our unions have one of each at most. */
function branchOf(schema: Schema, keyword: 'items' | 'properties'): Schema | undefined {
  return schema.anyOf?.find((branch) => branch[keyword] !== undefined);
}

/** Array.map that gives the same array when no element changed. */
export function mapped(list: readonly unknown[], change: (item: unknown) => unknown): readonly unknown[] {
  let changed: unknown[] | null = null;
  for (let i = 0; i < list.length; i++) {
    const better = change(list[i]);
    if (better === list[i]) continue;
    changed ??= [...list];
    changed[i] = better;
  }
  return changed ?? list;
}
