import { isObject } from '../../domain/json-schema.ts';
import { addProblem, type Problems } from './problems.ts';
import type { Schema } from './validation.ts';

/**
 * Without the optional members that are null, as far down as the schema says what members there are; the same object
 * when there is none. What is required or unknown stays, to be refused.
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
    const better = withoutNulls(member, properties[name]!);
    if (better === member) continue;
    changed ??= { ...value };
    changed[name] = better;
  }
  return changed ?? value;
}

/** Of a union, the part that describes objects, or arrays; our unions have one of each at most. */
function unionBranch(schema: Schema, keyword: 'items' | 'properties'): Schema | undefined {
  return schema.anyOf?.find((branch) => branch[keyword] !== undefined);
}

/** Array.map that gives the same array when no element changed. */
export function mapIfChanged(
  list: readonly unknown[],
  change: (item: unknown) => unknown,
): readonly unknown[] {
  let changed: unknown[] | null = null;
  for (let i = 0; i < list.length; i++) {
    const better = change(list[i]);
    if (better === list[i]) continue;
    changed ??= [...list];
    changed[i] = better;
  }
  return changed ?? list;
}

/** Far beyond any real data, and far from where writing it as JSON would exhaust the stack. */
const MAX_DEPTH = 1000;

/** Refuses free-form values that are nested without end. */
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

/** False for what asks for nothing: absent, false, 0, empty, and objects of nothing else. */
export function isRequested(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value === 'object' && value !== null) return Object.values(value).some(isRequested);
  return value !== undefined && value !== null && value !== false && value !== 0 && value !== '';
}
