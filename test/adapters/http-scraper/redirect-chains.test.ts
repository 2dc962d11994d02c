import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TaskBody } from '../../../src/domain/task.ts';
import { fetchWith, pageOf, textOf, urlCheck } from '../../contracts/fetch-order.ts';
import { httpScraper } from './kit.ts';
import { onRequest, rawServer } from './raw-server.ts';

const BODY: TaskBody = { type: 'raw', bytes: Buffer.from('body'), contentType: 'text/plain' };

test('a chain: hops, cookies, methods and the last page', async (t) => {
  const scraper = httpScraper(t);
  const seen: string[] = [];
  const server = await rawServer(t, (socket) => {
    onRequest(socket, (head, body) => {
      seen.push(head + body);
      const path = head.split(' ')[1]!;
      if (path === '/a')
        socket.write(
          'HTTP/1.1 302 Found\r\nLocation: /b\r\nSet-Cookie: s=1; Path=/\r\nSet-Cookie: t=1\r\nContent-Length: 5\r\n\r\nmoved',
        );
      else if (path === '/b')
        socket.write(
          'HTTP/1.1 307 Temporary\r\nLocation: ./c?d=e\r\nSet-Cookie: t=; Max-Age=0\r\nContent-Length: 0\r\n\r\n',
        );
      else socket.write('HTTP/1.1 404 No\r\nContent-Length: 4\r\n\r\nlast');
    });
  });
  const cookie = {
    name: 'mine',
    value: '1',
    domain: null,
    path: null,
    secure: false,
    httpOnly: false,
    sameSite: null,
    expires: null,
  };
  const fetched = await pageOf(scraper, `${server.url}a#frag`, {
    method: 'POST',
    body: BODY,
    cookies: [cookie],
  });
  assert.equal(textOf(fetched), 'last');
  assert.equal(fetched.page.statusCode, 404);
  assert.equal(fetched.page.method, 'GET');
  assert.equal(fetched.page.finalUrl, `${server.url}c?d=e#frag`);
  assert.deepEqual(
    fetched.redirects.map(({ url, statusCode }) => [url.slice(server.url.length), statusCode]),
    [
      ['a#frag', 302],
      ['b#frag', 307],
    ],
  );
  assert.deepEqual(
    fetched.page.cookies.map(({ name, value, domain, path }) => [name, value, domain, path]),
    [['s', '1', '127.0.0.1', '/']],
  );
  assert.match(
    seen[0]!,
    /^POST \/a HTTP\/1\.1\r\n.*Cookie: mine=1\r\nContent-Type: text\/plain\r\nContent-Length: 4\r\n\r\nbody$/s,
  );
  assert.match(seen[1]!, /^GET \/b HTTP\/1\.1\r\n.*Cookie: mine=1; s=1; t=1\r\n\r\n$/s);
  assert.match(seen[2]!, /^GET \/c\?d=e HTTP\/1\.1\r\n.*Cookie: mine=1; s=1\r\n\r\n$/s);
  // The POST needed a connection of its own; everything after it went over the same one.
  assert.equal(server.accepted(), 1);
  assert.equal(fetched.timing.dns, null);
  assert.ok(fetched.timing.connect !== null && fetched.timing.ttfb !== null);
});

test('limits and refusals', async (t) => {
  const scraper = httpScraper(t);
  let hits = 0;
  const server = await rawServer(t, (socket) => {
    onRequest(socket, () => {
      hits++;
      socket.write(`HTTP/1.1 301 Moved\r\nLocation: /again/${hits}\r\nContent-Length: 0\r\n\r\n`);
    });
  });
  const unfollowed = await pageOf(scraper, server.url, { allowRedirects: false });
  assert.equal(unfollowed.page.statusCode, 301);
  assert.deepEqual(unfollowed.redirects, []);
  hits = 0;
  const many = await fetchWith(scraper, server.url, { options: { maxRedirects: 3 } });
  assert.ok(many.failure?.code === 'redirect.too_many' && many.page === null && many.statusCode === 301);
  assert.equal(many.redirects.length, 4);
  assert.equal(hits, 4);
  const none = await fetchWith(scraper, server.url, { options: { maxRedirects: 0 } });
  assert.equal(none.failure?.code, 'redirect.too_many');
  const refused = await fetchWith(
    scraper,
    server.url,
    {},
    {
      allowUrl: urlCheck((url) =>
        url.pathname.startsWith('/again') ? { code: 'policy.domain', message: 'no' } : null,
      ),
    },
  );
  assert.equal(refused.failure?.code, 'policy.domain');
  assert.equal(refused.redirects.length, 1);
  const first = await fetchWith(
    scraper,
    server.url,
    {},
    { allowUrl: urlCheck(() => ({ code: 'policy.domain', message: 'no' })) },
  );
  assert.equal(first.sent, false);
  assert.equal(first.requestHeaders, null);
});

test('a redirect does not wait for its body, and its connection does not outlive the fetch', async (t) => {
  const scraper = httpScraper(t);
  const server = await rawServer(t, (socket) => {
    onRequest(socket, (head) => {
      if (head.startsWith('GET /slow'))
        socket.write('HTTP/1.1 302 Found\r\nLocation: /page\r\nContent-Length: 1000\r\n\r\nand then nothing');
      else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\npage');
    });
  });
  const began = performance.now();
  assert.equal(textOf(await pageOf(scraper, `${server.url}slow`)), 'page');
  // Waiting for the body would take the whole time limit of 10 s.
  assert.ok(performance.now() - began < 8_000);
  assert.equal(server.accepted(), 2);
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(server.open.size, 1, 'only the idle connection of the page');
});
