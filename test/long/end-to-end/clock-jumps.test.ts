import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { makeFaults } from '../../helpers/faults.ts';
import { type Service, startService } from '../../helpers/service.ts';
import { useSite } from '../../helpers/use-site.ts';
import type { ScrapeAnswer } from '../../helpers/wire-types.ts';

const DAY_S = 86_400;
const madeAt = (id: string) => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);

describe('a clock that jumps', () => {
  const site = useSite();

  /** A scrape whose clock jumps while the target answers. */
  async function scrapeDuring(service: Service, jump: () => void): Promise<string> {
    const begun = performance.now();
    const call = service.scrape({ url: `${site.url}/drip?bytes=10&ms=100`, timeout_ms: 5_000 });
    await pause(400);
    jump();
    const { status, body } = await call;
    assert.equal(status, 200);
    assert.equal(body.router.outcome, 'ok');
    const { total } = body.router.timing;
    const real = performance.now() - begun;
    assert.ok(total! >= 850 && total! <= real, `${total} of ${real} ms`);
    return body.id!;
  }

  test('+400 days and back, -1 day: scrapes and records are not affected, ids and keys follow the clock', async (t) => {
    const faults = makeFaults();
    if (typeof faults === 'string') return t.skip(faults);
    using _ = faults;
    await using service = await startService({ ...faults.env, SLUICE_RETENTION_DAYS: '0.002' });
    const key = await service.api<{ key: string }>('POST', '/api/v1/keys/', {
      body: { name: 'a week', expires_at: new Date(Date.now() + 7 * DAY_S * 1000).toISOString() },
    });
    assert.equal(key.status, 201);
    const withKey = async () =>
      (await service.api('GET', '/api/v1/scrape/?limit=1', { key: key.body.key })).status;
    assert.equal(await withKey(), 200);
    const ids: string[] = [];
    const offBy = (id: string, seconds: number) => Math.abs(madeAt(id) - Date.now() - seconds * 1000);

    for (const seconds of [400 * DAY_S, 0, -DAY_S, 0]) {
      ids.push(await scrapeDuring(service, () => faults.clock(seconds)));
      const { body } = await service.scrape({ url: `${site.url}/html/300000` });
      assert.ok(offBy(body.id!, seconds) < 60_000, `${body.id} is not of the clock's time`);
      ids.push(body.id!);
      assert.equal(await withKey(), seconds > 7 * DAY_S ? 401 : 200);
      assert.equal((await service.api('GET', '/readyz')).status, 200);
    }
    assert.equal(new Set(ids).size, ids.length);
    for (const id of ids) {
      const { status, body } = await service.api<ScrapeAnswer>('GET', `/api/v1/scrape/${id}/`);
      assert.equal(status, 200);
      assert.notEqual(body.content, null);
    }
    const list = await service.api<{ items: { id: string }[] }>('GET', '/api/v1/scrape/?limit=200');
    assert.deepEqual(list.body.items.map((item) => item.id).toSorted(), ids.toSorted());
    await service.stop();

    // A start at the wrong time, and one at the right time after it.
    for (const seconds of [-DAY_S, 0]) {
      faults.clock(seconds);
      await using again = await startService(faults.env, { dataDir: service.dataDir });
      assert.equal((await again.scrape({ url: `${site.url}/html/2000` })).status, 200);
      for (const id of ids) assert.equal((await again.api('GET', `/api/v1/scrape/${id}/`)).status, 200);
      await again.stop();
    }
  });
});
