import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type Replica, startCluster } from '../../helpers/cluster.ts';
import { freePort } from '../../helpers/free-port.ts';
import { startHoldingProxy } from '../../helpers/holding-proxy.ts';
import { noPostgres } from '../../helpers/postgres.ts';
import { S3_BUCKET, S3_KEY, s3Port } from '../../helpers/s3.ts';
import { eventually } from '../../helpers/service.ts';
import { useSite } from '../../helpers/use-site.ts';
import type { ScrapeAnswer } from '../../helpers/wire-types.ts';

const SMALL = 1_000;
const LARGE = 600_000;
/** How long a request to S3 may take that gets no answer is less than half of this. */
const MOST_MS = 60_000;

type State = 'well' | 'refused' | 'held';

interface Outcome {
  readonly replica: Replica;
  readonly length: number;
  /** Of S3, when the request began; null: it changed before the reply. */
  readonly state: State | null;
  readonly reply: string;
  readonly id: string;
}

describe('two services and a bucket', { skip: noPostgres }, () => {
  const site = useSite();

  test('S3 refuses connections, and holds packets back: large contents get 503, small ones go on, and nothing acknowledged is lost', async () => {
    const port = await freePort();
    let network = await startHoldingProxy(await s3Port(), port);
    await using cluster = await startCluster(['all', 'all'], {
      SLUICE_S3_ENDPOINT: `http://127.0.0.1:${port}`,
      SLUICE_S3_BUCKET: S3_BUCKET,
      SLUICE_S3_ACCESS_KEY_ID: S3_KEY,
      SLUICE_S3_SECRET_ACCESS_KEY: S3_KEY,
    });
    const outcomes: Outcome[] = [];
    let change = 0;
    let state: State = 'well';
    let isRunning = true;
    const caller = async (replica: Replica, length: number) => {
      while (isRunning) {
        const [begun, at] = [state, change];
        const { status, body } = await replica.scrape({ url: `${site.url}/html/${length}`, scraper: 'http' });
        const reply = status === 200 ? '200' : `${status} ${body.code}`;
        outcomes.push({ replica, length, state: at === change ? begun : null, reply, id: body.id! });
        await pause(50);
      }
    };
    const set = (next: State) => {
      state = next;
      change++;
    };
    /** Waits until each replica has answered so to three of these requests, since the last change. */
    const answered = (length: number, reply: string) => {
      const from = outcomes.length;
      const counts = (replica: Replica) =>
        outcomes
          .slice(from)
          .filter((one) => one.replica === replica && one.length === length && one.reply === reply);
      return eventually(() => cluster.replicas.every((replica) => counts(replica).length >= 3), MOST_MS);
    };
    const callers = cluster.replicas.flatMap((replica) => [caller(replica, SMALL), caller(replica, LARGE)]);
    try {
      await answered(LARGE, '200');

      set('refused');
      await network[Symbol.asyncDispose]();
      await answered(LARGE, '503 service.storage');
      await answered(SMALL, '200');
      network = await startHoldingProxy(await s3Port(), port);
      set('well');
      await answered(LARGE, '200');

      set('held');
      network.hold();
      await answered(LARGE, '503 service.storage');
      await answered(SMALL, '200');
      network.release();
      set('well');
      await answered(LARGE, '200');
    } finally {
      isRunning = false;
      await Promise.all(callers);
    }
    for (const { length, state: during, reply } of outcomes)
      if (length === SMALL) assert.equal(reply, '200');
      else if (during === 'refused' || during === 'held') assert.equal(reply, '503 service.storage');
      else assert.match(reply, /^(200|503 service\.storage)$/);
    for (const { id, length } of outcomes.filter(({ reply }) => reply === '200')) {
      const { body } = await cluster.random().api<ScrapeAnswer>('GET', `/api/v1/scrape/${id}/`);
      assert.equal(body.content?.length, length, `${id} was acknowledged`);
    }
    await cluster[Symbol.asyncDispose]();
    await network[Symbol.asyncDispose]();
  });
});
