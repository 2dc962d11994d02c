import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import type { TestContext } from 'node:test';
import { type Cluster, startCluster } from '../../helpers/cluster.ts';
import type { RedisServer } from '../../helpers/redis.ts';
import { eventually } from '../../helpers/service.ts';
import { startTarget } from './replicas.ts';

/** With `LONG=1` a thousand rounds, with a kill every 25 rounds; else one kill of each kind. */
const LONG = process.env.LONG === '1';
export const ROUNDS = LONG ? 1_000 : 6;
const KILL_EVERY = LONG ? 25 : 4;
/** Before the first replica is killed. With a dead replica and no Redis, callers may have to wait for its lease. */
const REDIS_KILL = KILL_EVERY - 1;
const REDIS_KILL_EVERY = 200;
const LIMIT = 50;
const CALLERS = 60;
const ABORTED = 5;
/** The lease of a dead replica ends after ten seconds. */
const LEASE_MS = 10_000;

/**
 * Rounds of callers at three services, with aborts and kills: never a 51st in flight, never a 429 below the limit.
 * @param redis counts, and is killed while callers are in flight; null: PostgreSQL counts
 */
export async function runPermitRounds(t: TestContext, redis: RedisServer | null): Promise<void> {
  /** Responses that the target holds back. */
  const held = new Set<ServerResponse>();
  const target = await startTarget(t, (_, response) => {
    held.add(response);
    response.once('close', () => held.delete(response));
  });
  await using cluster = await startCluster(
    ['all', 'all', 'all'],
    redis === null ? {} : { SLUICE_REDIS_URL: redis.url },
  );
  if (redis !== null) await eventually(async () => (await counting(cluster)).every((who) => who === REDIS));
  let killedAt = Number.NEGATIVE_INFINITY;
  for (let round = 1; round <= ROUNDS; round++) {
    const replies: { readonly status: number | 'aborted' | 'broken' }[] = [];
    const refused = () => replies.filter(({ status }) => status === 429).length;
    const call = () => {
      const one = { cancel: new AbortController(), isOver: false, reply: Promise.resolve() };
      const body = { url: `${target.url}/${round}`, scraper: 'http', timeout_ms: 60_000 };
      one.reply = cluster
        .random()
        .api('POST', '/api/v1/scrape/', { body, signal: one.cancel.signal })
        .then(({ status }) => void replies.push({ status }))
        .catch(() => void replies.push({ status: one.cancel.signal.aborted ? 'aborted' : 'broken' }))
        .finally(() => {
          one.isOver = true;
        });
      return one;
    };
    const calls = Array.from({ length: CALLERS }, call);
    await eventually(() => target.inFlight + refused() === CALLERS);
    const isAllThere = performance.now() - killedAt > LEASE_MS + 2_000;
    if (isAllThere) assert.equal(target.inFlight, LIMIT, `round ${round}: ${refused()} were refused`);
    const isRedisKilled = redis !== null && round % REDIS_KILL_EVERY === REDIS_KILL && isAllThere;
    if (isRedisKilled) await redis.stop();
    // Those who go away make room for as many.
    const leaving = calls.slice(0, ABORTED).filter((one) => !one.isOver).length;
    const admitted = target.inFlight;
    for (const { cancel } of calls.slice(0, ABORTED)) cancel.abort();
    await eventually(() => target.inFlight === admitted - leaving);
    const refusedBefore = refused();
    const others = Array.from({ length: leaving }, call);
    await eventually(() => target.inFlight + refused() === admitted + refusedBefore);
    if (isAllThere) assert.equal(refused(), refusedBefore, `round ${round}: refused below the limit`);
    if (isRedisKilled) {
      await eventually(async () => (await counting(cluster)).every((who) => who === POSTGRESQL));
      await redis.start();
    }
    if (round % KILL_EVERY === 0) {
      await cluster.kill(cluster.random());
      killedAt = performance.now();
      await cluster.start('all');
    }
    const releasing = setInterval(() => {
      for (const response of held) response.end('ok');
    }, 20);
    await Promise.all([...calls, ...others].map(({ reply }) => reply));
    clearInterval(releasing);
    const statuses = new Set(replies.map(({ status }) => status));
    for (const status of statuses) assert.ok([200, 429, 'aborted', 'broken'].includes(status), `${status}`);
    if (statuses.has('broken')) assert.equal(round % KILL_EVERY, 0);
    assert.ok(target.maxInFlight <= LIMIT, `round ${round}: ${target.maxInFlight} at once`);
  }
  await eventually(async () => {
    const { body } = await cluster.random().api<{ in_flight?: number }>('GET', '/api/v1/system/');
    return (body.in_flight ?? 0) === 0;
  }, LEASE_MS + 5_000);
}

/** Values of `sluice_counting`. */
const POSTGRESQL = 2;
const REDIS = 3;

/** Who counts, as each service says. */
const counting = (cluster: Cluster): Promise<readonly number[]> =>
  Promise.all(
    cluster.replicas.map(async ({ base }) => {
      const metrics = await (await fetch(`${base}/metrics`)).text();
      return Number(/^sluice_counting (\d)$/m.exec(metrics)?.[1]);
    }),
  );
