import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CrawlScope } from '../../src/domain/crawl.ts';
import { scopeTest } from '../../src/jobs/crawl/scope.ts';

const CASES: readonly (readonly [CrawlScope, string, string, boolean])[] = [
  ['host', 'http://a.test/', 'https://www.a.test/x', true],
  ['host', 'http://www.a.test/', 'http://a.test/x', true],
  ['host', 'http://a.test/', 'http://b.a.test/', false],
  ['host', 'http://a.test:8080/', 'http://a.test/', false],
  ['path', 'http://a.test/docs', 'http://a.test/docs', true],
  ['path', 'http://a.test/docs', 'http://a.test/docs/x?y', true],
  ['path', 'http://a.test/docs', 'http://a.test/docs2', false],
  ['path', 'http://a.test/docs/index.html', 'http://a.test/docs/other.html', true],
  ['path', 'http://a.test/docs/', 'http://a.test/', false],
  ['path', 'http://a.test/docs/', 'http://b.test/docs/', false],
  ['domain', 'http://shop.example.co.uk/', 'http://blog.example.co.uk/', true],
  ['domain', 'http://example.co.uk/', 'http://other.co.uk/', false],
  ['domain', 'http://one.github.io/', 'http://two.github.io/', false],
  ['domain', 'http://127.0.0.1/', 'http://127.0.0.2/', false],
  ['domain', 'http://127.0.0.1/', 'http://127.0.0.1:81/', true],
  ['any', 'http://a.test/', 'http://b.test/', true],
];

describe('scopes', () => {
  for (const [scope, start, url, expected] of CASES)
    test(`${scope}: ${url} from ${start}`, () => {
      assert.equal(scopeTest(scope, [new URL(start)])(new URL(url)), expected);
    });
});
