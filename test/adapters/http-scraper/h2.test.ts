import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createSecureServer, type Http2Session, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { deadlineUnder } from '../../../src/base/time.ts';
import type { TaskBody } from '../../../src/domain/task.ts';
import { fetchWith, pageOf, textOf } from '../../contracts/fetch-order.ts';
import { selfSigned } from '../../site/certificate.ts';
import { httpScraper } from './kit.ts';
import { until } from './raw-server.ts';

const { key, cert } = selfSigned();
const BODY: TaskBody = { type: 'raw', bytes: Buffer.from('body'), contentType: 'text/plain' };

interface H2Site {
  readonly url: string;
  readonly sessions: Set<Http2Session>;
  opened(): number;
}

type Serve = (stream: ServerHttp2Stream, path: string, raw: readonly string[]) => void;

async function h2Site(t: TestContext, serve: Serve, settings: object = {}): Promise<H2Site> {
  const sessions = new Set<Http2Session>();
  let opened = 0;
  const server = createSecureServer({ key, cert, settings });
  server.on('session', (session) => {
    opened++;
    sessions.add(session);
    session.on('error', () => {});
    session.on('close', () => sessions.delete(session));
  });
  server.on('sessionError', () => {});
  server.on('stream', (stream, headers, _flags, raw) => {
    stream.on('error', () => {});
    serve(stream as ServerHttp2Stream, headers[':path'] ?? '', raw as unknown as string[]);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    for (const session of sessions) session.destroy();
    server.close();
  });
  return {
    url: `https://localhost:${(server.address() as AddressInfo).port}/`,
    sessions,
    opened: () => opened,
  };
}

test('a page over HTTP/2: fields in order, cookies, timing, one session', async (t) => {
  const scraper = httpScraper(t, [cert]);
  let raw: readonly string[] = [];
  const site = await h2Site(t, (stream, _path, fields) => {
    raw = fields;
    stream.respond({ ':status': 200, 'x-b': '1', 'x-a': '2', 'set-cookie': ['a=1', 'b=2'] }, {
      sendDate: false,
    } as never);
    stream.end('page');
  });
  const headers = [
    ['Zed', '1'],
    ['X-A', 'first'],
    ['X-A', 'second'],
  ] as const;
  const first = await pageOf(scraper, `${site.url}a?b=c#d`, { headers });
  assert.equal(textOf(first), 'page');
  assert.deepEqual(
    first.page.headers.filter(([name]) => name !== 'date'),
    [
      ['x-b', '1'],
      ['x-a', '2'],
      ['set-cookie', 'a=1'],
      ['set-cookie', 'b=2'],
    ],
  );
  assert.deepEqual(
    first.page.cookies.map(({ name }) => name),
    ['a', 'b'],
  );
  assert.ok(first.timing.tls !== null && first.timing.ttfb !== null && first.bytesIn > 4);
  assert.deepEqual(raw, [
    ':method',
    'GET',
    ':authority',
    new URL(site.url).host,
    ':scheme',
    'https',
    ':path',
    '/a?b=c',
    'zed',
    '1',
    'x-a',
    'first',
    'x-a',
    'second',
    'user-agent',
    'Sluice/0.0.0-test',
    'accept',
    '*/*',
    'accept-encoding',
    'gzip, deflate, br, zstd',
  ]);
  assert.deepEqual(first.requestHeaders?.[0], ['host', new URL(site.url).host]);
  const all = await Promise.all(Array.from({ length: 20 }, () => pageOf(scraper, site.url)));
  assert.ok(all.every((one) => textOf(one) === 'page' && one.timing.tls === null));
  assert.equal(site.opened(), 1);
  await scraper.close();
  await until(() => site.sessions.size === 0, 'closed');
});

