import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pagePath } from '../../src/wire/jobs/page-path.ts';

const paths = (urls: readonly string[], extension?: string): readonly string[] => {
  const taken = new Map<string, number>();
  return urls.map((url) => pagePath(`http://a.example${url}`, taken, extension));
};

describe('the path of a page in an archive or a folder', () => {
  test('follows the URL', () => {
    assert.deepEqual(paths(['/', '/a/b.html', '/a/?q=1', '/a b/%C3%BC']), [
      'a.example/index.md',
      'a.example/a/b.md',
      'a.example/a/index_q_1.md',
      'a.example/a_b/ü.md',
    ]);
    assert.deepEqual(paths(['/a'], 'json'), ['a.example/a.json']);
  });

  test('no path is used twice, whatever the case', () => {
    assert.deepEqual(
      paths(['/a', '/A', '/a-2', '/a.html']).map((path) => path.slice('a.example/'.length)),
      ['a.md', 'A-2.md', 'a-2-2.md', 'a-3.md'],
    );
  });

  test('a folder never has the name of a file', () => {
    assert.deepEqual(paths(['/a', '/a.md/b', '/a/b']), [
      'a.example/a.md',
      'a.example/a.md_/b.md',
      'a.example/a/b.md',
    ]);
  });

  test('neither hidden files nor other folders', () => {
    for (const path of paths(['/%2e%2e%2fetc/x', '/..%2f..%2fx', '/.ssh/key', '/%00/x']))
      assert.ok(
        path.split('/').every((part) => part !== '' && !part.startsWith('.')),
        path,
      );
  });

  test('names have at most 255 bytes, in every alphabet', () => {
    for (const letter of ['a', 'é', '字', '😀']) {
      const name = encodeURIComponent(letter.repeat(300));
      for (const path of paths([`/${name}/${name}`, `/${name}/${name}b`]))
        for (const part of path.split('/')) assert.ok(Buffer.byteLength(part) <= 255, part);
    }
  });

  test('many pages with the same beginning take no longer than others', () => {
    const long = 'x'.repeat(100);
    const found = paths(Array.from({ length: 20_000 }, (_, index) => `/${long}${index}`));
    assert.equal(new Set(found).size, 20_000);
    assert.ok(found.at(-1)!.endsWith('-20000.md'));
  });
});
