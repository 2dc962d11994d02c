/**
 * Structured data as extruct reads it (https://github.com/scrapinghub/extruct): all files with expected JSON of its tests.
 * Contexts, relative URLs, white space and blank nodes are normalised; the same data in another shape counts as equal.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, it } from 'node:test';
import { parseHtml } from '../../../src/content/document/parse-page.ts';
import { toParsedPage } from '../../../src/content/document/parsed-page.ts';
import { structuredData } from '../../../src/content/reading/structured/structured.ts';
import type { StructuredData } from '../../../src/content/reading/structured/structured-data.ts';

const root = process.env.READING_DATA;
const skip = root === undefined ? 'READING_DATA is not set' : false;
const folder = join(root ?? '', 'structured/tests/samples');

/** Formats of extruct that Sluice does not read. */
const NOT_OURS: Readonly<Record<string, string>> = {
  'misc/dublincore_test.json': 'Dublin Core in names of `meta`',
  'misc/microformat_test.json': 'microformats',
  'misc/microformat_flat_test.json': 'microformats',
};

/** Files that are read otherwise than extruct reads them, and why. */
const MISSES: Readonly<Record<string, string>> = {
  'misc/Portfolio_Niels_Lubberman.json':
    'RDFa 1.0, where a text with markup is its markup, and every word of `rel` is a relation; by RDFa 1.1 they are not',
  'schema.org/product-ref.json':
    'an item takes over the properties of another item by `itemref`; the algorithm of WHATWG HTML §5.2.5 leaves them out',
};

/** File → the page that it belongs to, if its name is not that of the page. */
const PAGES: Readonly<Record<string, string>> = {
  'misc/opengraph_flat_test.json': 'misc/opengraph_test.html',
  'schema.org/CreativeWork_flat.001.json': 'schema.org/CreativeWork.001.html',
  'schema.org/CreativeWork_flat_with_node_id.001.json': 'schema.org/CreativeWork.001.html',
  'schema.org/product_custom_url.json': 'schema.org/product.html',
  'schema.org/product_custom_url_and_node_id.json': 'schema.org/product.html',
  'w3c/microdata.5.2.flat.json': 'w3c/microdata.5.2.html',
  'w3c/microdata.5.2.withtext.json': 'w3c/microdata.5.2.html',
  'w3c/microdata.7.1.flat.json': 'w3c/microdata.7.1.html',
};

/** The URL of a page, where it matters and is not the default. */
const URLS: Readonly<Record<string, string>> = {
  'misc/Portfolio_Niels_Lubberman.html': 'http://nielslubberman.nl/drupal/',
  'schema.org/product.html': 'http://some-example.com/',
  'songkick/elysianfields.html': 'http://www.songkick.com/artists/236156-elysian-fields',
  'songkick/elysianfields_1.html': 'http://www.songkick.com/artists/236156-elysian-fields',
  'songkick/tovestyrke.html':
    'https://www.songkick.com/concerts/30166884-tove-styrke-at-hoxton-square-bar-and-kitchen',
  'w3c/microdata.7.1.html': 'http://blog.example.com/progress-report',
  'w3c/microdata.object.html': 'http://www.example.com/microdata/',
};
const DEFAULT_URL = 'http://www.example.com/index.html';

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type JsonObject = { [name: string]: Json };

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const listOf = (value: Json | undefined): Json[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value];

/** Collapses white space. */
const plainText = (text: string) => text.replace(/\s+/g, ' ').trim();

/** What is expected, with a URL written as we do where it leads to the same address. */
function withOurUrls(expected: Json, ours: Json | undefined, base: string): Json {
  if (typeof expected === 'string')
    return typeof ours === 'string' && URL.parse(expected, base)?.href === ours ? ours : expected;
  if (Array.isArray(expected))
    return expected.map((item, at) => withOurUrls(item, Array.isArray(ours) ? ours[at] : undefined, base));
  if (!isObject(expected)) return expected;
  const members = isObject(ours) ? ours : {};
  return Object.fromEntries(
    Object.entries(expected).map(([name, item]) => [name, withOurUrls(item, members[name], base)]),
  );
}

function mapTexts(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, mapTexts(item, change)]));
}

