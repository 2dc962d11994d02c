import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sleep } from '../../../src/base/wait.ts';
import { replicaDatabase } from '../../helpers/coordination.ts';
import { noPostgres } from '../../helpers/postgres.ts';
import { runReplicaRounds } from '../../helpers/replica-rounds.ts';
import { ReplicaProcess } from '../../helpers/replicas.ts';
import { eventually } from '../../helpers/service.ts';

const LONG = process.env.LONG === '1';

describe('replicas over PostgreSQL', { skip: noPostgres }, () => {
  test('never a 51st, never a refusal below 50, and the places of the dead come back', async () => {
    let seed = 1;
    const random = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    await runReplicaRounds(await replicaDatabase(), undefined, {
      rounds: LONG ? 30 : 12,
      killEvery: LONG ? 15 : 6,
      random,
    });
  });

  test('a replica that was stopped for 15 seconds holds nothing when it wakes', async () => {
    const url = await replicaDatabase();
    const [one, two] = await Promise.all([ReplicaProcess.start(url), ReplicaProcess.start(url)]);
    try {
      assert.equal((await one.do({ take: 50 })).granted, 50);
      one.signal('SIGSTOP');
      const stoppedAt = performance.now();
      assert.equal((await two.do({ take: 1 })).refused, 1);
      await eventually(async () => (await two.do({ take: 1 })).granted === 1);
      assert.ok(performance.now() - stoppedAt < 15_000, 'its places are free after ten seconds');
      assert.equal((await two.do({ take: 50 })).granted, 49);
      await sleep(Math.max(0, 15_000 - (performance.now() - stoppedAt)));
      one.signal('SIGCONT');
      await eventually(() => one.losses === 1);
      assert.deepEqual(await one.do({ take: 1 }), { granted: 0, refused: 1, failed: [], held: 0 });
      await two.do({ release: 1 });
      assert.equal((await one.do({ take: 1 })).granted, 1);
    } finally {
      await Promise.all([one.kill(), two.kill()]);
    }
  });
});
