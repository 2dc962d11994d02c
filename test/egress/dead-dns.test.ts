import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../src/base/time.ts';
import { createDnsClient } from '../../src/egress/dns-client.ts';
import { startDnsServer } from '../site/dns-server.ts';

test('all name servers are silent: a failure when the time of a look-up is over', async () => {
  await using dead = await startDnsServer({ 'site.test': { silent: true } });
  const client = createDnsClient([dead.address], systemClock, 300);
  const { resolution, ttlMs } = await client.query('site.test');
  assert.deepEqual(resolution.error, { code: 'dns.failed', reason: 'timeout' });
  assert.equal(ttlMs, 0);
  client.close();
});

test('the first name server is silent: the second is asked', async () => {
  await using dead = await startDnsServer({ 'site.test': { silent: true } });
  await using alive = await startDnsServer({ 'site.test': { addresses: ['127.0.0.1'] } });
  const client = createDnsClient([dead.address, alive.address], systemClock);
  const { resolution } = await client.query('site.test');
  assert.deepEqual(
    resolution.addresses?.map((address) => address.text),
    ['127.0.0.1'],
  );
  assert.equal(dead.questions.length, 2);
  client.close();
});
