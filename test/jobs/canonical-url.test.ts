import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { canonicalUrl, fingerprintOf } from '../../src/jobs/crawl/canonical-url.ts';

describe('canonical URLs', () => {
  for (const [written, canonical] of [
    ['http://a.test', 'http://a.test/'],
    ['HTTP://A.test:80/x', 'http://a.test/x'],
    ['https://a.test:443/', 'https://a.test/'],
    ['https://a.test:8443/', 'https://a.test:8443/'],
    ['http://a.test/x#part', 'http://a.test/x'],
    ['http://u:p@a.test/', 'http://a.test/'],
    ['http://a.test/?', 'http://a.test/'],
    ['http://a.test/x?utm_source=a&UTM_Medium=b&q=1', 'http://a.test/x?q=1'],
    ['http://a.test/x?gclid=1', 'http://a.test/x'],
    ['http://a.test/x?fbclid=1&&b=2&a=1', 'http://a.test/x?b=2&a=1'],
    ['http://a.test/x?q=a%20b+c', 'http://a.test/x?q=a%20b+c'],
    ['http://a.test/x?utm%5fsource=1', 'http://a.test/x'],
    ['http://a.test/x?%E4=1', 'http://a.test/x?%E4=1'],
    ['http://a.test/x;jsessionid=AB12?a=1', 'http://a.test/x?a=1'],
    ['http://a.test/./b/../c', 'http://a.test/c'],
    ['http://bücher.test/', 'http://xn--bcher-kva.test/'],
    ['http://www.a.test/', 'http://www.a.test/'],
  ] as const)
    test(written, () => assert.equal(canonicalUrl(new URL(written), null), canonical));

  test('parameters that a crawl ignores', () => {
    const url = () => new URL('http://a.test/x?b=1&sort=up&c=2');
    assert.equal(
      canonicalUrl(url(), (name) => name === 'sort'),
      'http://a.test/x?b=1&c=2',
    );
    assert.equal(canonicalUrl(url(), true), 'http://a.test/x');
  });

  test('fingerprints have 16 bytes, and differ', () => {
    assert.equal(fingerprintOf('http://a.test/').length, 16);
    assert.deepEqual(fingerprintOf('http://a.test/'), fingerprintOf('http://a.test/'));
    assert.notDeepEqual(fingerprintOf('http://a.test/'), fingerprintOf('http://a.test/b'));
  });
});
