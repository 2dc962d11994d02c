import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { eventually, type Service, startService, useOwnService } from '../helpers/service.ts';
import { useSite } from '../helpers/use-site.ts';
import { createUser } from '../helpers/users.ts';

interface Stats {
  readonly window: string;
  readonly step_seconds: number;
  readonly in_flight: { readonly now: number; readonly limit: number | null };
  readonly totals: {
    readonly scrapes: number;
    readonly bytes: number;
    readonly outcomes: Record<string, number>;
  };
  readonly latency_ms: Record<'p50' | 'p95' | 'p99', number | null>;
  readonly series: readonly {
    readonly at: string;
    readonly scrapes: number;
    readonly p50_ms: number | null;
  }[];
  readonly hosts: readonly { readonly host: string; readonly scrapes: number; readonly ok: number }[];
  readonly errors: readonly { readonly code: string; readonly count: number }[];
}

const statsOf = async (service: Service, query = '', key?: string): Promise<Stats> =>
  (await service.api<Stats>('GET', `/api/v1/stats/?${query}`, key === undefined ? {} : { key })).body;

describe('stats', () => {
  const site = useSite();
  const service = useOwnService();

  test('scrapes are counted soon, in each window', async () => {
    for (let n = 0; n < 3; n++) await service.scrape({ url: `${site.url}/text` });
    await service.scrape({ url: `${site.url}/status/404` });
    await service.scrape({ url: 'http://127.0.0.1:1/' });
    await service.scrape({ url: 'http://localhost:1/' });
    await service.scrape({ url: 'no url' });
    for (const [window, step, count] of [
      ['1h', 60, 60],
      ['24h', 900, 96],
      ['7d', 3600, 168],
      ['90d', 86_400, 90],
    ] as const) {
      const stats = await eventually(async () => {
        const found = await statsOf(service, `window=${window}`);
        return found.totals.scrapes === 6 && found;
      });
      assert.equal(stats.window, window);
      assert.equal(stats.step_seconds, step);
      assert.equal(stats.series.length, count);
      assert.equal(
        stats.series.reduce((sum, { scrapes }) => sum + scrapes, 0),
        6,
      );
      assert.deepEqual(
        [stats.totals.outcomes.ok, stats.totals.outcomes.target_error, stats.totals.outcomes.failed],
        [3, 1, 2],
      );
      assert.equal(stats.totals.bytes, 3 * 'plain text\n'.length + 'status 404\n'.length);
      assert.ok(stats.latency_ms.p50! > 0 && stats.latency_ms.p50! <= stats.latency_ms.p99!);
      assert.deepEqual(stats.errors, [{ code: 'connect.refused', count: 2 }]);
      const hosts = stats.hosts.map(({ host, scrapes, ok }) => [host, scrapes, ok]);
      assert.deepEqual(hosts, [
        ['127.0.0.1', 5, 3],
        ['localhost', 1, 0],
      ]);
      assert.equal(stats.in_flight.limit, 50);
    }
  });

  test('requests in flight are counted while they run', async () => {
    const away = new AbortController();
    const running = Promise.allSettled(
      [1, 2, 3].map(() => service.scrape({ url: `${site.url}/hang` }, { signal: away.signal })),
    );
    // This request counts too: it is made with a key.
    await eventually(async () => (await statsOf(service)).in_flight.now === 4);
    away.abort();
    await running;
    await eventually(async () => (await statsOf(service)).in_flight.now === 1);
  });

  test('a key sees the stats of its own user, that of an administrator too', async () => {
    const { key } = await createUser(service, { email: 'other@example.com', role: 'admin' });
    assert.equal((await statsOf(service, '', key)).totals.scrapes, 0);
    await service.scrape({ url: `${site.url}/text` }, { key });
    await eventually(async () => (await statsOf(service, '', key)).totals.scrapes === 1);
    assert.ok((await statsOf(service)).totals.scrapes > 1);
    assert.equal((await service.api('GET', '/api/v1/stats/?user_id=all', { key })).status, 400);
  });

  test('wrong queries are refused, and callers without a key', async () => {
    for (const query of ['window=1d', 'window=1h&window=7d', 'user_id=all', 'x=1'])
      assert.equal((await service.api('GET', `/api/v1/stats/?${query}`)).status, 400, query);
    assert.equal((await service.api('GET', '/api/v1/stats/', { key: null })).status, 401);
  });
});

describe('stats over a restart', () => {
  const site = useSite();
  const dataDir = mkdtempSync(join(tmpdir(), 'sluice-stats-'));
  after(() => rmSync(dataDir, { recursive: true, force: true }));

  test('the last counts are stored when the service stops', async () => {
    const first = await startService({}, { dataDir });
    try {
      for (let n = 0; n < 4; n++) await first.scrape({ url: `${site.url}/text` });
      await first.stop();
    } finally {
      await first.end();
    }
    await using again = await startService({}, { dataDir });
    assert.equal((await statsOf(again)).totals.scrapes, 4);
  });
});
