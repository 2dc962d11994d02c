import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { startProxy } from '../../helpers/proxy-server.ts';
import { eventually, startService } from '../../helpers/service.ts';
import { useSite } from '../../helpers/use-site.ts';

const folder = mkdtempSync(join(tmpdir(), 'sluice-probe-'));
after(() => rmSync(folder, { recursive: true }));

interface Seen {
  readonly pools: readonly [
    {
      readonly health: { readonly healthy: number; readonly cooling: number; readonly probing: number };
      readonly proxies: readonly {
        readonly health: string;
        readonly retry_in_ms: number | null;
        readonly failed: number;
        readonly last_failure: string | null;
        readonly consecutive_failures: number;
        readonly failing_since: string | null;
      }[];
    },
  ];
}

describe('a proxy that failed', () => {
  const site = useSite();

  test('is paused, then tested by one attempt at a time, and used again after a success', async () => {
    const dead = await startProxy();
    const { port } = dead;
    await dead.close();
    await using good = await startProxy();
    const file = join(folder, 'proxies.json');
    const proxies = [port, good.port].map((one) => `http://127.0.0.1:${one}`);
    writeFileSync(file, JSON.stringify({ pools: [{ name: 'dc', type: 'datacenter', proxies }] }));
    await using service = await startService({ SLUICE_PROXIES: file });
    const scrape = async () => {
      const ask = { url: `${site.url}/text`, scraper: 'http', router: { max_attempts: 2 } };
      const { body } = await service.scrape(ask);
      assert.equal(body.status_code, 200, JSON.stringify(body.errors));
    };
    const many = (count: number) => Array.from({ length: count }, scrape);
    const seen = async () => {
      const [pool] = (await service.api<Seen>('GET', '/api/v1/proxies/')).body.pools;
      return { ...pool.health, ...pool.proxies[0]! };
    };
    const pauseOver = () => eventually(async () => (await seen()).probing === 1, 60_000);

    await scrape();
    const failed = await seen();
    assert.deepEqual([failed.health, failed.failed, failed.last_failure], ['cooling', 1, 'refused']);
    assert.equal(failed.consecutive_failures, 1);
    assert.ok(failed.failing_since !== null && new Date(failed.failing_since).getTime() <= Date.now());
    assert.ok(failed.retry_in_ms! > 0 && failed.retry_in_ms! <= 5_000, `${failed.retry_in_ms} ms`);

    // It takes connections again, but says nothing.
    const held: Socket[] = [];
    const silent = await startProxy({ port, hostile: (socket) => void held.push(socket) });
    await Promise.all(many(4));
    if ((await seen()).health === 'cooling') assert.equal(silent.connections(), 0);
    await pauseOver();
    assert.equal(silent.connections(), 0);
    let done = 0;
    const asking = Promise.all(many(8).map((one) => one.then(() => done++)));
    await eventually(() => done === 7 && held.length === 1, 60_000);
    // While that one has no answer, no other goes there.
    await Promise.all(many(3));
    assert.deepEqual([silent.connections(), (await seen()).health], [1, 'probing']);
    held[0]!.destroy();
    await asking;
    assert.equal(silent.connections(), 1);
    const again = await seen();
    assert.deepEqual([again.health, again.failed, again.last_failure], ['cooling', 2, 'protocol']);
    assert.deepEqual([again.consecutive_failures, again.failing_since], [2, failed.failing_since]);
    assert.ok(again.retry_in_ms! > 5_000 && again.retry_in_ms! <= 10_000, `${again.retry_in_ms} ms`);
    await silent.close();

    await using mended = await startProxy({ port });
    await pauseOver();
    assert.deepEqual(mended.targets, []);
    await scrape();
    const back = await seen();
    assert.deepEqual([mended.targets.length, back.healthy, back.health], [1, 2, 'healthy']);
    // It has its share from here on; what it missed is not made up for.
    const before = good.targets.length;
    for (let at = 0; at < 10; at++) await scrape();
    const shares = [mended.targets.length - 1, good.targets.length - before];
    assert.ok(Math.abs(shares[0]! - shares[1]!) <= 2, shares.join());
  });
});
