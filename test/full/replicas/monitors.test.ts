import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { describe, type TestContext, test } from 'node:test';
import pg from 'pg';
import { afterwards } from '../../adapters/temp.ts';
import { startBatch } from '../../end-to-end/job-calls.ts';
import { article, makeMonitor, PARAGRAPH, runsOf } from '../../end-to-end/monitoring.ts';
import { sharedSettings } from '../../helpers/cluster.ts';
import { noPostgres, testDatabase } from '../../helpers/postgres.ts';
import { type ReceivedMessage, type Receiver, startReceiver } from '../../helpers/receiver.ts';
import { eventually, type Service, startService } from '../../helpers/service.ts';
import { batchOf, startTarget } from './replicas.ts';

const ALLOW = { SLUICE_WEBHOOK_ALLOW: '127.0.0.0/8' };
/** Longer than leases of deliveries (30 s) and the first two pauses between tries (5 s, 30 s) take together. */
const MOST_MS = 120_000;

async function receiverOf(t: TestContext): Promise<Receiver> {
  const receiver = await startReceiver();
  afterwards(t, () => receiver[Symbol.asyncDispose]());
  return receiver;
}

/** Three services; their webhook messages tell who sent them. */
async function startThree(t: TestContext, databaseUrl: string): Promise<readonly Service[]> {
  const shared = { ...sharedSettings(databaseUrl), ...ALLOW };
  const services: Service[] = [];
  // One after the other: the first one follows the monitors.
  for (let n = 0; n < 3; n++) {
    const service = await startService({ ...shared, SLUICE_BASE_URL: `http://replica-${n}.test` });
    afterwards(t, () => service[Symbol.asyncDispose]());
    services.push(service);
  }
  return services;
}

