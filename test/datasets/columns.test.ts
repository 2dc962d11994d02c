import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { afterPrefix, ColumnTaker, cellOf, NULL_CELL, typeOf } from '../../src/datasets/columns.ts';
import { passes, type RowFilter, rangeOf } from '../../src/datasets/query-rows.ts';
import { rowKey, rowsOfData } from '../../src/datasets/result-rows.ts';
import type { ColumnType, RowData } from '../../src/domain/datasets.ts';
import { rowObject } from '../../src/wire/datasets.ts';
import fc from '../helpers/fast-check.ts';

const order = (type: ColumnType, a: unknown, b: unknown): number =>
  Buffer.compare(cellOf(type, a), cellOf(type, b));

describe('the index of a column sorts as its values do', () => {
  test('numbers', () => {
    const number = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(fc.property(number, number, (a, b) => Math.sign(order('number', a, b)) === Math.sign(a - b)));
    assert.equal(order('number', -0, 0), 0);
  });

  test('times, whatever their zone; booleans; null before all', () => {
    assert.ok(order('date-time', '2026-01-31T23:00:00Z', '2026-02-01T00:30:00+01:00') < 0);
    assert.equal(order('date-time', '2026-01-31', '2026-01-31T00:00:00Z'), 0);
    assert.ok(order('boolean', false, true) < 0);
    for (const [type, value] of [
      ['number', -1e308],
      ['text', ''],
      ['boolean', false],
      ['json', {}],
    ] as const)
      assert.ok(Buffer.compare(NULL_CELL, cellOf(type, value)) < 0, type);
  });

  test('what passes a filter is in the range of the index', () => {
    const filters: RowFilter['op'][] = ['eq', 'lt', 'le', 'gt', 'ge', 'starts', 'not_null'];
    const text = fc.oneof(
      fc.string({ maxLength: 4 }),
      fc.string({ minLength: 40, maxLength: 60 }),
      fc.constant('x'.repeat(60)),
    );
    fc.assert(
      fc.property(fc.constantFrom(...filters), text, text, (op, value, found) => {
        const filter = { column: { index: 3, type: 'text', fromRow: 0 }, op, value } as const;
        const range = rangeOf(filter)!;
        const cell = cellOf('text', found);
        const isIn =
          Buffer.compare(cell, range.from) >= 0 && (range.to === null || Buffer.compare(cell, range.to) < 0);
        return isIn || !passes(filter, found);
      }),
    );
    assert.equal(afterPrefix(Uint8Array.of(0xff, 0xff)), null);
    assert.deepEqual(afterPrefix(Uint8Array.of(1, 0xff)), Uint8Array.of(2));
  });
});

