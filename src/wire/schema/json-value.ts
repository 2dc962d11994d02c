import { isObject } from '../../domain/json-schema.ts';
import { addProblem, type Problems } from './problems.ts';
import type { Schema } from './validation.ts';

/**
 * Removes optional members that are null, at every level that the schema describes. Null in required or unknown members
 * is kept, so that validation refuses it. Returns the same object if nothing changes.
 */
export function withoutNulls(value: unknown, schema: Schema): unknown {
  if (Array.isArray(value)) {
    const { items } = schema.items === undefined ? (unionBranch(schema, 'items') ?? schema) : schema;
    return items === undefined ? value : mapIfChanged(value, (item) => withoutNulls(item, items));
  }
  if (!isObject(value)) return value;
  const { properties, required = [] } =
    schema.properties === undefined ? (unionBranch(schema, 'properties') ?? schema) : schema;
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
    const cleaned = withoutNulls(member, properties[name]!);
    if (cleaned === member) continue;
    changed ??= { ...value };
    changed[name] = cleaned;
  }
  return changed ?? value;
}

/** Like `withoutNulls`, but the members of the value itself may be null. */
export function withoutNullsWithin(value: unknown, schema: Schema): unknown {
  const { properties = {} } = schema;
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      Object.hasOwn(properties, name) ? withoutNulls(member, properties[name]!) : member,
    ]),
  );
}

/** The branch of a union that describes arrays (`items`) or objects (`properties`). Our unions have at most one of each. */
function unionBranch(schema: Schema, keyword: 'items' | 'properties'): Schema | undefined {
  return schema.anyOf?.find((branch) => branch[keyword] !== undefined);
}

/** Like `Array.map`, but returns the same array if no element changes. */
export function mapIfChanged(
  list: readonly unknown[],
  change: (item: unknown) => unknown,
): readonly unknown[] {
  let changed: unknown[] | null = null;
  for (let i = 0; i < list.length; i++) {
    const item = change(list[i]);
    if (item === list[i]) continue;
    changed ??= [...list];
    changed[i] = item;
  }
  return changed ?? list;
}

/** More than real data has, and few enough that `JSON.stringify` does not exhaust the stack. */
const MAX_DEPTH = 1000;

/** Adds a problem and returns false if a free-form value is nested too deeply. */
export function checkDepth(value: unknown, pointer: string, problems: Problems): boolean {
  if (!isDeeper(value, MAX_DEPTH)) return true;
  addProblem(problems, pointer, `is nested deeper than ${MAX_DEPTH} levels`);
  return false;
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  for (const inner of Object.values(value)) if (isDeeper(inner, levels - 1)) return true;
  return false;
}

/** Whether a value sets anything: false for absent, null, false, 0, '', [], and objects with only such members. */
export function isRequested(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value === 'object' && value !== null) return Object.values(value).some(isRequested);
  return value !== undefined && value !== null && value !== false && value !== 0 && value !== '';
}
