import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseProxyUrl } from '../../src/wire/proxy-url.ts';

test('each valid escape in credentials is decoded; other text stays unchanged', () => {
  for (const [url, username, password] of [
    ['http://user:50%^x@gate:8000', 'user', '50%^x'],
    ['http://u:100%=x@gate', 'u', '100%=x'],
    ['http://u:p|%w@gate', 'u', 'p|%w'],
    ['http://a;b%:p@gate', 'a;b%', 'p'],
    ['http://u:a%25b%E9@gate', 'u', 'a%b%E9'],
    ['socks5://u:%C3%A9%3A@gate:1', 'u', 'é:'],
  ] as const) {
    const server = parseProxyUrl(url);
    assert.ok(typeof server !== 'string', url);
    assert.deepEqual({ ...server.credentials!.read() }, { username, password });
  }
});

test('the notations of proxy lists are accepted', () => {
  for (const [text, kind, host, port, user] of [
    ['gate.test:8000', 'http', 'gate.test', 8000, null],
    ['[2001:db8::1]:8000', 'http', '[2001:db8::1]', 8000, null],
    ['u:pw@gate.test:8000', 'http', 'gate.test', 8000, ['u', 'pw']],
    ['u:p/w#1@gate.test:8000', 'http', 'gate.test', 8000, ['u', 'p/w#1']],
    ['u:p%40@[2001:db8::1]:8000', 'http', '[2001:db8::1]', 8000, ['u', 'p@']],
    ['gate.test:8000:u-cc-de:p:w', 'http', 'gate.test', 8000, ['u-cc-de', 'p:w']],
    ['10.0.0.1:8000:u:p@w%40', 'http', '10.0.0.1', 8000, ['u', 'p@w%40']],
    ['[2001:db8::1]:8000:u:pw ', 'http', '[2001:db8::1]', 8000, ['u', 'pw']],
    ['http://gate.test:8000:u:p@w', 'http', 'gate.test', 8000, ['u', 'p@w']],
    ['http://u:80:p@gate.test:8000/', 'http', 'gate.test', 8000, ['u', '80:p']],
    ['socks5://gate.test:1080:u:pw', 'socks5', 'gate.test', 1080, ['u', 'pw']],
  ] as const) {
    const server = parseProxyUrl(text);
    assert.ok(typeof server !== 'string', text);
    const read = server.credentials?.read();
    assert.deepEqual(
      [server.kind, server.host, server.port, read === undefined ? null : [read.username, read.password]],
      [kind, host, port, user],
    );
  }
  for (const text of [
    'ftp://gate.test:21',
    'gate.test:99999',
    'gate.test:8000:u',
    'u:pw@gate.test',
    'a b:80',
  ])
    assert.equal(typeof parseProxyUrl(text), 'string', text);
});
