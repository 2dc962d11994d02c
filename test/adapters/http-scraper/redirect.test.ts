import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Method, TaskBody } from '../../../src/domain/task.ts';
import { CookieJar } from '../../../src/http-client/cookie-jar.ts';
import { isRedirect, redirectedRequest } from '../../../src/http-client/redirects.ts';
import { firstRequest, type HttpRequest, requestTarget } from '../../../src/http-client/request.ts';
import { ResponseHead } from '../../../src/http-client/response-head.ts';
import { type JobChange, jobFor } from '../../contracts/fetch-order.ts';
import { DATA, WITHOUT_DATA } from '../../egress/conformance.ts';

interface Table {
  readonly header_dropping: readonly {
    readonly id: string;
    readonly request: string;
    readonly location: string;
    readonly keeps: readonly string[];
  }[];
  readonly method: readonly {
    readonly status: number;
    readonly method: Method;
    readonly becomes: Method;
    readonly body: 'kept' | 'dropped' | 'none';
  }[];
  readonly schemes: { readonly do_not_follow: readonly string[] };
  readonly location_bytes: readonly { readonly location_hex: string; readonly note: string }[];
  readonly fragment: readonly {
    readonly request: string;
    readonly location: string;
    readonly final_url: string;
  }[];
}

const table = (): Table =>
  JSON.parse(readFileSync(join(DATA!, 'redirect/scrapy-redirect-cases.json'), 'utf8')) as Table;

const BODY: TaskBody = { type: 'raw', bytes: Buffer.from('body'), contentType: 'text/plain' };

/** The next request after one answer; fails the test when there is none. */
function next(url: string, status: number, location: string, change: JobChange = {}): HttpRequest {
  const result = redirectedRequest(firstRequest(jobFor(url, change)), headOf(status, location));
  assert.ok('url' in result, JSON.stringify(result));
  return result;
}

function headOf(status: number, location: string): ResponseHead {
  const head = new ResponseHead(status);
  head.addField('location', location);
  return head;
}

test('which fields survive which redirect', { skip: WITHOUT_DATA }, () => {
  for (const { id, request, location, keeps } of table().header_dropping) {
    const headers = [
      ['A', '1'],
      ['Authorization', 'x'],
    ] as const;
    const to = next(request, 302, location, { headers });
    const names = to.headers.map(([name]) => name);
    const jar = new CookieJar(
      [
        {
          name: 'c',
          value: 'v',
          domain: null,
          path: null,
          secure: false,
          httpOnly: false,
          sameSite: null,
          expires: null,
        },
      ],
      new URL(request).hostname,
    );
    const callers = to.url.protocol === 'https:' || new URL(request).protocol === 'http:';
    if (jar.cookieHeader(to.url, callers, Date.now()) !== null) names.push('Cookie');
    assert.deepEqual(names.sort(), [...keeps].sort(), id);
  }
});

test('methods and bodies', { skip: WITHOUT_DATA }, () => {
  for (const { status, method, becomes, body } of table().method) {
    const headers = [
      ['Content-Type', 'a/b'],
      ['content-language', 'en'],
      ['Content-Encoding', 'x'],
      ['Content-Location', '/'],
      ['X-A', '1'],
    ] as const;
    const to = next('http://a.example/', status, '/b', {
      method,
      headers,
      body: method === 'GET' || method === 'HEAD' ? null : BODY,
    });
    assert.equal(to.method, becomes, `${status} ${method}`);
    assert.equal(to.body !== null, body === 'kept', `${status} ${method}`);
    if (body === 'dropped') assert.deepEqual(to.headers, [['X-A', '1']]);
    if (body === 'kept') assert.equal(to.headers.length, 5);
  }
});

