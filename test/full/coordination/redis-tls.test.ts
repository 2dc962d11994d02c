import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, type TestContext, test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { openCoordination } from '../../../src/adapters/coordination/open-coordination.ts';
import { parseRedisUrl } from '../../../src/domain/redis-address.ts';
import { limitsContract, valuesContract } from '../../contracts/coordination.ts';
import { createAuthority } from '../../helpers/certificates.ts';
import { redisReplicas, replicaDatabase } from '../../helpers/coordination.ts';
import { freePort } from '../../helpers/free-port.ts';
import { noPostgres } from '../../helpers/postgres.ts';
import { noRedis, startRedis } from '../../helpers/redis.ts';

const folder = mkdtempSync(join(tmpdir(), 'sluice-redis-tls-'));
after(() => rmSync(folder, { recursive: true }));

describe('Redis with TLS', { skip: noPostgres || noRedis }, () => {
  const publicOnes = getCACertificates('default');
  let ca: string;
  let url: string;
  before(async () => {
    using authority = createAuthority();
    ca = authority.cert;
    const { key, cert } = authority.issue({ names: 'IP:127.0.0.1' });
    const file = (name: string, text: string) => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    const port = await freePort();
    await startRedis([
      ...['--tls-port', String(port), '--tls-auth-clients', 'no', '--tls-ca-cert-file', file('ca.pem', ca)],
      ...['--tls-cert-file', file('cert.pem', cert), '--tls-key-file', file('key.pem', key)],
    ]);
    url = `rediss://127.0.0.1:${port}`;
  });
  // As NODE_EXTRA_CA_CERTS does for a service.
  const trust = (authority: string) => setDefaultCACertificates([...publicOnes, authority]);

  test('a server whose authority is not trusted is refused, and the reason is told', async () => {
    using other = createAuthority();
    for (const refuse of [() => setDefaultCACertificates(publicOnes), () => trust(other.cert)]) {
      refuse();
      const problems: (string | undefined)[] = [];
      const redis = parseRedisUrl(url);
      if (typeof redis === 'string') throw new Error(redis);
      const coordination = await openCoordination({
        database: { url: await replicaDatabase(), directUrl: null, readUrl: null },
        redis,
        onRedis: (problem) => problems.push(problem?.message),
      });
      assert.equal(coordination.counter(), 'postgresql');
      assert.match(problems[0] ?? '', /^Redis: .*(certificate|signature)/);
      await coordination.close();
    }
  });

  const open = async (t: TestContext) => {
    trust(ca);
    return redisReplicas(t, url);
  };
  limitsContract('Redis with TLS', open);
  valuesContract('Redis with TLS', open);
});
