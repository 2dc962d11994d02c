import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseProxyUrl } from '../../src/wire/proxy-url.ts';

test('credentials are decoded escape by escape, and what is none stays as it is', () => {
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
