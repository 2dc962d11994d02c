import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createProxies } from '../../src/adapters/proxies/create-proxies.ts';
import { systemClock } from '../../src/base/time.ts';
import { DEFAULT_PROXY_OPTIONS } from '../../src/domain/proxy.ts';
import type { Lease } from '../../src/ports/proxies.ts';
import { readPools } from '../../src/wire/pools-file.ts';

/** A pool of one template with these countries. */
const poolOf = (...countries: string[]) =>
  readPools(
    JSON.stringify({
      pools: [
        { name: 'gate', type: 'mobile', countries, template: 'http://u-{country}-{session}:pw@gate.test:1' },
      ],
    }),
  ).settings!;

test('a session keeps its exit while its country is in the pool, and moves when the country is removed', () => {
  const proxies = createProxies({
    pools: poolOf('DE', 'FR'),
    allowDirect: true,
    clock: systemClock,
    coordination: null,
  });
  const lease = () =>
    proxies.lease({
      type: 'mobile',
      proxy: { ...DEFAULT_PROXY_OPTIONS, session: 'a' },
      userId: 'u',
      used: [],
      signal: AbortSignal.timeout(1_000),
    }) as Lease;
  const first = lease();
  proxies.replacePools(poolOf('NL', 'US', first.country!));
  assert.deepEqual([lease().country, lease().exit], [first.country, first.exit]);
  proxies.replacePools(poolOf('NL', 'US'));
  const moved = lease();
  assert.ok(['NL', 'US'].includes(moved.country!), String(moved.country));
  assert.deepEqual([lease().country, lease().exit], [moved.country, moved.exit]);
});
