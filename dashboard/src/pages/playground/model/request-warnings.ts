import { t } from '@lingui/core/macro';
import { isObject, type Json, type JsonObject, type Path, pointerOf, sameJson } from './json.ts';
import type { JsonSyntax } from './json-syntax.ts';
import { variantsByTag } from './page-actions.ts';
import type { RequestSupport } from './request-fields.ts';
import { type JsonSchema, refusalOf, resolved } from './schema.ts';

export interface RequestWarning {
  readonly pointer: string;
  readonly text: string;
}

/** More warnings would help nobody. */
const MAX_WARNINGS = 50;

/** Warnings about members that the service will refuse: it does not know them, or this build does not support them. */
export function requestWarnings(request: JsonObject, support: RequestSupport): readonly RequestWarning[] {
  const warnings: RequestWarning[] = [];
  collectWarnings(support.request, request, [], support, warnings);
  return warnings;
}

function collectWarnings(
  unresolved: JsonSchema,
  value: Json,
  path: Path,
  support: RequestSupport,
  warnings: RequestWarning[],
): void {
  if (warnings.length >= MAX_WARNINGS) return;
  const schema = branchFor(resolved(unresolved, support.components), value, support);
  const refusal = refusalOf(schema, value);
  if (typeof value === 'string' && refusal !== undefined)
    warnings.push({ pointer: pointerOf(path), text: refusal });
  if (Array.isArray(value) && schema.items !== undefined) {
    for (const [index, item] of value.entries())
      collectWarnings(schema.items, item, [...path, index], support, warnings);
  }
  if (!isObject(value)) return;
  for (const [name, member] of Object.entries(value)) {
    const memberPath = [...path, name];
    const expected = memberSchema(schema, name, path, support);
    if (expected === 'unknown')
      warnings.push({ pointer: pointerOf(memberPath), text: unknownText(path, support) });
    else if (expected !== 'any') {
      const text = hasEffect(expected, member) ? refusalOfMember(expected, support) : undefined;
      if (text !== undefined) warnings.push({ pointer: pointerOf(memberPath), text });
      else collectWarnings(expected, member, memberPath, support, warnings);
    }
  }
}

function unknownText(path: Path, { scraper }: RequestSupport): string {
  return path[0] === 'scraper_options' && path.length === 1
    ? scraper == null
      ? t`Not an option of the scraper named.`
      : t`Not an option of the scraper ${scraper.name}.`
    : t`Unknown field.`;
}

function refusalOfMember(schema: JsonSchema, { browser }: RequestSupport): string | undefined {
  const refusal = refusalOf(schema);
  if (refusal !== undefined) return refusal;
  return schema['x-sluice-needs'] === 'browser' && !browser ? t`Needs a browser scraper.` : undefined;
}

/** The schema of a member; `any`: every value is allowed; `unknown`: the object may not have this member. */
function memberSchema(
  schema: JsonSchema,
  name: string,
  path: Path,
  support: RequestSupport,
): JsonSchema | 'unknown' | 'any' {
  if (path.length === 0 && name === 'scraper_options' && support.scraper !== undefined)
    return support.options;
  const { properties, additionalProperties } = schema;
  if (properties !== undefined && Object.hasOwn(properties, name)) {
    return resolved(properties[name]!, support.components);
  }
  return additionalProperties === false ? 'unknown' : 'any';
}

/** The branch of a union for a value: by its tag, or by its type. */
function branchFor(schema: JsonSchema, value: Json, { components }: RequestSupport): JsonSchema {
  const kinds = variantsByTag(schema, components);
  if (kinds !== null) {
    const tag = isObject(value) ? value[schema.discriminator!.propertyName] : undefined;
    return (typeof tag === 'string' ? kinds.get(tag) : undefined) ?? {};
  }
  const branches = schema.anyOf?.map((branch) => resolved(branch, components));
  if (branches === undefined) return schema;
  const type = Array.isArray(value) ? 'array' : isObject(value) ? 'object' : typeof value;
  return branches.find((branch) => branch.type === type) ?? {};
}

/** Whether a value has an effect. Default values, null, false, 0 and empty values have none, so every scraper accepts them. */
function hasEffect(schema: JsonSchema, value: Json): boolean {
  if (value === null || value === false || value === 0 || value === '') return false;
  if (schema.default !== undefined && sameJson(schema.default, value)) return false;
  if (Array.isArray(value)) return value.length > 0;
  if (!isObject(value)) return true;
  return Object.entries(value).some(([name, member]) => hasEffect(schema.properties?.[name] ?? {}, member));
}

/** The warnings by line of the JSON. A warning about a missing member is shown at its parent. */
export function warningsByLine(
  warnings: readonly RequestWarning[],
  { lines }: JsonSyntax,
): ReadonlyMap<number, string> {
  const byLine = new Map<number, string>();
  for (const { pointer, text } of warnings) {
    let prefix = pointer;
    while (prefix !== '' && !lines.has(prefix)) prefix = prefix.slice(0, prefix.lastIndexOf('/'));
    const line = lines.get(prefix);
    if (line !== undefined) byLine.set(line, text);
  }
  return byLine;
}
