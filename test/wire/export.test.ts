import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fileName } from '../../src/wire/record/record-json.ts';
import { exportHead, exportLines, listJson } from '../../src/wire/record/record-list.ts';
import { EXPORT_QUERY } from '../../src/wire/record/record-query.ts';
import { parseQuery } from '../../src/wire/schema/query-reader.ts';
import { record } from '../contracts/samples.ts';

const USER = { userId: 'u', role: 'user', keyId: null } as const;

describe('export', () => {
  test('lines of JSON are the items of the list', () => {
    const records = [record(1, { tags: { a: 'ü\n"' } }), record(2, { url: null })];
    const { items } = JSON.parse(listJson(records, null, true));
    const lines = exportLines(records, 'jsonl', true).split('\n');
    assert.equal(lines.pop(), '');
    assert.deepEqual(
      lines.map((line) => JSON.parse(line)),
      items,
    );
    assert.equal(exportHead('jsonl', true), '');
  });

  test('CSV has the members of the list as columns', () => {
    const [item] = JSON.parse(listJson([record(1)], null, true)).items;
    assert.equal(exportHead('csv', true), `${Object.keys(item).join(',')}\r\n`);
    assert.equal(exportHead('csv', false).includes('user_id'), false);
    const line = exportLines([record(1)], 'csv', false);
    assert.equal(line.split(',').length, exportHead('csv', false).split(',').length);
    assert.match(
      line,
      /^01[0-9a-f-]{34},2026-01-02T03:04:05.001Z,https:\/\/example.com\/page\/1,example.com,GET,/,
    );
    assert.ok(line.endsWith(',{},key1,false,\r\n'));
  });

  test('a cell is quoted where it must be, and never a formula', () => {
    const cells: [string, string][] = [
      ['a,b', '"a,b"'],
      ['a"b', '"a""b"'],
      ['a\r\nb', '"a\r\nb"'],
      ['=1+1', "'=1+1"],
      ['+1', "'+1"],
      ['-1', "'-1"],
      ['@SUM(A1)', "'@SUM(A1)"],
      ['\t=1', "'\t=1"],
      ['\r=1', '"\'\r=1"'],
      ['=HYPERLINK("http://x","y")', '"\'=HYPERLINK(""http://x"",""y"")"'],
      ["'=1", "'=1"],
    ];
    for (const [host, expected] of cells) {
      const line = exportLines([record(1, { host, url: null })], 'csv', false);
      assert.ok(line.includes(`.001Z,,${expected},GET,`), `${JSON.stringify(host)}: ${JSON.stringify(line)}`);
    }
    const tagged = exportLines([record(1, { tags: { '=1': '=2' } })], 'csv', false);
    assert.ok(tagged.includes('"{""=1"":""=2""}"'));
    assert.ok(
      exportLines([record(1, { durationMs: -1 })], 'csv', false).includes(',-1,'),
      'numbers are not quoted as formulas',
    );
  });

  test('the query: a format and the filters of the list, no page', () => {
    assert.equal(parseQuery(EXPORT_QUERY, {}, USER).value?.format, 'jsonl');
    const { value } = parseQuery(EXPORT_QUERY, { format: 'csv', host: 'A.example', outcome: 'ok' }, USER);
    assert.deepEqual([value?.format, value?.filter.host, value?.filter.userId], ['csv', 'a.example', 'u']);
    for (const name of ['format', 'limit', 'cursor', 'user_id'])
      assert.deepEqual(
        parseQuery(EXPORT_QUERY, { [name]: 'x' }, USER).problems?.map(({ pointer }) => pointer),
        [`/${name}`],
      );
  });
});

test('the file name of a download contains no text of the target', () => {
  assert.equal(fileName('1', 'text/html'), 'scrape-1.html');
  assert.equal(fileName('1', 'application/problem+json'), 'scrape-1.json');
  assert.equal(fileName('1', 'text/x-rare'), 'scrape-1.txt');
  for (const strange of ['application/x-msdownload', 'constructor', '../a', 'text\r\n'])
    assert.equal(fileName('1', strange), 'scrape-1.bin');
});
