import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type Authority, createAuthority } from '../../helpers/certificates.ts';
import { startProxy } from '../../helpers/proxy-server.ts';
import { SCRAPERS, scrapersOf } from '../../helpers/scrapers.ts';
import { eventually, type Service, startService } from '../../helpers/service.ts';
import { useSite } from '../../helpers/use-site.ts';

const SCHEMES = ['http', 'https'] as const;

/** Says each of these to what comes next, and then nothing more. */
const says =
  (...answers: readonly (Buffer | 'end' | 'reset')[]) =>
  (socket: Socket) => {
    const rest = [...answers];
    const next = () => {
      const answer = rest.shift();
      if (answer === 'end') socket.end();
      else if (answer === 'reset') socket.resetAndDestroy();
      else if (answer !== undefined) socket.write(answer);
    };
    next();
    socket.on('data', next);
  };
const NO_AUTH = Buffer.from([5, 0]);
const PAGE = Buffer.from(
  'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 17\r\n\r\n<html>buy it</html>',
);

/** What is said to a SOCKS client, and what must come of it; null: the time is up. */
const SOCKS: readonly (readonly [name: string, does: (socket: Socket) => void, reason: string | null])[] = [
  ['says nothing', says(), null],
  ['says nothing after the greeting', says(NO_AUTH), null],
  ['stops in its answer', says(NO_AUTH, Buffer.from([5, 0, 0, 1, 0])), null],
  ['hangs up at once', says('end'), 'protocol'],
  ['resets at once', says('reset'), 'protocol'],
  ['hangs up after the greeting', says(NO_AUTH, 'end'), 'protocol'],
  ['speaks SOCKS 4', says(Buffer.from([4, 0])), 'protocol'],
  ['speaks HTTP', says(PAGE), 'protocol'],
  ['wants a way of signing in that nobody offered', says(Buffer.from([5, 1])), 'protocol'],
  ['takes no way of signing in', says(Buffer.from([5, 0xff])), 'auth'],
  ['answers with nonsense', says(NO_AUTH, Buffer.from('nonsense')), 'protocol'],
  ['tells an address of a kind that is none', says(NO_AUTH, Buffer.from([5, 0, 0, 9, 0, 0])), 'protocol'],
  ['refuses by its rules', says(NO_AUTH, Buffer.from([5, 2, 0, 1, 0, 0, 0, 0, 0, 0])), 'refused'],
];

const HTTPS: typeof SOCKS = [
  ['says nothing', says(), null],
  ['hangs up', says('end'), 'protocol'],
  ['speaks nonsense', says(Buffer.from('nonsense\r\n\r\n')), 'protocol'],
  ['asks for credentials', says(Buffer.from('HTTP/1.1 407 No\r\nContent-Length: 0\r\n\r\n')), 'auth'],
];

