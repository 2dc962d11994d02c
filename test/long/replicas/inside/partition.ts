import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import type { TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { afterwards } from '../../../adapters/temp.ts';
import { type CountingTarget, startTarget } from '../../../full/replicas/replicas.ts';
import { sharedSettings } from '../../../helpers/cluster.ts';
import { startPostgres } from '../../../helpers/postgres.ts';
import { startRedis } from '../../../helpers/redis.ts';
import { eventually, type Service, startService } from '../../../helpers/service.ts';
import type { Problem } from '../../../helpers/wire-types.ts';
import { type Cut, dropPackets, NETWORK, SERVERS, setUpServers, startMachine } from './machines.ts';

const LIMIT = 50;
/** Longer than the lease of ten seconds. */
const CUT_MS = 14_000;
/** It takes some seconds; this is for busy machines. */
const BACK_MS = 60_000;
const ISOLATED = /^503 service\.(storage|unavailable)$/;

/** A service on a machine of its own: from what it is cut off, and how many scrapes it holds before. */
export interface Side {
  readonly postgres?: Cut;
  readonly redis?: Cut;
  readonly holds: number;
}

interface Answer extends Partial<Problem> {
  readonly id: string;
}

interface Replica extends Side {
  readonly service: Service;
  /** Replies to scrapes that the target holds. */
  readonly held: ReturnType<typeof scrape>[];
}

/**
 * Services of which some are cut off from their servers for longer than a lease. Those without PostgreSQL say 503 and lose what
 * they hold; the others go on, and get the places of the lost. Afterwards all is as before, and what was acknowledged is there.
 */
export async function partition(t: TestContext, sides: readonly Side[]): Promise<void> {
  const responses = new Set<ServerResponse>();
  const replicas: Replica[] = [];
  setUpServers();
  const target = await startTarget(
    t,
    (request, response) => {
      if (request.url !== '/held') response.end('ok');
      else responses.add(response);
    },
    SERVERS,
  );
  const usesRedis = sides.some(({ redis }) => redis !== undefined);
  const { ports, shared } = await startServers(t, usesRedis);
  for (const [index, side] of sides.entries()) {
    const machine = await startMachine(t, index + 1);
    const service = await startService(shared, { wrap: machine.wrap, host: machine.address });
    afterwards(t, () => service[Symbol.asyncDispose]());
    replicas.push({ ...side, service, held: [] });
  }
  const hold = (replica: Replica, count: number) => {
    for (let n = 0; n < count; n++) replica.held.push(scrape(replica.service, `${target.url}/held`));
  };
  for (const replica of replicas) hold(replica, replica.holds);
  const before = sides.reduce((sum, { holds }) => sum + holds, 0);
  await eventually(() => target.inFlight === before);

  dropPackets(
    sides.flatMap(({ postgres, redis }, index) => [
      ...(postgres === undefined ? [] : [{ machine: index + 1, port: ports.postgres, cut: postgres }]),
      ...(redis === undefined ? [] : [{ machine: index + 1, port: ports.redis, cut: redis }]),
    ]),
  );
  const acknowledged = (
    await Promise.all(replicas.map((one) => scrapeWhileCut(one, target, usesRedis)))
  ).flat();

  const [whole] = replicas as [Replica];
  const connected = replicas.filter(({ postgres }) => postgres === undefined);
  const kept = connected.reduce((sum, { held }) => sum + held.length, 0);
  hold(whole, LIMIT - kept);
  await eventually(() => target.inFlight === LIMIT);
  for (const { service } of connected) assert.equal((await scrape(service, target.url)).status, 429);

  dropPackets([]);
  const healedAt = performance.now();
  // It knows again what the others hold.
  await Promise.all(
    replicas.map(({ service }) =>
      eventually(async () => (await scrape(service, target.url)).status === 429, BACK_MS),
    ),
  );
  const backMs = Math.round(performance.now() - healedAt);
  for (const response of responses) response.end('held');
  for (const { held } of connected)
    for (const { status, body } of await Promise.all(held)) {
      assert.equal(status, 200, JSON.stringify(body));
      acknowledged.push(body.id);
    }
  for (const { service } of replicas)
    await eventually(async () => (await scrape(service, target.url)).status === 200);
  for (const { service } of replicas)
    for (const id of acknowledged) {
      const { status } = await service.api('GET', `/api/v1/scrape/${id}/`);
      assert.equal(status, 200, `${id} was acknowledged`);
    }
  assert.equal(target.maxInFlight, LIMIT);
  // `runInside` hands such lines on.
  console.log(`counted: ${acknowledged.length} acknowledged, back after ${backMs} ms`);
}

/** PostgreSQL, and Redis if wanted, and what all services must know of them. */
async function startServers(t: TestContext, hasRedis: boolean) {
  const postgres = await startPostgres([`listen_addresses=127.0.0.1,${SERVERS}`]);
  afterwards(t, () => postgres.close());
  const redis = hasRedis
    ? await startRedis(['--bind', '127.0.0.1', SERVERS, '--protected-mode', 'no'])
    : null;
  const onNetwork = (url: string) => url.replace('127.0.0.1', SERVERS);
  const shared = {
    ...sharedSettings(onNetwork(await postgres.createDatabase())),
    SLUICE_ALLOW_ADDRESSES: NETWORK,
    ...(redis === null ? {} : { SLUICE_REDIS_URL: onNetwork(redis.url) }),
  };
  return { ports: { postgres: postgres.port, redis: redis?.port ?? 0 }, shared };
}

function scrape(service: Service, url: string) {
  return service.api<Answer>('POST', '/api/v1/scrape/', {
    body: { url, scraper: 'http', timeout_ms: url.endsWith('/held') ? 120_000 : 15_000 },
  });
}

/** Scrapes one after the other until the cut has lasted long enough. @returns ids of the scrapes that were acknowledged */
async function scrapeWhileCut(
  { service, postgres, held }: Replica,
  target: CountingTarget,
  usesRedis: boolean,
): Promise<string[]> {
  const acknowledged: string[] = [];
  const said: string[] = [];
  for (const end = performance.now() + CUT_MS; performance.now() < end; await pause(100)) {
    const { status, body } = await scrape(service, target.url);
    said.push(`${status} ${body.code ?? ''}`);
    if (status === 200) acknowledged.push(body.id);
  }
  const allowed =
    postgres !== undefined
      ? ISOLATED
      : usesRedis
        ? // Until all have agreed that PostgreSQL counts.
          /^(200 |503 service\.unavailable)$/
        : /^200 $/;
  for (const one of said) assert.match(one, allowed, said.join(', '));
  if (postgres === undefined) assert.equal(said.at(-1), '200 ', said.join(', '));
  else
    for (const { status, body } of await Promise.all(held)) assert.match(`${status} ${body.code}`, ISOLATED);
  return acknowledged;
}
