/** The format json invents nothing: on all pages with structured data, each value stands at its place in the page. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseHtml } from '../../../src/content/document/parse-page.ts';
import { toParsedPage } from '../../../src/content/document/parsed-page.ts';
import { visibleText } from '../../../src/content/document/visible-text.ts';
import { TextEvidence } from '../../../src/content/json/grounding.ts';
import { jsonOfPage } from '../../../src/content/json/json-format.ts';
import { wholeParts } from '../../../src/content/reading/main/page-parts.ts';
import { structuredData } from '../../../src/content/reading/structured/structured.ts';

const root = process.env.READING_DATA;
const skip = root === undefined ? 'READING_DATA is not set' : false;
const TEXT = { type: 'string' };
const NUMBER = { type: 'number' };
const SCHEMA = {
  type: 'object',
  properties: {
    title: TEXT,
    description: TEXT,
    price: NUMBER,
    currency: TEXT,
    brand: TEXT,
    author: TEXT,
    published: { type: 'string', format: 'date' },
    start: { type: 'string', format: 'date' },
    location: TEXT,
    rating: NUMBER,
    tags: { type: 'array', items: TEXT },
    events: { type: 'array', items: { type: 'object', properties: { name: TEXT, location: TEXT } } },
    items: { type: 'array', items: { type: 'object', properties: { title: TEXT, price: NUMBER } } },
  },
};

test('every value stands in the page', { skip }, () => {
  const folder = join(root!, 'structured/tests/samples');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.html'),
  );
  let values = 0;
  for (const file of files) {
    const page = toParsedPage(
      parseHtml(readFileSync(join(folder, file), 'utf8'), false),
      'http://page.test/',
      null,
    );
    const options = {
      schema: SCHEMA,
      prompt: null,
      from: 'markdown',
      model: 'never',
      evidence: true,
    } as const;
    const { value, sources } = jsonOfPage(page, wholeParts(page), options);
    const { structured } = structuredData(page, null);
    const attributes = readFileSync(join(folder, file), 'utf8').replaceAll('&amp;', '&');
    const source = [
      JSON.stringify(structured),
      visibleText(page.tree.root, false, 2 ** 22).text,
      attributes,
    ].join('\n');
    const evidence = new TextEvidence(source);
    for (const [pointer, { quote }] of Object.entries(sources)) {
      values++;
      const told = valueAt(value, pointer);
      const stands =
        typeof told === 'number'
          ? evidence.hasNumber(told, source)
          : evidence.hasText(String(told)) || evidence.hasText(quote!);
      assert.ok(stands, `${file} ${pointer}: ${JSON.stringify(told)} (${quote})`);
    }
  }
  assert.ok(values > 200, `${values} values`);
});

const valueAt = (value: unknown, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .reduce((inner, name) => (inner as Readonly<Record<string, unknown>>)[name], value);