test('methods, bodies, statuses, codings, HEAD', async (t) => {
  const scraper = httpScraper(t, [cert]);
  const site = await h2Site(t, (stream, path, raw) => {
    const method = raw[raw.indexOf(':method') + 1]!;
    if (path === '/gzip') {
      stream.respond({ ':status': 200, 'content-encoding': 'gzip' });
      stream.end(gzipSync('coded'));
      return;
    }
    if (path === '/204' || path === '/head') {
      stream.respond(
        { ':status': path === '/204' ? 204 : 200, 'content-length': path === '/204' ? '0' : '500' },
        { endStream: true },
      );
      return;
    }
    if (path === '/empty') {
      stream.respond({ ':status': 404 }, { endStream: true });
      return;
    }
    stream.additionalHeaders({ ':status': 103, link: '</a>' });
    const parts: Buffer[] = [];
    stream.on('data', (part: Buffer) => parts.push(part));
    stream.on('end', () => {
      stream.respond({ ':status': 201 });
      stream.end(`${method} ${Buffer.concat(parts)}`);
    });
  });
  const posted = await pageOf(scraper, site.url, { method: 'POST', body: BODY });
  assert.deepEqual([posted.page.statusCode, textOf(posted)], [201, 'POST body']);
  assert.equal(textOf(await pageOf(scraper, site.url, { body: BODY })), 'GET body');
  assert.equal(textOf(await pageOf(scraper, `${site.url}gzip`)), 'coded');
  for (const [path, status, method] of [
    ['204', 204, 'GET'],
    ['head', 200, 'HEAD'],
    ['empty', 404, 'GET'],
  ] as const) {
    const fetched = await pageOf(scraper, site.url + path, { method });
    assert.deepEqual([fetched.page.statusCode, textOf(fetched), fetched.page.cut], [status, '', null], path);
  }
});

test('broken streams tell the truth', async (t) => {
  const scraper = httpScraper(t, [cert]);
  const site = await h2Site(t, (stream, path) => {
    if (path === '/reset') return stream.destroy(new Error('x'));
    if (path === '/gone') return stream.session!.destroy();
    stream.respond({ ':status': 200 });
    stream.write('half');
    setTimeout(() => (path === '/midway' ? stream.destroy(new Error('x')) : stream.session?.destroy()), 30);
  });
  for (const path of ['reset', 'gone']) {
    const fetched = await fetchWith(scraper, site.url + path);
    assert.equal(fetched.failure?.code, 'connect.reset', path);
  }
  for (const path of ['midway', 'lost']) {
    const fetched = await pageOf(scraper, site.url + path);
    assert.deepEqual([textOf(fetched), fetched.page.cut?.code], ['half', 'content.incomplete'], path);
  }
});

test('what the target has not looked at is sent again, whatever the method', async (t) => {
  const scraper = httpScraper(t, [cert]);
  let count = 0;
  const site = await h2Site(t, (stream) => {
    if (++count % 2 === 1) return stream.close(7);
    stream.respond({ ':status': 200 });
    stream.end('again');
  });
  assert.equal(textOf(await pageOf(scraper, site.url)), 'again');
  assert.equal(textOf(await pageOf(scraper, site.url, { method: 'POST', body: BODY })), 'again');
  assert.equal(count, 4);
  let always = 0;
  const refusing = await h2Site(t, (stream) => {
    always++;
    stream.close(7);
  });
  assert.equal((await fetchWith(scraper, refusing.url)).failure?.code, 'connect.reset');
  assert.equal(always, 2);
});

test('a session that says goodbye is not used again', async (t) => {
  const scraper = httpScraper(t, [cert]);
  const site = await h2Site(t, (stream) => {
    stream.respond({ ':status': 200 });
    stream.end('page');
    stream.session!.goaway(0);
  });
  for (let i = 0; i < 3; i++) assert.equal(textOf(await pageOf(scraper, site.url)), 'page');
  assert.equal(site.opened(), 3);
});