describe('columns', () => {
  const fields = (object: object) => new Map(Object.entries(object));

  test('have the type of their first value; what it cannot hold is null and counted', () => {
    const taker = new ColumnTaker([], 0);
    const first = { price: 12.5, sold: true, at: '2026-01-31T10:00:00Z', name: 'a', tags: ['x'], none: null };
    assert.deepEqual(taker.take(fields(first), 1), [12.5, true, '2026-01-31T10:00:00Z', 'a', ['x']]);
    const second = { price: '12', sold: 1, at: 'soon', name: { x: 1 }, tags: 3, late: 1 };
    assert.deepEqual(
      taker.take(fields(second), 2),
      [null, null, null, null, 3, 1].map((value, at) => (at < 4 ? null : value)),
    );
    assert.deepEqual(
      taker.columns.map(({ name, type, nulls, fromRow }) => [name, type, nulls, fromRow]),
      [
        ['price', 'number', 1, 1],
        ['sold', 'boolean', 1, 1],
        ['at', 'date-time', 1, 1],
        ['name', 'text', 1, 1],
        ['tags', 'json', 0, 1],
        ['late', 'number', 0, 2],
      ],
    );
    assert.equal(typeOf('2026-13-45'), 'text');
  });

  test('are at most 200; further ones are counted', () => {
    const taker = new ColumnTaker([], 0);
    const wide = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`c${n}`, n]));
    assert.equal(taker.take(fields(wide), 1).length, 200);
    assert.deepEqual([taker.columns.length, taker.dropped], [200, 100]);
  });

  test('may have any name of at most 200 characters', () => {
    const taker = new ColumnTaker([], 0);
    const hostile = JSON.parse(`{"__proto__": "p", "": "e", "=cmd()": "f", "${'n'.repeat(10_000)}": "long"}`);
    assert.deepEqual(taker.take(fields(hostile), 1), ['p', 'e', 'f']);
    assert.deepEqual(
      [taker.columns.map(({ name }) => name), taker.dropped],
      [['__proto__', '', '=cmd()'], 1],
    );
    const data: RowData = {
      ...{ url: 'https://a.test/', index: 0, status: 200, title: null, scrapeId: null },
      values: ['p', 'e', 'f'],
    };
    const row = { row: 1, run: 1, key: NULL_CELL, hash: NULL_CELL, data };
    const { values } = rowObject(taker.columns, row);
    assert.equal(JSON.stringify(values), '{"__proto__":"p","":"e","=cmd()":"f"}');
    assert.equal(JSON.stringify(rowObject([], row).values), '{}', 'columns that came later are left out');
  });

  test('hold no value of more than 64 KiB and no row of more than 1 MiB', () => {
    const taker = new ColumnTaker([], 0);
    assert.deepEqual(taker.take(fields({ huge: 'x'.repeat(10_000_000), small: 'y' }), 1), [null, 'y']);
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`c${n}`, 'z'.repeat(60_000)]));
    const values = taker.take(fields(many), 2);
    assert.ok(JSON.stringify(values).length < 1_100_000);
    assert.ok(taker.columns.reduce((sum, { nulls }) => sum + nulls, 0) > 10);
  });
});

describe('rows', () => {
  const rows = (data: object) =>
    rowsOfData(data as Record<string, unknown>).map((row) => Object.fromEntries(row));

  test('are made of extract and json, and of a list of objects', () => {
    assert.deepEqual(rows({ extract: { a: 1 }, json: { a: 2, b: 3 }, markdown: 'x' }), [{ a: 1, b: 3 }]);
    assert.deepEqual(rows({ json: [{ a: 1 }, { a: 2 }] }), [{ a: 1 }, { a: 2 }]);
    const shop = { shop: 'x', items: [{ sku: 1 }, { sku: 2 }] };
    assert.deepEqual(rows({ json: shop }), [
      { shop: 'x', sku: 1 },
      { shop: 'x', sku: 2 },
    ]);
    assert.deepEqual(
      rows({ json: { ...shop, more: [{ y: 1 }] } }),
      [{ ...shop, more: [{ y: 1 }] }],
      'not which of two lists',
    );
    assert.deepEqual(rows({ extract: { tags: ['a', 'b'] } }), [{ tags: ['a', 'b'] }]);
    assert.deepEqual(rows({ markdown: '#' }), []);
    assert.deepEqual(rows({ extract: { items: [] } }), [], 'no row of a page without items');
    assert.deepEqual(rows({ extract: { shop: 'x', items: [] } }), [{ shop: 'x' }]);
  });

  test('are the same in two runs by URL and index, or by columns', () => {
    const at = (url: string, index: number) => ({ url, index }) as RowData;
    const row = new Map([['sku', 7]]);
    assert.deepEqual(rowKey(null, row, at('a', 0)), rowKey(null, new Map(), at('a', 0)));
    assert.notDeepEqual(rowKey(null, row, at('a', 0)), rowKey(null, row, at('a', 1)));
    assert.deepEqual(rowKey(['sku'], row, at('a', 0)), rowKey(['sku'], row, at('b', 5)));
  });
});
