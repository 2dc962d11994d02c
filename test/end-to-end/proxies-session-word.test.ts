import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type ProxyServer, startProxy } from '../helpers/proxy-server.ts';
import { type Service, startService } from '../helpers/service.ts';
import { useSite } from '../helpers/use-site.ts';

/** Scrapers that keep connections. A browser opens new ones for each scrape. */
const SCRAPERS = ['http', 'http_impersonate'] as const;
const SCHEMES = ['http', 'https'] as const;
const TTL_MS = 8_000;

describe('the value of {session} in the user name at a provider', { concurrency: 4 }, () => {
  const site = useSite({ tls: true });
  /** One proxy for each pool, so that each gets the requests of one scraper only. */
  const proxies = new Map<string, ProxyServer>();
  let service: Service;
  let folder = '';

  before(async () => {
    for (const scraper of SCRAPERS)
      for (const scheme of SCHEMES) proxies.set(`${scraper}-${scheme}`, await startProxy());
    folder = mkdtempSync(join(tmpdir(), 'sluice-session-word-'));
    const file = join(folder, 'proxies.json');
    const pools = Array.from(proxies, ([name, { port }]) => ({
      name,
      type: 'residential',
      template: `http://account-session_{session}:word@127.0.0.1:${port}`,
    }));
    writeFileSync(file, JSON.stringify({ pools }));
    service = await startService({ SLUICE_PROXIES: file });
  });
  after(async () => {
    await service?.end();
    for (const proxy of proxies.values()) await proxy.close();
    rmSync(folder, { recursive: true });
  });

  /** The distinct values of {session} that the provider got during one scrape. */
  const wordsOf = async (pool: string, proxy: object): Promise<readonly string[]> => {
    const [scraper, scheme] = pool.split('-') as [string, string];
    const { users } = proxies.get(pool)!;
    const before = users.length;
    const { body, text } = await service.scrape({
      url: `${scheme === 'http' ? site.url : site.httpsUrl}/text`,
      scraper,
      proxy: { pool, type: 'residential', ...proxy },
      scraper_options: { verify_tls: false },
    });
    assert.equal(body.status_code, 200, text);
    return [...new Set(users.slice(before))].map((user) => {
      const word = /^account-session_([0-9a-f]{12})$/.exec(user)?.[1];
      assert.ok(word !== undefined, user);
      return word;
    });
  };

  for (const scraper of SCRAPERS)
    for (const scheme of SCHEMES)
      test(`${scraper}, ${scheme}: the same value while the session lasts, and then a new one`, async (t) => {
        const pool = `${scraper}-${scheme}`;
        // Connections of scrapes without a session are not used for a session.
        const [none] = await wordsOf(pool, {});
        for (let take = 0; ; take++) {
          const proxy = { session: `mine-${take}`, session_ttl_s: TTL_MS / 1000 };
          // The time counts from the first use, which is somewhere between these two.
          const earliest = performance.now();
          const [first, ...more] = await wordsOf(pool, proxy);
          const latest = performance.now();
          assert.deepEqual(more, []);
          assert.ok(first !== undefined && first !== none);
          // An open connection is used again without a user name.
          const second = await wordsOf(pool, proxy);
          if (performance.now() >= earliest + TTL_MS) continue;
          assert.ok(second.every((word) => word === first));
          await pause(latest + TTL_MS - performance.now());
          const [later, ...others] = await wordsOf(pool, proxy);
          assert.deepEqual(others, []);
          assert.ok(later !== undefined && later !== first && later !== none);
          t.diagnostic(`${first}, then ${later}`);
          break;
        }
      });
});
