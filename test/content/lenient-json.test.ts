import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseLenientJson } from '../../src/content/document/json-ld.ts';
import { reading } from './reading.ts';

describe('JSON-LD with mistakes', () => {
  const tolerated: readonly (readonly [string, unknown])[] = [
    ['{"a":1};', { a: 1 }],
    [' {"a":[1]} ; ;\n', { a: [1] }],
    ['//<![CDATA[\n{"a":1}\n//]]>', { a: 1 }],
    ['/*<![CDATA[*/{"a":1}/*]]>*/', { a: 1 }],
    ['<![CDATA[{"a":1}]]>', { a: 1 }],
    ['<!--\n{"a":1}\n//-->', { a: 1 }],
    ['<!-- Who came -->\n{"a":1}<!-- and went -->', { a: 1 }],
    ['{"a":1,}', { a: 1 }],
    ['{"a":[1,2, ] , /* last */ }', { a: [1, 2] }],
    ['{"a":"x",// "b":2,\n}', { a: 'x' }],
    [
      '{"url":"https://a/b//c","d":"/* no comment */","e":",]"}\u003b',
      { url: 'https://a/b//c', d: '/* no comment */', e: ',]' },
    ],
    ['{"a":"two\nlines\tand a tab"}', { a: 'two\nlines\tand a tab' }],
    [String.raw`{"a":"it\'s","b":"c\/d\u0041"}`, { a: "it's", b: 'c/dA' }],
    ['["]]>", "-->",]', [']]>', '-->']],
    [String.raw`{'a':'say "it\'s"', 'b':['\u0041\n', "it's"]}`, { a: `say "it's"`, b: ['A\n', "it's"] }],
    ["{'a':'two\nlines'}", { a: 'two\nlines' }],
  ];
  for (const [text, value] of tolerated)
    test(JSON.stringify(text), () =>
      assert.deepEqual(JSON.parse(JSON.stringify(parseLenientJson(text, 50))), { values: [value] }),
    );

  // Generators that write a block for each thing put them into one script.
  for (const text of ['{"a":1}{"b":2}', '{"a":1}\n,{"b":2}', "{'a':1};{'b':2};", '[{"a":1}] // x\n {"b":2,}'])
    test(`${JSON.stringify(text)} is two values`, () => {
      const { values } = parseLenientJson(text, 50) as { values: unknown[] };
      assert.deepEqual(JSON.parse(JSON.stringify(values.flat())), [{ a: 1 }, { b: 2 }]);
    });

  const wrong: readonly (readonly [string, number, number])[] = [
    ['{"a":1', 1, 7],
    ['{\n  "a": "x\ty",\n  b: 1}', 3, 3],
    ["{'a:1}", 1, 2],
    ["{'a':'it's'}", 1, 10],
    ['{"a":1}{"b":2', 1, 14],
    ['{"a":1} b', 1, 9],
    ['"a" "b"', 1, 5],
    ['{"a":,}', 1, 6],
    ['[,]', 1, 2],
    ['["a\\u12"]', 1, 2],
    ['{"a": "b', 1, 7],
    ['['.repeat(60), 1, 51],
    ['', 1, 1],
    ['{"a":1;"b":2}', 1, 7],
  ];
  for (const [text, line, column] of wrong)
    test(`${JSON.stringify(text)} is refused`, () => {
      const { why, ...place } = parseLenientJson(text, 50) as { why: string };
      assert.deepEqual(place, { line, column });
      assert.match(why, /^[a-z"]/);
    });

  test('an invalid block is a warning with its place; the other blocks are read', () => {
    const block = (text: string) => `<script type="application/ld+json">${text}</script>`;
    const html =
      block('{"name":"A",};{"name":"A2"}') +
      block(' ') +
      block('{\n"name": "B" "c": 1}') +
      block('{"name":"C"}');
    const { data, failures, warnings } = reading(html, { formats: ['text', 'metadata'] });
    assert.deepEqual((data.metadata as { json_ld: unknown }).json_ld, [
      { name: 'A' },
      { name: 'A2' },
      { name: 'C' },
    ]);
    assert.deepEqual(failures, []);
    assert.equal(warnings.length, 1);
    const { code, pointer, details } = warnings[0]!;
    assert.deepEqual([code, pointer], ['json_ld.unread', '/scraper_options/formats/1']);
    const [{ why, ...place }] = details!.blocks as [{ why: string }];
    assert.deepEqual(place, { block: 3, line: 2, column: 13 });
    assert.match(why, /^"," or "}" is missing$/);
  });
});