test('schemes, bytes and fragments of locations', { skip: WITHOUT_DATA }, () => {
  const { schemes, location_bytes, fragment } = table();
  for (const scheme of schemes.do_not_follow) {
    const result = redirectedRequest(
      firstRequest(jobFor('http://a.example/')),
      headOf(302, `${scheme}://b.example/x`),
    );
    assert.equal('code' in result && result.code, 'redirect.invalid', scheme);
  }
  for (const { location_hex, note } of location_bytes) {
    const bytes = Buffer.from(location_hex, 'hex');
    const expected = bytes
      .toString('latin1')
      .replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`);
    assert.equal(next('http://a.example/', 302, bytes.toString('latin1')).url.pathname, `/${expected}`, note);
  }
  for (const { request, location, final_url } of fragment) {
    assert.equal(next(request, 302, location).url.href, final_url);
  }
});

test('locations', () => {
  const rows: [location: string, url: string][] = [
    ['/x', 'http://a.example:81/x#f'],
    ['x?y#z', 'http://a.example:81/dir/x?y#z'],
    ['//b.example/', 'http://b.example/#f'],
    ['?q', 'http://a.example:81/dir/page?q#f'],
    ['#', 'http://a.example:81/dir/page#'],
    ['  /x\t ', 'http://a.example:81/x#f'],
    ['http://m\xc3\xbcnchen.example/', 'http://xn--mnchen-3ya.example/#f'],
    ['\\\\b.example\\x', 'http://b.example/x#f'],
  ];
  for (const [location, url] of rows) {
    assert.equal(next('http://a.example:81/dir/page#f', 302, location).url.href, url);
  }
  for (const location of [
    'http://',
    'http://a b/',
    'http://[::1',
    'http://a:99999/',
    'https:',
    'javascript:alert(1)',
    'mailto:a@b',
  ]) {
    const result = redirectedRequest(firstRequest(jobFor('http://a.example/')), headOf(302, location));
    assert.equal('code' in result && result.code, 'redirect.invalid', location);
  }
  const two = headOf(302, '/a');
  two.addField('location', '/b');
  assert.ok('code' in redirectedRequest(firstRequest(jobFor('http://a.example/')), two));
});

test('credentials of a location become Basic for that origin, and are told to nobody', () => {
  const first = next('http://a.example/', 302, 'http://us%20er:p%C3%A4ss@a.example/x', {
    headers: [['Authorization', 'mine']],
  });
  assert.equal(first.url.href, 'http://a.example/x');
  assert.equal(first.authorization, `Basic ${Buffer.from('us er:päss').toString('base64')}`);
  assert.deepEqual(first.headers, []);
  const same = redirectedRequest(first, headOf(302, '/y'));
  assert.ok('url' in same && same.authorization === first.authorization);
  const other = redirectedRequest(first, headOf(302, 'http://b.example/'));
  assert.ok('url' in other && other.authorization === null);
  const bad = redirectedRequest(first, headOf(302, 'ftp://user:secret@b.example/'));
  assert.ok('code' in bad && !bad.message.includes('secret'));
});

test('what is no redirect', () => {
  for (const status of [200, 201, 300, 304, 305, 306, 309, 399, 404])
    assert.equal(isRedirect(headOf(status, '/x')), false);
  for (const status of [301, 302, 303, 307, 308]) assert.equal(isRedirect(headOf(status, '/x')), true);
  assert.equal(isRedirect(headOf(302, '')), false);
  assert.equal(isRedirect(new ResponseHead(302)), false);
});

test('the target of a request is path and query as serialised', () => {
  const rows: [url: string, target: string][] = [
    ['http://a.example', '/'],
    ['http://a.example/?', '/?'],
    ['http://a.example/?#x', '/?'],
    ['http://a.example/a#', '/a'],
    ['http://a.example/a?b=c#d?e', '/a?b=c'],
    ['http://a.example/a b/ü?ö', '/a%20b/%C3%BC?%C3%B6'],
    ['http://[::1]:8080/x', '/x'],
  ];
  for (const [url, target] of rows) assert.equal(requestTarget(new URL(url)), target, url);
});
