import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { normaliseDomain } from '../../src/account/key-settings.ts';
import { domainRefusal } from '../../src/domain/url-check.ts';
import fc from '../helpers/fast-check.ts';

describe('domain lists', () => {
  const forms: [given: string, stored: string | null][] = [
    ['example.com', 'example.com'],
    ['EXAMPLE.com.', 'example.com'],
    ['*.Example.com', '*.example.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['faß.example', 'xn--fa-hia.example'],
    ['localhost', 'localhost'],
    ['192.0.2.1', '192.0.2.1'],
    ['0x7f.1', '127.0.0.1'],
    ['2001:DB8::0:1', '[2001:db8::1]'],
    ['[2001:db8::1]', '[2001:db8::1]'],
    ['', null],
    ['*', null],
    ['*.', null],
    ['.', null],
    ['.example.com', null],
    ['*.*.example.com', null],
    ['a*.example.com', null],
    ['*.192.0.2.1', null],
    ['*.::1', null],
    ['http://example.com', null],
    ['example.com:80', null],
    ['example.com/path', null],
    ['user@example.com', null],
    ['example.com?', null],
    ['example.com\\x', null],
    ['exa mple.com', null],
    ['exa\tmple.com', null],
    ['a..b', null],
    ['a..', null],
    ['*.a..', null],
    ['1.2.3.4.5', null],
    ['[::1', null],
    ['fe80::1%eth0', null],
  ];
  for (const [given, stored] of forms) {
    it(`${JSON.stringify(given)} is stored as ${stored}`, () => assert.equal(normaliseDomain(given), stored));
  }

  it('what is stored stays as it is, and nothing throws', () => {
    fc.assert(
      fc.property(fc.oneof(fc.domain(), fc.string(), fc.ipV4(), fc.ipV6()), (text) => {
        const stored = normaliseDomain(text);
        if (stored !== null) assert.equal(normaliseDomain(stored), stored);
      }),
    );
  });

  const hosts: [list: string[], url: string, allowed: boolean][] = [
    [[], 'https://anything.example/', true],
    [['example.com'], 'https://example.com/', true],
    [['example.com'], 'https://EXAMPLE.com.:8443/x', true],
    [['example.com'], 'https://a.b.example.com/', true],
    [['example.com'], 'https://notexample.com/', false],
    [['example.com'], 'https://example.com.evil.example/', false],
    [['example.com'], 'https://example.com@evil.example/', false],
    [['example.com'], 'https://com/', false],
    [['*.example.com'], 'https://a.example.com/', true],
    [['*.example.com'], 'https://example.com/', false],
    [['a.example', 'b.example'], 'https://b.example/', true],
    [['bücher.example'], 'https://xn--bcher-kva.example/', true],
    [['127.0.0.1'], 'http://2130706433/', true],
    [['127.0.0.1'], 'http://127.0.0.2/', false],
    [['::1'], 'http://[0:0::1]:99/', true],
    [['::1'], 'http://[::2]/', false],
    [['4'], 'http://1.2.3.4/', false],
  ];
  for (const [list, url, allowed] of hosts) {
    it(`[${list}] ${allowed ? 'allows' : 'refuses'} ${url}`, () => {
      const domains = list.map((entry) => normaliseDomain(entry) ?? assert.fail());
      assert.equal(domainRefusal({ domains }, new URL(url))?.code ?? null, allowed ? null : 'policy.domain');
    });
  }
});
