import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type Authority, createAuthority } from '../../helpers/certificates.ts';
import { type ProxyServer, startProxy } from '../../helpers/proxy-server.ts';
import { SCRAPERS, scrapersOf } from '../../helpers/scrapers.ts';
import { eventually, type Service, startService } from '../../helpers/service.ts';
import { useSite } from '../../helpers/use-site.ts';

const KINDS = ['http', 'https', 'socks5', 'socks5h'] as const;
const SCHEMES = ['http', 'https'] as const;
/** A response of the proxy itself, long enough to be noticed in the count. */
const REFUSAL = `HTTP/1.1 502 No\r\nX-Why: ${'a'.repeat(5_000)}\r\nContent-Length: 0\r\n\r\n`;
/** Bytes that may be missing: the end of a handshake, session tickets, TLS framing, and the close of a browser's connections. */
const SLACK = 1_000;

interface Count {
  readonly sent: number;
  readonly received: number;
}

describe('the bytes of an attempt are those that its proxy counts', () => {
  const site = useSite({ tls: true });
  const folder = mkdtempSync(join(tmpdir(), 'sluice-bytes-'));
  const proxies = new Map<string, ProxyServer>();
  let authority: Authority;
  let service: Service;

  before(async () => {
    authority = createAuthority();
    const ca = join(folder, 'ca.pem');
    writeFileSync(ca, authority.cert);
    // A pool for each case, so that each is counted separately.
    for (const scraper of [...SCRAPERS, 'refused-tls'])
      for (const kind of KINDS)
        proxies.set(
          `${scraper}-${kind}`,
          await startProxy({
            kind: kind.startsWith('socks') ? 'socks' : 'http',
            ...(kind === 'https' ? { tls: authority.issue({ names: 'IP:127.0.0.1' }) } : {}),
          }),
        );
    for (const scraper of SCRAPERS) {
      const hostile = (socket: Socket) => void socket.end(REFUSAL);
      proxies.set(`${scraper}-refusing`, await startProxy({ hostile }));
    }
    const file = join(folder, 'proxies.json');
    const pools = Array.from(proxies, ([name, { port }]) => {
      const kind = name.split('-').at(-1)!;
      const scheme = KINDS.some((one) => one === kind) ? kind : 'http';
      return { name, type: 'datacenter', proxies: [`${scheme}://127.0.0.1:${port}`] };
    });
    writeFileSync(file, JSON.stringify({ pools }));
    service = await startService({ SLUICE_CA_FILE: ca, SLUICE_PROXIES: file });
  });
  after(async () => {
    await service?.end();
    for (const proxy of proxies.values()) await proxy.close();
    authority?.[Symbol.dispose]();
    rmSync(folder, { recursive: true });
  });

  const counted = async (pool: string): Promise<Count> => {
    const { body } = await service.api<{
      pools: { name: string; bytes_in: number; bytes_out: number }[];
    }>('GET', '/api/v1/proxies/');
    const { bytes_in, bytes_out } = body.pools.find(({ name }) => name === pool)!;
    return { sent: bytes_out, received: bytes_in };
  };
  const less = (one: Count, other: Count): Count => ({
    sent: one.sent - other.sent,
    received: one.received - other.received,
  });

  /** Scrapes through this pool; returns the bytes that the service reports and those that the proxy counted. */
  const compare = async (pool: string, scraper: string, url: string, options: object = {}) => {
    const proxy = proxies.get(pool)!;
    const [before, seenBefore] = [await counted(pool), proxy.bytes()];
    const { body, text } = await service.scrape({
      url,
      scraper,
      proxy: { pool },
      scraper_options: { verify_tls: false, ...options },
    });
    // A browser closes its connections after the response.
    if (scraper === 'browser') await eventually(() => proxy.open() === 0);
    return { body, text, told: less(await counted(pool), before), seen: less(proxy.bytes(), seenBefore) };
  };
  const assertNear = ({ told, seen }: { told: Count; seen: Count }, what: string): void => {
    const figures = `${what}: ${JSON.stringify({ told, seen })}`;
    for (const way of ['sent', 'received'] as const) {
      assert.ok(told[way] > seen[way] * 0.98 - SLACK, figures);
      assert.ok(told[way] < seen[way] * 1.02 + SLACK, figures);
    }
  };

  for (const [place, kind] of KINDS.entries())
    for (const scraper of scrapersOf(place))
      test(`${scraper} by ${kind}: connecting through the proxy and TLS count`, async (t) => {
        for (const scheme of SCHEMES) {
          const url = `${scheme === 'http' ? site.url : site.httpsUrl}/html/20000`;
          // The second scrape uses an open connection, if the scraper keeps one.
          for (const turn of ['first', 'second']) {
            const result = await compare(`${scraper}-${kind}`, scraper, url);
            assert.equal(result.body.status_code, 200, result.text);
            assert.ok(result.told.received > 20_000, JSON.stringify(result.told));
            t.diagnostic(`${scheme} ${turn} ${JSON.stringify([result.told, result.seen])}`);
            assertNear(result, `${scheme} ${turn}`);
          }
        }
      });

  for (const scraper of SCRAPERS)
    test(`${scraper}: a refused tunnel counts too`, async (t) => {
      const result = await compare(`${scraper}-refusing`, scraper, `${site.httpsUrl}/text`);
      assert.equal(result.body.code, 'proxy.failed', result.text);
      t.diagnostic(JSON.stringify([result.told, result.seen]));
      assert.deepEqual(result.told, result.seen);
    });

  for (const scraper of SCRAPERS)
    test(`${scraper}: a handshake with a target whose certificate is refused counts too`, async (t) => {
      const options = { verify_tls: true };
      for (const kind of KINDS) {
        const result = await compare(`refused-tls-${kind}`, scraper, `${site.httpsUrl}/text`, options);
        assert.equal(result.body.code, 'tls.invalid', result.text);
        assert.ok(result.told.sent > 300 && result.told.received > 500, JSON.stringify(result.told));
        t.diagnostic(`${kind} ${JSON.stringify([result.told, result.seen])}`);
        assertNear(result, kind);
      }
    });
});
