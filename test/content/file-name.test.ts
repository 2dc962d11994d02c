import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isAttachment, responseFileName, safeFileName } from '../../src/content/charset/file-name.ts';
import fc from '../helpers/fast-check.ts';

const headersOf = (value: string) => [['content-disposition', value]] as const;
/** As a header value arrives: each byte a character. */
const asBytes = (text: string): string => Buffer.from(text).toString('latin1');

describe('the name of a file', () => {
  const cases: readonly (readonly [disposition: string, name: string])[] = [
    ['attachment; filename=report.pdf', 'report.pdf'],
    ['attachment; filename="a report.pdf"', 'a report.pdf'],
    ['ATTACHMENT ; FileName = "a\\"b\\\\c;d.txt" ; size=3', 'c;d.txt'],
    [`attachment; filename="x.txt"; filename*=UTF-8''J%C3%A4nner%20%E2%82%AC.txt`, 'Jänner €.txt'],
    [`attachment; filename*=utf-8'de'%e4.txt; filename=x.txt`, '\ufffd.txt'],
    [`attachment; filename*=ISO-8859-1''%E4.txt`, 'ä.txt'],
    ['attachment; filename*=nonsense; filename=x.txt', 'x.txt'],
    [`attachment; filename=${asBytes('Jänner.txt')}`, 'Jänner.txt'],
    ['attachment; filename=J\xe4nner.txt', 'Jänner.txt'],
    ['attachment; filename="a%20b.txt"', 'a b.txt'],
    ['attachment; filename="100%.txt"', '100%.txt'],
    ['attachment; filename="../../etc/passwd"', 'passwd'],
    ['attachment; filename="C:\\\\Windows\\\\x.exe"', 'x.exe'],
    ['attachment; filename=".bashrc"', 'bashrc'],
    ['attachment; filename="_a:b.txt"', '_a_b.txt'],
    ['attachment; filename="photo\u202egpj.exe"', 'photo_gpj.exe'],
    ['attachment; filename=""', 'the end.csv'],
    ['attachment', 'the end.csv'],
    ['attachment; filename="..."', 'the end.csv'],
  ];
  for (const [disposition, name] of cases)
    test(disposition, () => {
      assert.equal(responseFileName(headersOf(disposition), 'https://a.test/b/the%20end.csv?x=/y.z'), name);
    });

  test('without any it is `download`', () => {
    for (const url of ['https://a.test/', 'https://a.test/%2f', 'blob:https://a.test/1-2', 'data:,x'])
      assert.equal(responseFileName([], url), 'download', url);
  });

  test('is safe on every system, whatever was given', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (text) => {
        const name = safeFileName(text);
        if (name === null) return;
        assert.doesNotMatch(name, /[/\\:*?"<>|\p{Cc}\p{Cf}]|^[.\s]|[.\s]$/u);
        assert.ok(name !== '' && [...name].length <= 120);
        assert.equal(safeFileName(name), name);
      }),
    );
  });

  test('a long one keeps its ending', () => {
    assert.match(safeFileName(`${'ä'.repeat(500)}.xlsx`)!, /^ä{115}\.xlsx$/);
  });
});

test('what is not inline is saved', () => {
  for (const value of ['attachment', 'Attachment; filename=x', 'other', ' form-data; name=x'])
    assert.equal(isAttachment(headersOf(value)), true, value);
  for (const value of ['inline', 'INLINE; filename=x.pdf', '', 'filename=x.pdf', '"attachment"; filename=x'])
    assert.equal(isAttachment(headersOf(value)), value.startsWith('"'), value);
  assert.equal(isAttachment([]), false);
});
