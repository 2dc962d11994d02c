import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, type TestContext, test } from 'node:test';
import { openCoordination } from '../../../src/adapters/coordination/open-coordination.ts';
import { parseRedisUrl, type RedisAddress } from '../../../src/domain/redis-address.ts';
import { createAuthority } from '../../helpers/certificates.ts';
import { replicaDatabase, takeAll } from '../../helpers/coordination.ts';
import { freePort } from '../../helpers/free-port.ts';
import { noPostgres } from '../../helpers/postgres.ts';
import { noRedis, startRedis } from '../../helpers/redis.ts';

const folder = mkdtempSync(join(tmpdir(), 'sluice-redis-unfit-'));
after(() => rmSync(folder, { recursive: true }));

/** Opens a replica, for which PostgreSQL counts. @returns what is told about Redis */
async function problemOf(t: TestContext, redisUrl: string): Promise<string> {
  const problems: (string | undefined)[] = [];
  const replica = await openCoordination({
    database: { url: await replicaDatabase(), directUrl: null, readUrl: null },
    redis: parseRedisUrl(redisUrl) as RedisAddress,
    onRedis: (problem) => problems.push(problem?.message),
  });
  t.after(() => replica.close());
  assert.equal((await takeAll([replica])).length, 50);
  assert.equal(replica.counter(), 'postgresql');
  return problems[0] ?? 'none';
}

describe('a Redis that cannot be used: PostgreSQL counts from the start, and the reason is told', {
  skip: noPostgres || noRedis,
}, () => {
  test('nobody answers', async (t) => {
    for (const kind of ['', '?cluster', '?sentinel=main'])
      assert.match(
        await problemOf(t, `redis://127.0.0.1:${await freePort()}${kind}`),
        /^Redis: .*(ECONNREFUSED|closed)/,
      );
  });

  test('a replica, which takes no writes', async (t) => {
    const { url } = await startRedis(['--replicaof', `127.0.0.1 ${await freePort()}`, '--dir', folder]);
    assert.match(await problemOf(t, url), /^Redis: .*(READONLY|read only)/);
  });

  test('a full memory', async (t) => {
    const { url } = await startRedis(['--maxmemory', '1']);
    assert.match(await problemOf(t, url), /^Redis: .*(OOM|maxmemory)/);
  });

  test('a missing or wrong password', async (t) => {
    const { port, command } = await startRedis();
    await command('CONFIG SET requirepass right');
    assert.match(await problemOf(t, `redis://127.0.0.1:${port}`), /^Redis: NOAUTH/);
    assert.match(await problemOf(t, `redis://:wrong@127.0.0.1:${port}`), /^Redis: WRONGPASS/);
  });

  test('a certificate that is not trusted, whatever kind of server it is', async (t) => {
    using authority = createAuthority();
    const { key, cert } = authority.issue({ names: 'IP:127.0.0.1' });
    writeFileSync(join(folder, 'key.pem'), key);
    writeFileSync(join(folder, 'cert.pem'), cert);
    const port = await freePort();
    await startRedis([
      ...[
        '--tls-port',
        String(port),
        '--tls-auth-clients',
        'no',
        '--tls-ca-cert-file',
        join(folder, 'cert.pem'),
      ],
      ...['--tls-key-file', join(folder, 'key.pem'), '--tls-cert-file', join(folder, 'cert.pem')],
    ]);
    for (const kind of ['', '?cluster', '?sentinel=main'])
      assert.match(
        await problemOf(t, `rediss://127.0.0.1:${port}${kind}`),
        /^Redis: .*(certificate|signature)/,
        kind,
      );
  });
});
