import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { freePort } from '../helpers/free-port.ts';
import { type ProxyServer, startProxy } from '../helpers/proxy-server.ts';
import { type Service, startService } from '../helpers/service.ts';
import { useSite } from '../helpers/use-site.ts';

describe('pools whose proxies all fail', () => {
  const site = useSite();
  const folder = mkdtempSync(join(tmpdir(), 'sluice-escalate-'));
  let live: ProxyServer;
  let service: Service;
  before(async () => {
    live = await startProxy();
    const dead = [];
    for (let n = 0; n < 3; n++) dead.push(`http://127.0.0.1:${await freePort()}`);
    const pools = [
      { name: 'dead', type: 'datacenter', proxies: dead },
      { name: 'live', type: 'residential', proxies: [`http://127.0.0.1:${live.port}`] },
    ];
    writeFileSync(join(folder, 'proxies.json'), JSON.stringify({ pools }));
    service = await startService({ SLUICE_PROXIES: join(folder, 'proxies.json') });
  });
  after(async () => {
    await service?.end();
    await live?.close();
    rmSync(folder, { recursive: true });
  });

  // The first time the proxies refuse, the second time all of them are paused.
  for (const time of ['first', 'second'])
    test(`another proxy type that the request allows is tried, the ${time} time`, async () => {
      const only = ['http/datacenter', 'http/residential'];
      const order = ['http/datacenter'];
      const router = { only, order, escalate_proxy: ['residential'] };
      const { body, text } = await service.scrape({ url: `${site.url}/text`, router });
      assert.equal(body.status_code, 200, text);
      assert.deepEqual(
        body.router.attempts!.map(({ proxy_type, error_code }) => [proxy_type, error_code]),
        [
          ['datacenter', 'proxy.failed'],
          ['datacenter', 'proxy.failed'],
          ['residential', null],
        ],
      );
      assert.equal((body.router as { readonly direct?: boolean }).direct, false);
      const [item] = (
        await service.api<{ items: { proxy_type: string; direct: boolean }[] }>('GET', '/api/v1/scrape/')
      ).body.items;
      assert.deepEqual([item!.proxy_type, item!.direct], ['residential', false]);
    });
});