/** Number of the service that sent the message. */
const senderOf = ({ body }: ReceivedMessage): number =>
  Number(/^http:\/\/replica-(\d)\.test\//.exec(String(body.data.result_url))![1]);

const idOf = ({ headers }: ReceivedMessage): string => String(headers['webhook-id']);

describe('monitors and webhooks of several services', { skip: noPostgres, concurrency: true }, () => {
  test('each due run begins once, also if the service that follows the monitors is killed', async (t) => {
    const receiver = await receiverOf(t);
    const databaseUrl = await testDatabase();
    const services = await startThree(t, databaseUrl);
    const [first, second] = services;
    const held: ServerResponse[] = [];
    let text = 'before';
    let isHolding = false;
    const target = await startTarget(t, (_, response) => {
      response.setHeader('content-type', 'text/html');
      if (isHolding) held.push(response);
      else response.end(article(`${PARAGRAPH}<p>${text}</p>`));
    });
    const ids: string[] = [];
    for (let n = 0; n < 6; n++)
      ids.push(
        await makeMonitor(first!, {
          schedule: { cron: '0 0 29 2 *' },
          request: { url: `${target.url}/${n}`, scraper: 'http', router: { max_attempts: 1 } },
          webhook: { url: receiver.url },
        }),
      );
    const database = new pg.Client(databaseUrl);
    await database.connect();
    afterwards(t, () => database.end());
    /** Instead of waiting for February 29th. */
    const makeDue = (due: readonly string[]) =>
      database.query(
        `UPDATE monitors SET next_at = extract(epoch FROM clock_timestamp()) * 1000 WHERE encode(id, 'hex') = ANY($1)`,
        [due.map((id) => id.replaceAll('-', ''))],
      );
    const statesOf = async () =>
      await Promise.all(
        ids.map(async (id) =>
          (await runsOf(second!, id)).map(({ n, state, change }) => `${n} ${state} ${change?.state}`),
        ),
      );
    const untilRuns = async (expected: readonly string[]) => {
      const wanted = JSON.stringify(ids.map(() => expected));
      await eventually(async () => JSON.stringify(await statesOf()) === wanted, MOST_MS).catch(async () =>
        assert.deepEqual(
          await statesOf(),
          ids.map(() => expected),
        ),
      );
    };

    await makeDue(ids);
    await untilRuns(['1 ended first']);
    text = 'after';
    isHolding = true;
    await makeDue(ids.slice(0, 3));
    await eventually(() => target.inFlight === 3, MOST_MS);
    await first!.kill9();
    await makeDue(ids.slice(3));
    isHolding = false;
    for (const response of held) response.end(article(`${PARAGRAPH}<p>${text}</p>`));
    await untilRuns(['2 ended changed', '1 ended first']);

    await eventually(() => new Set(receiver.messages.map(idOf)).size === ids.length, MOST_MS);
    assert.deepEqual(
      [...new Set(receiver.messages.map(idOf))].toSorted(),
      ids.map((id) => `msg_${id}_2`).toSorted(),
    );
    for (const [n] of ids.entries()) {
      const requests = target.requests.get(`/${n}`)!;
      // Only what the dead one had under way is requested again.
      assert.ok(n < 3 ? requests === 2 || requests === 3 : requests === 2, `/${n}: ${requests} requests`);
    }
  });

  test('what a killed service was sending, or was to try again, another one sends', async (t) => {
    const receiver = await receiverOf(t);
    const services = await startThree(t, await testDatabase());
    const living = new Set(services.keys());
    const kill = async (number: number) => {
      living.delete(number);
      await services[number]!.kill9();
    };
    const survivor = () => services[[...living][0]!]!;
    const target = await startTarget(t, (_, response) => void response.end('ok'));
    /** The first try of each message, by its id. */
    const firsts = new Map<string, ReceivedMessage>();
    const accepted: ReceivedMessage[] = [];
    receiver.answer = (message, response) => {
      const isFirst = !firsts.has(idOf(message));
      const isFirstOfPath = ![...firsts.values()].some(({ path }) => path === message.path);
      if (isFirst) firsts.set(idOf(message), message);
      if (!isFirstOfPath) {
        accepted.push(message);
        response.writeHead(204).end();
        // Only one fails: a killed sender may have taken any of the others, which then have one try less before a long pause.
      } else if (message.path === '/fails') response.writeHead(500).end();
      // That of the other path is held until its sender is killed.
    };
    const at = (path: string) => new URL(path, receiver.url).href;
    const start = (name: string, count: number, events: readonly string[]) =>
      startBatch(survivor(), batchOf(target.url, name, count, { webhook: { url: at(`/${name}`), events } }));
    const deliveriesOf = async (source: string) =>
      (
        await survivor().api<{ items: { id: string; state: string; status: number | null }[] }>(
          'GET',
          `/api/v1/webhooks/?source=${source}&limit=200`,
        )
      ).body.items;
    const firstAt = (path: string) =>
      eventually(() => [...firsts.values()].find((message) => message.path === path), MOST_MS);

    const failing = await start('fails', 8, ['page', 'done']);
    const failed = await firstAt('/fails');
    await eventually(
      async () =>
        (await deliveriesOf(failing)).some(({ id, status }) => id === idOf(failed) && status === 500),
      MOST_MS,
    );
    await kill(senderOf(failed));
    const holding = await start('holds', 1, ['done']);
    const held = await firstAt('/holds');
    await kill(senderOf(held));

    for (const [job, count] of [
      [failing, 9],
      [holding, 1],
    ] as const)
      await eventually(async () => {
        const deliveries = await deliveriesOf(job);
        return deliveries.length === count && deliveries.every(({ state }) => state === 'delivered');
      }, MOST_MS);
    const events = accepted.map(
      ({ body }) =>
        `${body.type} ${JSON.stringify((body.data.item as { n: number } | undefined)?.n)} ${body.data.id}`,
    );
    assert.equal(new Set(accepted.map(idOf)).size, 10, 'nothing is lost');
    assert.equal(new Set(events).size, 10, 'an event has one id');
    for (const message of [failed, held]) {
      const again = accepted.filter((one) => idOf(one) === idOf(message));
      assert.ok(again.length > 0);
      assert.deepEqual(
        again.map(({ body }) => [body.type, body.sequence]),
        again.map(() => [message.body.type, message.body.sequence]),
      );
      assert.ok(
        again.every((one) => senderOf(one) !== senderOf(message)),
        'the dead one sent it',
      );
    }
  });
});
