import type { CallerSchema, JsonOptions, JsonResult } from '../../domain/json-extraction.ts';
import { isObject } from '../../domain/json-schema.ts';
import type { PagePart } from '../document/page-part.ts';
import { attributeOf } from '../document/page-tree.ts';
import { type ParsedPage, rootElement } from '../document/parsed-page.ts';
import { structuredData } from '../reading/structured/structured.ts';
import type { StructuredData } from '../reading/structured/structured-data.ts';
import { addFact, type FactGroup, groupOfJson, newGroup } from './facts.ts';
import { type Draft, fillSchema, sourceOf } from './fill-schema.ts';
import { wantedKeys } from './find-facts.ts';
import { labelKey } from './labels.ts';
import { type PageEvidence, pageEvidence, structuredEvidence } from './page-evidence.ts';
import { readSchema } from './schema-node.ts';
import { validate } from './validate-json.ts';

const NO_STRUCTURE: StructuredData = {
  json_ld: [],
  microdata: [],
  rdfa: [],
  open_graph: {},
  twitter: {},
  tables: [],
  entities: [],
};
const LABELLED_LINE = /^[ \t]*([^:\n]{1,60}):[ \t]*(\S[^\n]*)$/gm;

/** The data that the schema asks for, as far as the page says it without a model. Without a schema, that is none. */
export function jsonOfPage(page: ParsedPage, parts: readonly PagePart[], options: JsonOptions): JsonResult {
  const { schema, from } = options;
  if (schema === null) return NO_DATA;
  const selection = parts.find(({ document }) => document === page)?.selection ?? null;
  const { structured } = structuredData(page, selection);
  const node = readSchema(schema);
  const evidence =
    from === 'structured'
      ? structuredEvidence(structured)
      : pageEvidence(page, parts, structured, wantedKeys(node));
  const root = rootElement(page.tree);
  const language = root === null ? null : attributeOf(root, 'lang');
  return resultOf(fillSchema(node, evidence, { base: page.urls.base, language }), options, schema);
}

/** The same of a text, and of JSON: its members are what the page says. */
export function jsonOfText(
  text: string,
  documents: readonly unknown[] | null,
  base: string,
  options: JsonOptions,
): JsonResult {
  const { schema } = options;
  if (schema === null) return NO_DATA;
  const labelled = newGroup();
  if (documents === null)
    for (const [, label, value] of text.matchAll(LABELLED_LINE))
      addFact(labelled, labelKey(label!), { value: value!.trim(), from: 'text', place: {} });
  const groups: FactGroup[] = (documents ?? []).map(groupOfJson);
  const empty = structuredEvidence(NO_STRUCTURE);
  const evidence: PageEvidence = { ...empty, groups, labelled };
  return resultOf(fillSchema(readSchema(schema), evidence, { base, language: null }), options, schema);
}

const NO_DATA: JsonResult = { value: null, valid: true, missing: [], invalid: [], sources: {} };

function resultOf(draft: Draft, { evidence }: JsonOptions, schema: CallerSchema): JsonResult {
  const value = draft.value ?? null;
  const sources = [...draft.sources].map(([pointer, fact]) => [pointer, sourceOf(fact, evidence)] as const);
  return {
    value,
    // Without a prototype, the value of the whole would be no plain object for the validator.
    ...validate(isObject(value) ? JSON.parse(JSON.stringify(value)) : value, schema),
    missing: draft.missing,
    sources: Object.fromEntries(sources),
  };
}
