import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type ProxyServer, startProxy } from '../../helpers/proxy-server.ts';
import { SCRAPERS, scrapersOf } from '../../helpers/scrapers.ts';
import { type Service, startService } from '../../helpers/service.ts';
import { useSite } from '../../helpers/use-site.ts';
import { type DnsServer, startDnsServer } from '../../site/dns-server.ts';

const KINDS = ['http', 'socks5', 'socks5h'] as const;
const SCHEMES = ['http', 'https'] as const;
/** Scrapes may not go there; pools of the operator may. */
const ELSEWHERE = '127.0.0.9';
const FORBIDDEN = [403, 'policy.address'] as const;
const READ = [200, undefined] as const;
/** What our name server says; the proxy believes that all of them are the site. */
const NAMES = {
  'good.test': { addresses: ['127.0.0.1'] },
  'inside.test': { addresses: ['10.1.2.3'] },
  'metadata.test': { addresses: ['169.254.169.254'] },
  'mixed.test': { addresses: ['127.0.0.1', '10.1.2.3'] },
  'mapped.test': { addresses: ['::ffff:10.1.2.3'] },
  'alias.test': { cnames: [{ to: 'inside.test', ttl: 60 }], addresses: ['10.1.2.3'] },
  'broken.test': { rcode: 'SERVFAIL' },
} as const;
const AT_THE_PROXY = Object.fromEntries(
  [...Object.keys(NAMES), 'unknown.test'].map((name) => [name, '127.0.0.1']),
);

describe('host names are checked before a proxy gets them', () => {
  const site = useSite({ tls: true });
  const folder = mkdtempSync(join(tmpdir(), 'sluice-names-'));
  /** By kind: one for callers, and one of the operator's. */
  const proxies = new Map<string, { own: ProxyServer; pool: ProxyServer }>();
  let dns: DnsServer;
  let service: Service;

  before(async () => {
    for (const kind of KINDS) {
      const options = { kind: kind === 'http' ? 'http' : 'socks', names: AT_THE_PROXY } as const;
      proxies.set(kind, {
        own: await startProxy(options),
        pool: await startProxy({ ...options, host: ELSEWHERE }),
      });
    }
    dns = await startDnsServer({ ...NAMES, 'proxy.test': { addresses: [ELSEWHERE] } });
    const file = join(folder, 'proxies.json');
    const pools = Array.from(proxies, ([kind, { pool }]) => ({
      name: kind,
      type: 'datacenter',
      proxies: [`${kind}://proxy.test:${pool.port}`],
    }));
    writeFileSync(file, JSON.stringify({ pools }));
    service = await startService({
      SLUICE_ALLOW_ADDRESSES: '127.0.0.1/32',
      SLUICE_DNS_SERVERS: dns.address,
      SLUICE_PROXIES: file,
    });
  });
  after(async () => {
    await service?.end();
    await dns?.close();
    for (const { own, pool } of proxies.values()) await Promise.all([own.close(), pool.close()]);
    rmSync(folder, { recursive: true });
  });

  const urlOf = (scheme: (typeof SCHEMES)[number], name: string, path = '/text'): string => {
    const { port } = new URL(scheme === 'http' ? site.url : site.httpsUrl!);
    return `${scheme}://${name}:${port}${path}`;
  };
  const scrape = async (scraper: string, url: string, proxy: unknown) => {
    const { status, body, text } = await service.scrape({
      url,
      scraper,
      proxy,
      scraper_options: { verify_tls: false },
    });
    return { got: [status, body.code] as const, text };
  };

  const WAYS = KINDS.flatMap((kind) => (['own', 'pool'] as const).map((whose) => [kind, whose] as const));
  for (const [place, [kind, whose]] of WAYS.entries())
    for (const scraper of scrapersOf(place))
      test(`${scraper}, ${kind}, ${whose === 'own' ? 'of the caller' : 'of a pool'}`, async () => {
        const proxy = proxies.get(kind)![whose];
        proxy.targets.length = 0;
        const ask = whose === 'pool' ? { pool: kind } : `${kind}://127.0.0.1:${proxy.port}`;
        const judge = async (url: string, expected: readonly [number, string | undefined]) => {
          const { got, text } = await scrape(scraper, url, ask);
          assert.deepEqual(got, expected, `${url} ${text}`);
        };
        const forbidden = ['inside.test', 'metadata.test', 'mixed.test', 'mapped.test', 'alias.test'];
        for (const scheme of SCHEMES)
          await Promise.all(forbidden.map((name) => judge(urlOf(scheme, name), FORBIDDEN)));
        assert.equal(proxy.targets.join(), '', 'the proxy was asked for a name that must not be reached');
        // With http and socks5h the proxy resolves names, so one that we cannot resolve may still work.
        const unknown = kind === 'socks5' ? ([502, 'dns.not_found'] as const) : READ;
        const broken = kind === 'socks5' ? ([502, 'dns.failed'] as const) : READ;
        for (const scheme of SCHEMES) {
          const redirecting = urlOf(scheme, 'good.test', `/redirect-to?url=${urlOf(scheme, 'inside.test')}`);
          await Promise.all([
            judge(urlOf(scheme, 'good.test'), READ),
            judge(urlOf(scheme, 'unknown.test'), unknown),
            judge(urlOf(scheme, 'broken.test'), broken),
            judge(redirecting, FORBIDDEN),
          ]);
        }
        const asked = new Set(proxy.targets.map((place) => place.replace(/:\d+$/, '')));
        const expectedAtProxy =
          kind === 'socks5' ? ['127.0.0.1'] : ['broken.test', 'good.test', 'unknown.test'];
        assert.deepEqual([...asked].sort(), expectedAtProxy);
      });

  test('a proxy of the caller is judged by its name, and by its address', async () => {
    for (const scraper of SCRAPERS)
      for (const kind of KINDS) {
        const { pool } = proxies.get(kind)!;
        const before = pool.connections();
        for (const host of ['proxy.test', ELSEWHERE, 'inside.test', '10.1.2.3'])
          for (const scheme of SCHEMES) {
            const server = `${kind}://${host}:${pool.port}`;
            const { got, text } = await scrape(scraper, urlOf(scheme, 'good.test'), server);
            assert.deepEqual(got, FORBIDDEN, `${scraper} ${server} ${text}`);
          }
        assert.equal(pool.connections(), before);
      }
  });
});
