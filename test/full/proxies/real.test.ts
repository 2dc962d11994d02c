import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { closedPort } from '../../egress/loopback.ts';
import { SCRAPERS } from '../../helpers/scrapers.ts';
import { useService } from '../../helpers/service.ts';
import { useSite } from '../../helpers/use-site.ts';
import { DANTE, type RealKind, SQUID, TINYPROXY } from '../../proxies/real-proxies.ts';

const AUTH = ['user', 'geheim'] as const;
const kinds: readonly (readonly [name: string, kind: RealKind, schemes: readonly string[]])[] = [
  ['squid', SQUID, ['http']],
  ['tinyproxy', TINYPROXY, ['http']],
  ['dante', DANTE, ['socks5', 'socks5h']],
];

for (const [name, kind, schemes] of kinds)
  describe(`by ${name}`, { skip: kind.skip }, () => {
    const site = useSite({ tls: true });
    const service = useService();
    const scrape = async (url: string, scraper: string, proxy: string) => {
      const { body } = await service.scrape({ url, scraper, proxy, scraper_options: { verify_tls: false } });
      return body;
    };
    const targets = () => [`${site.url}/text`, `${site.httpsUrl}/text`];

    for (const [what, auth, skip] of [
      ['open to all', null, false],
      ['with credentials', AUTH, kind.skipSignIn],
    ] as const)
      test(what, { skip }, async () => {
        await using proxy = await kind.start(auth);
        const place = `${auth === null ? '' : `${auth.join(':')}@`}127.0.0.1:${proxy.port}`;
        for (const scheme of schemes)
          for (const scraper of SCRAPERS)
            for (const url of targets()) {
              site.log.length = 0;
              const body = await scrape(url, scraper, `${scheme}://${place}`);
              const what = `${scheme} ${scraper} ${url} ${JSON.stringify(body.errors)}`;
              assert.equal(body.status_code, 200, what);
              assert.equal(body.router.proxy_type, 'custom', what);
              assert.doesNotMatch(JSON.stringify(site.log), /proxy-authorization|geheim/i, what);
            }
      });

    test('without credentials, or with wrong ones, it is the proxy that fails', async () => {
      await using proxy = await kind.start(AUTH);
      for (const scheme of schemes)
        for (const scraper of SCRAPERS)
          for (const url of targets())
            for (const user of ['', 'user:wrong@']) {
              const body = await scrape(url, scraper, `${scheme}://${user}127.0.0.1:${proxy.port}`);
              const what = `${scheme} ${scraper} ${url} ${user} ${JSON.stringify(body.errors)}`;
              assert.deepEqual([body.code, body.errors[0]?.details?.reason], ['proxy.failed', 'auth'], what);
            }
    });

    test('a target that is not there is not the proxy’s fault, where the proxy says so', async () => {
      await using proxy = await kind.start(null);
      const port = await closedPort();
      const body = await scrape(
        `http://127.0.0.1:${port}/`,
        'http',
        `${schemes[0]}://127.0.0.1:${proxy.port}`,
      );
      // tinyproxy gives one status for everything.
      assert.ok(
        body.code === 'connect.refused' || (name === 'tinyproxy' && body.code === 'proxy.failed'),
        JSON.stringify(body.errors),
      );
    });
  });