test('limits, deadlines and hanging up end a stream only', async (t) => {
  const scraper = httpScraper(t, [cert]);
  const site = await h2Site(t, (stream, path) => {
    if (path === '/silent') return;
    stream.respond({ ':status': 200 });
    if (path === '/page') stream.end('page');
    if (path === '/hang') stream.write('half');
    if (path !== '/endless') return;
    const more = () => {
      while (!stream.destroyed && !stream.closed && stream.write(Buffer.alloc(10_000, 'x')));
    };
    stream.on('drain', more);
    more();
  });
  await pageOf(scraper, `${site.url}page`);
  const cut = await pageOf(scraper, `${site.url}endless`, { options: { maxContentBytes: 5_000 } });
  assert.deepEqual([cut.page.body.length, cut.page.cut?.code], [5_000, 'content.truncated']);
  const late = await pageOf(scraper, `${site.url}hang`, { timeoutMs: 150 });
  assert.deepEqual([textOf(late), late.page.cut?.code], ['half', 'timeout.total']);
  assert.equal(
    (await fetchWith(scraper, `${site.url}silent`, { timeoutMs: 150 })).failure?.code,
    'timeout.total',
  );
  const caller = new AbortController();
  setTimeout(() => caller.abort(new Error('gone')), 50);
  using deadline = deadlineUnder(5_000, caller.signal);
  const gone = await fetchWith(scraper, `${site.url}hang`, {}, { deadline });
  assert.equal(gone.failure?.code, 'request.cancelled');
  assert.equal(textOf(await pageOf(scraper, `${site.url}page`)), 'page');
  assert.equal(site.opened(), 1);
});

test('more streams than the target takes go over further sessions', async (t) => {
  const scraper = httpScraper(t, [cert]);
  const site = await h2Site(
    t,
    (stream) => {
      stream.respond({ ':status': 200 });
      setTimeout(() => stream.end('page'), 20);
    },
    { maxConcurrentStreams: 3 },
  );
  await pageOf(scraper, site.url);
  const pages = await Promise.all(Array.from({ length: 9 }, () => pageOf(scraper, site.url)));
  assert.ok(pages.every((one) => textOf(one) === 'page'));
  await until(() => site.sessions.size <= 1, 'spare sessions are closed');
});

test('where HTTP/2 was spoken before, requests at once wait for one connection', async (t) => {
  const scraper = httpScraper(t, [cert]);
  const site = await h2Site(t, (stream) => {
    stream.respond({ ':status': 200 });
    stream.end('page');
    if (site.opened() === 1) stream.session!.close();
  });
  await pageOf(scraper, site.url);
  await until(() => site.sessions.size === 0, 'the first session has ended');
  const caller = new AbortController();
  using given = deadlineUnder(5_000, caller.signal);
  const pages = Array.from({ length: 10 }, () => pageOf(scraper, site.url));
  const gone = fetchWith(scraper, site.url, {}, { deadline: given });
  caller.abort(new Error('gone'));
  assert.equal((await gone).failure?.code, 'request.cancelled');
  assert.ok((await Promise.all(pages)).every((one) => textOf(one) === 'page'));
  assert.equal(site.opened(), 2);
});

test('http2: true needs https and a target that has it; false never offers it', async (t) => {
  const scraper = httpScraper(t, [cert]);
  const site = await h2Site(t, (stream) => {
    stream.respond({ ':status': 200 });
    stream.end('page');
  });
  const cleartext = await fetchWith(scraper, 'http://127.0.0.1:9/', { options: { http2: true } });
  assert.equal(cleartext.failure?.code, 'http.protocol');
  assert.equal(textOf(await pageOf(scraper, site.url, { options: { http2: true } })), 'page');
  const old = await fetchWith(scraper, site.url, { options: { http2: false } });
  assert.notEqual(old.failure, null);

  const { createServer } = await import('node:https');
  const only1 = createServer({ key, cert }, (_request, response) => response.end('old'));
  only1.listen(0, '127.0.0.1');
  await once(only1, 'listening');
  t.after(() => {
    only1.closeAllConnections();
    only1.close();
  });
  const url = `https://localhost:${(only1.address() as AddressInfo).port}/`;
  assert.equal((await fetchWith(scraper, url, { options: { http2: true } })).failure?.code, 'http.protocol');
  assert.equal(textOf(await pageOf(scraper, url)), 'old');
});
