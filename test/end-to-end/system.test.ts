import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { highSince } from '../../src/alerts/since.ts';
import type { SampleRow, SampleStore } from '../../src/ports/samples.ts';
import { browserProcessesOf, chromiums } from '../adapters/browser/stage.ts';
import { html, startTarget, type Target } from '../adapters/browser/target.ts';
import { eventually, useOwnService } from '../helpers/service.ts';
import { createUser } from '../helpers/users.ts';
import { newUser, signIn } from '../helpers/visitor.ts';

interface System {
  readonly version: string;
  readonly node: string;
  readonly uptime_s: number;
  readonly process: {
    readonly pid: number;
    readonly rss_bytes: number;
    readonly event_loop_delay_ms: { readonly p50: number; readonly p99: number; readonly max: number } | null;
  };
  readonly machine: Readonly<
    Record<
      'memory' | 'disk',
      {
        readonly total_bytes: number;
        readonly free_bytes: number;
        readonly short: boolean;
        readonly short_since: string | null;
      }
    >
  >;
  readonly memory: { readonly limit_bytes: number; readonly in_use_bytes: number; readonly waiting: number };
  readonly storage: { readonly ok: boolean; readonly used_bytes: number; readonly limit_bytes: number };
  readonly permits: { readonly in_flight: number; readonly default_limit: number };
  readonly browsers: {
    readonly state: string;
    readonly slots: { readonly total: number; readonly used: number; readonly waiting: number };
    readonly pages_served: number;
    readonly kinds: readonly {
      readonly launches: number;
      readonly crashes: number;
      readonly browsers: readonly {
        readonly pid: number;
        readonly pages_open: number;
        readonly pages_served: number;
        readonly memory_bytes: number | null;
      }[];
    }[];
  };
}

const noBrowser = (await chromiums()).length === 0 && 'there is no Chromium on this machine';

describe('GET /api/v1/system/', () => {
  const service = useOwnService({ SLUICE_BROWSER_SLOTS: '1', SLUICE_MEMORY_BYTES: '256MiB' });
  let target: Target;
  before(async () => {
    target = await startTarget({ '/page': html('<p>hello'), '/never': () => {} });
  });
  after(() => target[Symbol.asyncDispose]());
  const read = async (): Promise<System> => {
    const { status, body } = await service.api<System>('GET', '/api/v1/system/');
    assert.equal(status, 200);
    return body;
  };

  test('reports process, memory and storage to administrators', async () => {
    await read();
    const { version, node, process: own, machine, memory, storage, permits, uptime_s } = await read();
    assert.match(version, /^\d+\.\d+\.\d+/);
    assert.match(node, /^v\d+/);
    assert.ok(uptime_s > 0 && own.rss_bytes > 1e6);
    assert.equal(own.pid, service.pid);
    const { p50, p99, max } = own.event_loop_delay_ms!;
    assert.ok(0 <= p50 && p50 <= p99 && p99 <= max, JSON.stringify(own));
    assert.deepEqual(memory, { limit_bytes: 2 ** 28, in_use_bytes: 0, waiting: 0 });
    for (const { total_bytes, free_bytes, short, short_since } of Object.values(machine)) {
      assert.ok(total_bytes > free_bytes && free_bytes >= 0);
      assert.equal(short, 1 - free_bytes / total_bytes >= 0.9);
      if (!short) assert.equal(short_since, null);
    }
    assert.equal(storage.ok, true);
    assert.ok(storage.limit_bytes > 0);
    assert.deepEqual(permits, { in_flight: 1, default_limit: 50 }, 'this request itself');
  });

  test('is for administrators alone', async () => {
    const code = async (key: string | null) =>
      (await service.api<{ code: string }>('GET', '/api/v1/system', { key })).body.code;
    assert.equal(await code(null), 'auth.missing');
    assert.equal(await code((await createUser(service)).key), 'auth.scope');
    for (const [role, status] of [
      ['user', 403],
      ['admin', 200],
    ] as const) {
      const { email } = await newUser(service, { role });
      const visitor = await signIn(service, email);
      assert.equal((await visitor.call('GET', '/api/v1/system/')).status, status, role);
    }
  });

  test('reports slots, pages and crashes of browsers', { skip: noBrowser }, async () => {
    const scrape = (path: string) => service.scrape({ url: target.url + path, scraper: 'browser' });
    assert.equal((await scrape('/page')).status, 200);
    const stop = new AbortController();
    const ask = { url: `${target.url}/never`, scraper: 'browser' };
    const held = service.scrape(ask, { signal: stop.signal }).catch(() => {});
    await eventually(() => target.asked.includes('GET /never'));
    const { browsers, permits } = await read();
    assert.equal(browsers.state, 'ready');
    assert.deepEqual(browsers.slots, { total: 1, used: 1, waiting: 0 });
    assert.equal(browsers.pages_served, 2);
    assert.equal(permits.in_flight, 2);
    const open = browsers.kinds.flatMap((kind) => kind.browsers).filter(({ pages_open }) => pages_open > 0);
    assert.equal(open.length, 1);
    const [{ pid, memory_bytes }] = open as [System['browsers']['kinds'][number]['browsers'][number]];
    assert.ok(browserProcessesOf(service.pid).some((one) => one.pid === pid));
    if (process.platform === 'linux') assert.ok(memory_bytes! > 1e6);
    stop.abort();
    await held;
    // If it were killed while a page is being closed, it would count as replaced.
    await eventually(async () => (await read()).browsers.slots.used === 0);
    process.kill(pid, 'SIGKILL');
    await eventually(async () => {
      const { kinds, slots } = (await read()).browsers;
      return slots.used === 0 && kinds.some(({ crashes }) => crashes === 1);
    }, 10_000);
    assert.equal((await scrape('/page')).status, 200);
    // A page is closed after its scrape was answered.
    await eventually(async () => (await read()).browsers.slots.used === 0);
    const metrics = await (await fetch(`${service.base}/metrics`)).text();
    for (const line of ['sluice_browser_slots 1', 'sluice_browser_slots_used 0', 'sluice_browsers_crashed 1'])
      assert.match(metrics, new RegExp(`^${line}$`, 'm'));
  });
});

test('a shortage began with the first of the latest minutes in a row in which a replica was short', async () => {
  const minute = (index: number, share: number, replica = 'a'): SampleRow => ({
    ...{ step: 60, kind: 'system', name: '', replica },
    at: index * 60_000,
    values: { disk_share: share },
  });
  const since = (rows: readonly SampleRow[]) => {
    const samples = { list: () => Promise.resolve(rows) } as unknown as SampleStore;
    return highSince(samples, 'disk_share', 0.9, 10 * 60_000);
  };
  const rows = [minute(1, 0.95), minute(2, 0.5), minute(3, 0.9), minute(4, 0.1), minute(4, 0.93, 'b')];
  assert.equal(await since(rows), 3 * 60_000);
  assert.equal(await since([...rows, minute(6, 0.92)]), 3 * 60_000, 'minute 5 was not measured');
  assert.equal(await since([...rows, minute(5, 0.8)]), null);
  assert.equal(await since([]), null);
});
