import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type Json,
  type JsonObject,
  pointerOf,
  valueAt,
  withValueAt,
} from '../../dashboard/src/pages/playground/model/json.ts';
import { checkJson } from '../../dashboard/src/pages/playground/model/json-syntax.ts';
import { requestOfFragment, sharedFragment } from '../../dashboard/src/pages/playground/model/share-link.ts';
import fc from '../helpers/fast-check.ts';

const readable = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** JSON text with a piece removed, inserted or repeated, which mostly makes it invalid. */
const damaged = fc
  .tuple(
    fc.json({ maxDepth: 4 }),
    fc.nat(),
    fc.nat({ max: 3 }),
    fc.constantFrom('', ',', '"', '}', ']', ':', '\\', '1', '\n', "'", 'x'),
  )
  .map(([text, at, cut, more]) => {
    const place = at % (text.length + 1);
    return text.slice(0, place) + more + text.slice(place + cut);
  });

describe('JSON in the editor', () => {
  test('accepts exactly what JSON.parse accepts; every other text has an error at a position inside the text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), damaged, fc.string()), (text) => {
        const { fault } = checkJson(text);
        assert.equal(fault === null, readable(text), text);
        if (fault !== null) assert.ok(fault.offset >= 0 && fault.offset <= text.length);
      }),
      { numRuns: 3000 },
    );
  });

  test('an error has a line, a column and a reason', () => {
    const cases: readonly (readonly [text: string, line: number, column: number, words: RegExp])[] = [
      ['', 1, 1, /a request is expected/i],
      ['{\n  "url": "a",\n}', 3, 1, /remove the comma before the closing }/i],
      ["{'url': 1}", 1, 2, /a name in double quotes/i],
      ['{"a": 1\n "b": 2}', 2, 2, /a comma or } is missing/i],
      ['{"a" 1}', 1, 6, /a colon is missing/i],
      ['{"a": True}', 1, 7, /true is not valid json/i],
      ['{"a": "b}', 1, 7, /no closing "/i],
      ['{"a": "\\d"}', 1, 8, /a backslash is written/i],
      ['{"a": [1, 2', 1, 12, /] is missing/i],
      ['{} {}', 1, 4, /nothing may follow/i],
    ];
    for (const [text, line, column, words] of cases) {
      const { fault } = checkJson(text);
      assert.deepEqual([fault?.line, fault?.column], [line, column], text);
      assert.match(fault!.message, words);
    }
  });

  test('very many opening brackets are an error, and do not overflow the stack', () => {
    for (const text of ['['.repeat(100_000), '{"a":'.repeat(100_000)]) {
      assert.match(checkJson(text).fault!.message, /nested deeper/i);
    }
  });

  test('the line of a repeated name is that of its last value', () => {
    assert.equal(checkJson('{\n"a": 1,\n"a": 2\n}').lines.get('/a'), 3);
  });

  test('knows the line of every value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const text = JSON.stringify(value, null, 2);
        const { lines } = checkJson(text);
        const walk = (one: Json, path: readonly (string | number)[]) => {
          const line = text.split('\n')[lines.get(pointerOf(path))! - 1]!;
          const start = JSON.stringify(one, null, 2).split('\n', 1)[0]!;
          assert.ok(line.includes(start), `${pointerOf(path)}: ${line} has no ${start}`);
          if (typeof one !== 'object' || one === null) return;
          for (const [name, inner] of Object.entries(one)) {
            walk(inner as Json, [...path, Array.isArray(one) ? Number(name) : name]);
          }
        };
        walk(value as Json, []);
      }),
    );
  });

  test('setting a value changes nothing else, and removing it leaves no empty objects', () => {
    const name = fc.oneof(fc.constantFrom('a', 'b', '__proto__', 'constructor', ''), fc.string());
    fc.assert(
      fc.property(
        fc.dictionary(name, fc.jsonValue()) as fc.Arbitrary<JsonObject>,
        fc.array(name, { minLength: 1, maxLength: 3 }),
        fc.jsonValue() as fc.Arbitrary<Json>,
        (before, path, value) => {
          const copy = JSON.stringify(before);
          const after = withValueAt(before, path, value);
          assert.equal(JSON.stringify(valueAt(after, path)), JSON.stringify(value));
          assert.equal(JSON.stringify(before), copy);
          for (const other of Object.keys(before)) {
            if (other !== path[0]) assert.deepEqual(valueAt(after, [other]), valueAt(before, [other]));
          }
          assert.equal(valueAt(withValueAt(after, path, undefined), path), undefined);
          assert.deepEqual(withValueAt(withValueAt({}, path, value), path, undefined), {});
        },
      ),
    );
  });

  test('a shared link restores the text; a damaged link restores nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const fragment = sharedFragment(text);
        assert.match(fragment, /^request=[A-Za-z0-9_-]*$/);
        assert.equal(requestOfFragment(`#${fragment}`), text);
      }),
    );
    for (const broken of ['', '#', '#request=!', '#request=_w', '#other=e30']) {
      assert.equal(requestOfFragment(broken), null, broken);
    }
  });
});