/** extruct's other shapes of an item: single values without a list, flat members, ids of nodes, references. */
function microdataItem(item: JsonObject, all: readonly Json[]): JsonObject {
  if ('iid_ref' in item) {
    const referent = all.find((other) => isObject(other) && other.iid === item.iid_ref);
    return microdataItem(referent as JsonObject, all);
  }
  const isFlat = '@type' in item;
  const flat = Object.entries(item).filter(
    ([name]) => !name.startsWith('@') && !['id', 'value', '_nodeId_'].includes(name),
  );
  const properties = isFlat ? flat : Object.entries((item.properties ?? {}) as JsonObject);
  return {
    type: listOf(item.type ?? item['@type']).map((type) =>
      String(type).replace(/^http:\/\/schema\.org\//, ''),
    ),
    ...(item.id === undefined ? {} : { id: item.id }),
    ...(item.value === undefined ? {} : { value: item.value }),
    properties: Object.fromEntries(
      properties.map(([name, values]) => [
        name,
        listOf(values).map((value) => {
          if (!isObject(value)) return value;
          return value.valueName === undefined ? microdataItem(value, all) : fieldText(value);
        }),
      ]),
    ),
  };
}

/** A form field, in the short form of schema.org. */
function fieldText({ valueRequired, valueName }: JsonObject): string {
  return `${valueRequired === true ? 'required ' : ''}name=${String(valueName)}`;
}

function microdataItems(items: Json): Json[] {
  const all = listOf(items);
  // In flat lists, items inside of others stand beside them.
  const inside = new Set<Json>();
  const collect = (value: Json): void => {
    if (Array.isArray(value)) value.forEach(collect);
    else if (isObject(value)) {
      if (value.iid_ref !== undefined) inside.add(value.iid_ref);
      Object.values(value).forEach(collect);
    }
  };
  collect(all);
  return all
    .filter(isObject)
    .filter((item) => item.iid === undefined || !inside.has(item.iid))
    .map((item) => microdataItem(item, all));
}

/** Nodes with blank ids made equal, values and nodes sorted. Languages count if extruct found any. */
function rdfaNodes(nodes: Json, languages: boolean): string[] {
  const value = (item: Json): string => {
    if (!isObject(item)) return String(item);
    const members = Object.entries(item).filter(([name]) => languages || name !== '@language');
    return JSON.stringify(members.map(([name, text]) => [name, String(text).replace(/^_:.*/, '_:')]).sort());
  };
  return listOf(nodes)
    .filter(isObject)
    .map((node) =>
      JSON.stringify(
        Object.entries(node)
          .map(([name, values]) => [
            name,
            listOf(values)
              .map((item) => value(item).replace(/^_:.*/, '_:'))
              .sort(),
          ])
          .sort(([one], [other]) => (String(one) < String(other) ? -1 : 1)),
      ),
    )
    .sort();
}

/** extruct's pairs, or its flat object, as names with lists of values. */
function openGraph(items: Json): JsonObject {
  const values: Record<string, Json[]> = {};
  for (const item of listOf(items).filter(isObject)) {
    const pairs = Array.isArray(item.properties)
      ? (item.properties as [string, Json][])
      : Object.entries(item)
          .filter(([name]) => name !== '@context')
          .map(([name, value]): [string, Json] => [name === '@type' ? 'og:type' : name, value]);
    for (const [name, value] of pairs) {
      const key = name.replace(/^og:/, '');
      const known = values[key] ?? [];
      values[key] = known.includes(value) ? known : [...known, value];
    }
  }
  return values;
}

const plain = (value: unknown): Json => JSON.parse(JSON.stringify(value)) as Json;

/** Compares one member of the structured data with what extruct expects of it. */
function compare(kind: string, expected: Json, data: StructuredData, base: string): void {
  const equal = (ours: Json, theirs: Json) => {
    const [one, other] = [mapTexts(ours, plainText), mapTexts(theirs, plainText)];
    assert.deepEqual(one, withOurUrls(other, one, base));
  };
  switch (kind) {
    case 'json-ld':
      // Some files have a list for each block, in an object.
      equal(plain(data.json_ld), isObject(expected) ? listOf(expected.items).flat() : expected);
      break;
    case 'microdata':
      equal(microdataItems(plain(data.microdata)), microdataItems(expected));
      break;
    case 'rdfa': {
      const languages = JSON.stringify(expected).includes('@language');
      assert.deepEqual(rdfaNodes(plain(data.rdfa), languages), rdfaNodes(expected, languages));
      break;
    }
    case 'opengraph': {
      const theirs = openGraph(expected);
      // extruct reads the names of Facebook only on pages that declare the prefix.
      const ours = Object.entries(data.open_graph)
        .filter(([name]) => name in theirs || !name.startsWith('fb:'))
        .map(([name, value]) => [name, listOf(plain(value))]);
      equal(Object.fromEntries(ours), theirs);
    }
  }
}

/** What a file expects, by the name of the format in extruct. */
function expectations(file: string): [kind: string, expected: Json][] {
  const expected = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Json;
  if (file.endsWith('.jsonld')) return [['json-ld', expected]];
  if (isObject(expected)) return Object.entries(expected);
  if (basename(file).startsWith('opengraph')) return [['opengraph', expected]];
  const isRdfa = /expanded|Portfolio/.test(file);
  return [[isRdfa ? 'rdfa' : 'microdata', expected]];
}

describe('structured data as extruct reads it', { skip }, () => {
  const files = skip
    ? []
    : readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.json(?:ld)?$/.test(file) && NOT_OURS[file] === undefined)
        .sort();
  for (const file of files)
    it(file, () => {
      const page = PAGES[file] ?? file.replace(/(?:\.expanded)?\.json(?:ld)?$/, '.html');
      const url = URLS[page] ?? DEFAULT_URL;
      const html = readFileSync(join(folder, page), 'utf8');
      const { structured } = structuredData(toParsedPage(parseHtml(html, false), url, null), null);
      const check = () => {
        for (const [kind, expected] of expectations(file)) compare(kind, expected, structured, url);
      };
      if (MISSES[file] === undefined) check();
      else assert.throws(check, `${file} is equal now: it is no miss any more`);
    });

  it('at least 95 % of the files are equal', () => {
    assert.ok(files.length >= 55, `only ${files.length} files`);
    assert.ok(Object.keys(MISSES).length <= files.length * 0.05);
    for (const file of Object.keys(MISSES)) assert.ok(files.includes(file), file);
  });
});
