import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, type TestContext } from 'node:test';
import { limitsContract, valuesContract } from '../../contracts/coordination.ts';
import { redisReplicas } from '../../helpers/coordination.ts';
import { freePort } from '../../helpers/free-port.ts';
import { noPostgres } from '../../helpers/postgres.ts';
import { noRedis, startRedis } from '../../helpers/redis.ts';

const folder = mkdtempSync(join(tmpdir(), 'sluice-redis-cluster-'));
after(() => rmSync(folder, { recursive: true }));

/** Three masters without replicas. @returns a URL that names two of them */
async function startRedisCluster(): Promise<string> {
  const servers = await Promise.all(
    ['a', 'b', 'c'].map(async (name) =>
      startRedis([
        ...['--cluster-enabled', 'yes', '--cluster-port', String(await freePort())],
        ...['--cluster-config-file', join(folder, name)],
      ]),
    ),
  );
  const hosts = servers.map(({ port }) => `127.0.0.1:${port}`);
  execFileSync('redis-cli', ['--cluster', 'create', ...hosts, '--cluster-yes'], { stdio: 'pipe' });
  return `redis://${hosts.slice(0, 2).join(',')}?cluster`;
}

let url: Promise<string> | null = null;

describe('Redis Cluster', { skip: noPostgres || noRedis }, () => {
  const open = async (t: TestContext) => {
    url ??= startRedisCluster();
    return redisReplicas(t, await url);
  };
  limitsContract('Redis Cluster', open);
  valuesContract('Redis Cluster', open);
});
