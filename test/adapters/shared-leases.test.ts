import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createProxies } from '../../src/adapters/proxies/create-proxies.ts';
import { systemClock } from '../../src/base/time.ts';
import { isFailure } from '../../src/domain/failure.ts';
import { DEFAULT_PROXY_OPTIONS } from '../../src/domain/proxy.ts';
import type { Coordination } from '../../src/ports/coordination.ts';
import { StorageError } from '../../src/ports/store.ts';
import { readPools } from '../../src/wire/pools-file.ts';
import { inProcess } from '../helpers/in-process.ts';

const SERVERS = ['http://one.test:1', 'http://two.test:1', 'http://three.test:1'];

/** Two replicas with the same pool. */
function replicas(concurrency: number | null, coordination: Pick<Coordination, 'limits' | 'values'>) {
  const pool = {
    name: 'p',
    type: 'mobile',
    proxies: SERVERS,
    ...(concurrency === null ? {} : { concurrency_per_proxy: concurrency }),
  };
  const pools = readPools(JSON.stringify({ pools: [pool] })).settings!;
  return [1, 2].map(() => {
    const proxies = createProxies({ pools, allowDirect: true, clock: systemClock, coordination });
    return async (session: string | null = null, ms = 1_000) => {
      const lease = await proxies.lease({
        type: 'mobile',
        proxy: { ...DEFAULT_PROXY_OPTIONS, session },
        userId: 'u',
        used: [],
        signal: AbortSignal.timeout(ms),
      });
      return lease;
    };
  });
}

test('a session has the same exit on both replicas, also if both begin it at once', async () => {
  const [a, b] = replicas(null, inProcess());
  for (let n = 0; n < 30; n++) {
    const leases = await Promise.all([a!(`s${n}`), b!(`s${n}`), b!(`s${n}`)]);
    const exits = new Set(leases.map((lease) => (isFailure(lease) ? lease.code : lease.exit)));
    assert.equal(exits.size, 1, [...exits].join(' '));
    for (const lease of leases) if (!isFailure(lease)) lease.release();
  }
});

test('an exit has no more attempts at once than its pool allows, over both replicas', async () => {
  const [a, b] = replicas(2, inProcess());
  const leases = await Promise.all([a!(), a!(), a!(), a!(), b!(), b!()]);
  const counts = new Map<string, number>();
  for (const lease of leases) {
    assert.ok(!isFailure(lease));
    counts.set(lease.exit, (counts.get(lease.exit) ?? 0) + 1);
  }
  assert.deepEqual([...counts.values()], [2, 2, 2]);
  const refused = await b!(null, 300);
  assert.ok(isFailure(refused) && refused.code === 'service.unavailable', JSON.stringify(refused));
  const waiting = b!(null, 5_000);
  const [first] = leases;
  if (!isFailure(first!)) first!.release();
  const next = await waiting;
  assert.ok(!isFailure(next));
});

test('what the replicas share fails: so does the attempt, with the cause', async () => {
  const fails = () => Promise.reject(new StorageError('the test lets it fail'));
  const broken = { limits: { take: fails }, values: { get: fails, update: fails } };
  const [a] = replicas(null, broken as unknown as Coordination);
  const lease = await a!('s');
  assert.ok(isFailure(lease) && lease.code === 'service.unavailable', JSON.stringify(lease));
  assert.match(lease.message, /the test lets it fail/);
});

test('an exit is given back if the replicas cannot agree after it was taken', async () => {
  const fails = () => Promise.reject(new StorageError('the test lets it fail'));
  const { values } = inProcess();
  const [a] = replicas(1, { limits: { take: fails }, values } as unknown as Coordination);
  // More often than there are exits, which are all at their limit if they stay taken.
  for (let n = 0; n < 2 * SERVERS.length; n++) {
    const lease = await a!();
    assert.ok(isFailure(lease) && /the test lets it fail/.test(lease.message), JSON.stringify(lease));
  }
});