describe('proxies that are worse: SOCKS, TLS, late answers', () => {
  const site = useSite({ tls: true });
  const folder = mkdtempSync(join(tmpdir(), 'sluice-worse-'));
  let authority: Authority;
  let service: Service;
  before(async () => {
    authority = createAuthority();
    const file = join(folder, 'ca.pem');
    writeFileSync(file, authority.cert);
    service = await startService({ SLUICE_CA_FILE: file });
    for (const scraper of SCRAPERS)
      assert.equal((await service.scrape({ url: `${site.url}/text`, scraper })).body.status_code, 200);
  });
  after(async () => {
    await service?.end();
    authority?.[Symbol.dispose]();
    rmSync(folder, { recursive: true });
  });

  const scrape = (scraper: string, scheme: (typeof SCHEMES)[number], proxy: string, timeout_ms: number) =>
    service.scrape({
      url: `${scheme === 'http' ? site.url : site.httpsUrl}/text`,
      scraper,
      proxy,
      timeout_ms,
      scraper_options: { verify_tls: false },
    });
  let cases = 0;
  /** By each scraper that takes the case, and each scheme: the same end, and nothing stays open. */
  const all = async (proxy: Awaited<ReturnType<typeof startProxy>>, kind: string, reason: string | null) => {
    const chosen = scrapersOf(cases++);
    // Also on a busy machine, a browser is ready before the time is up.
    const silence = chosen.includes('browser') ? 20_000 : 5_000;
    const timeout = reason === null ? silence : 30_000;
    const ends = await Promise.all(
      chosen.flatMap((scraper) =>
        SCHEMES.map(async (scheme) => {
          const { status, body } = await scrape(
            scraper,
            scheme,
            `${kind}://127.0.0.1:${proxy.port}`,
            timeout,
          );
          return [scraper, scheme, status, body.code, body.errors[0]?.details?.reason];
        }),
      ),
    );
    const end = reason === null ? [504, 'timeout.total', undefined] : [502, 'proxy.failed', reason];
    const expected = chosen.flatMap((scraper) => SCHEMES.map((scheme) => [scraper, scheme, ...end]));
    assert.deepEqual(ends, expected);
    await eventually(() => proxy.open() === 0);
  };

  for (const [name, does, reason] of SOCKS)
    test(`SOCKS that ${name}`, async () => {
      await using proxy = await startProxy({ kind: 'socks', hostile: does });
      await all(proxy, 'socks5h', reason);
    });

  for (const [name, does, reason] of HTTPS)
    test(`a proxy with TLS that ${name}`, async () => {
      await using proxy = await startProxy({
        tls: authority.issue({ names: 'IP:127.0.0.1' }),
        hostile: does,
      });
      await all(proxy, 'https', reason);
    });

  test('a proxy with TLS whose certificate is another’s, expired, or of nobody known', async () => {
    using stranger = createAuthority();
    for (const pair of [
      authority.issue({ names: 'DNS:other.example' }),
      authority.issue({ names: 'IP:127.0.0.1', years: -0.1 }),
      stranger.issue({ names: 'IP:127.0.0.1' }),
    ]) {
      await using proxy = await startProxy({ tls: pair });
      await all(proxy, 'https', 'protocol');
      assert.deepEqual(proxy.targets, []);
    }
  });

  test('a proxy that never answers, for every scraper', async () => {
    await using proxy = await startProxy({ hostile: () => {} });
    await all(proxy, 'http', null);
  });

  test('where there is time, it is the proxy that is late, after 20 s', async () => {
    await using proxy = await startProxy({ kind: 'socks', hostile: says(NO_AUTH) });
    await Promise.all(
      SCRAPERS.map(async (scraper) => {
        const { body } = await scrape(scraper, 'https', `socks5h://127.0.0.1:${proxy.port}`, 60_000);
        const [error] = body.errors;
        assert.deepEqual(
          [body.code, error?.details?.reason, error?.source],
          ['proxy.failed', 'timeout', 'proxy'],
        );
      }),
    );
  });

  test('a page in place of the target, late, and where the way should be', async () => {
    // After CONNECT was granted: it stands where TLS should begin, and is none of the target's.
    await using late = await startProxy({
      hostile(socket) {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
        socket.once('data', () => void socket.end('HTTP/1.1 200 OK\r\n\r\n<html>buy it</html>'));
      },
    });
    for (const scraper of SCRAPERS) {
      const { status, body } = await scrape(scraper, 'https', `http://127.0.0.1:${late.port}`, 30_000);
      assert.equal(status, 502, scraper);
      assert.match(body.code!, /^(?:tls\.invalid|connect\.reset|http\.protocol)$/, scraper);
      assert.doesNotMatch(body.content ?? '', /buy it/);
    }
    // A second after the connection, in place of an answer to CONNECT.
    await using slow = await startProxy({
      hostile: (socket) => void setTimeout(() => void socket.end('<html>buy it</html>'), 1_000).unref(),
    });
    for (const scraper of SCRAPERS) {
      const { body } = await scrape(scraper, 'https', `http://127.0.0.1:${slow.port}`, 30_000);
      assert.deepEqual([body.code, body.errors[0]?.details?.reason], ['proxy.failed', 'protocol'], scraper);
    }
  });
});
