/**
 * Writes two files of the Python SDK: its types from the description of the API, and the synchronous client from the
 * asynchronous one. With `--check` it only compares.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type JsonSchema, refName, sdkSchemas } from './client-schemas.ts';
import { writeOrCheck } from './write-or-check.ts';

const FOLDER = join(import.meta.dirname, '../clients/python/src/sluice_client');

/** Each word of the asynchronous client, and what it is in the synchronous one; in this order. */
function synchronous(source: string): string {
  const text = source
    .replaceAll('asyncio.sleep', 'time.sleep')
    .replace(
      'import asyncio\nimport json\nfrom time import monotonic\n',
      'import json\nimport time\nfrom time import monotonic\n',
    )
    .replace(/\basync (?=def|for|with)/g, '')
    .replace(/\bawait /g, '')
    .replace(/Awaitable\[(\w+)\]/g, '$1')
    .replace(' Awaitable,', '')
    .replaceAll('httpx.AsyncClient', 'httpx.Client')
    .replace(/\bAsync(?=(?:Transport|Pages|Scrapes|Jobs|Monitors|Schedules|Webhooks|Sluice|Iterator)\b)/g, '')
    .replace(/\ba(?=iter_lines|iter_bytes|read\b|close\b)/g, '')
    .replace(/__a(?=iter__|enter__|exit__)/g, '__');
  return `# Made from _async_client.py by scripts/generate-python-sdk.ts.\n${text}`;
}

/** A TypedDict for each object, also for those within others; an alias for every other schema. */
function typesFile(schemas: Readonly<Record<string, JsonSchema>>): string {
  const parts: string[] = [];
  for (const [name, schema] of Object.entries(schemas))
    if (schema.properties === undefined) {
      const type = typeOf(schema, name, parts, (reference) => `"${reference}"`);
      parts.push(`${comment(schema)}${name} = ${type}\n`);
    } else addTypedDict(name, schema, parts);
  return `# Made from the description of the API by scripts/generate-python-sdk.ts.
import sys
from typing import Any, Dict, List, Literal, Union

if sys.version_info >= (3, 11):
    from typing import NotRequired, TypedDict
else:
    from typing_extensions import NotRequired, TypedDict

${parts.join('\n')}`;
}

/** Made by a call, because names such as `from` cannot be members of a class. */
function addTypedDict(name: string, schema: JsonSchema, parts: string[]): void {
  const members = Object.entries(schema.properties ?? {}).map(([member, memberSchema]) => {
    const type = JSON.stringify(typeOf(memberSchema, name + pascalCase(member), parts)).replaceAll(
      '\\"',
      "'",
    );
    const isRequired = schema.required?.includes(member) ?? false;
    return `${comment(memberSchema, '        ')}        "${member}": ${isRequired ? type : `NotRequired[${type}]`},\n`;
  });
  parts.push(`${comment(schema)}${name} = TypedDict(\n    "${name}",\n    {\n${members.join('')}    },\n)\n`);
}

const comment = ({ description }: JsonSchema, indent = ''): string =>
  description === undefined ? '' : `${indent}# ${description.replaceAll('\n', `\n${indent}# `)}\n`;

const pascalCase = (name: string): string =>
  name.replace(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9]?)/g, (_, letter: string) => letter.toUpperCase());

/**
 * A type expression.
 * @param name of the TypedDict if the schema is an object with members, which is added to `parts`
 * @param refer how other types are named
 */
function typeOf(
  schema: JsonSchema,
  name: string,
  parts: string[],
  refer: (reference: string) => string = (reference) => reference,
): string {
  const { $ref, type, enum: values, anyOf, oneOf, items, prefixItems, additionalProperties } = schema;
  if ($ref !== undefined) return refer(refName($ref));
  if ('const' in schema) return `Literal[${literal(schema.const)}]`;
  if (values !== undefined) return `Literal[${values.map(literal).join(', ')}]`;
  const alternatives = anyOf ?? oneOf;
  if (alternatives !== undefined) {
    const objects = alternatives.filter(({ properties }) => properties !== undefined).length;
    return union(
      alternatives.map((one, n) => typeOf(one, objects > 1 ? `${name}${n + 1}` : name, parts, refer)),
    );
  }
  if (schema.properties !== undefined) {
    addTypedDict(name, schema, parts);
    return refer(name);
  }
  const inner = (one: JsonSchema) => typeOf(one, name, parts, refer);
  if (type === 'array') return `List[${union((prefixItems ?? [items ?? {}]).map(inner))}]`;
  if (type === 'object')
    return `Dict[str, ${typeof additionalProperties === 'object' ? inner(additionalProperties) : 'Any'}]`;
  return TYPES[type ?? ''] ?? 'Any';
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
};

function literal(value: unknown): string {
  if (value === null) return 'None';
  return typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value);
}

function union(types: readonly string[]): string {
  const distinct = [...new Set(types)];
  return distinct.length === 1 ? distinct[0]! : `Union[${distinct.join(', ')}]`;
}

writeOrCheck(join(FOLDER, '_types.py'), typesFile(sdkSchemas()));
writeOrCheck(
  join(FOLDER, '_sync_client.py'),
  synchronous(readFileSync(join(FOLDER, '_async_client.py'), 'utf8')),
);
