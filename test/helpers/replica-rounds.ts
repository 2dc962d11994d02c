import assert from 'node:assert/strict';
import { sleep } from '../../src/base/wait.ts';
import { ReplicaProcess } from './replicas.ts';

const LIMIT = 50;
const LEASE_MS = 10_000;

/** A number below `below`. */
type Random = (below: number) => number;

/**
 * Rounds of 60 callers, who ask three replicas at once for 50 places, and give them back in any order. Each `killEvery` rounds a
 * replica is killed, holding what it has, and another one starts. In each round exactly 50 get a place, except for those that the
 * dead one held, for the ten seconds of its lease.
 */
export async function runReplicaRounds(
  url: string,
  redisUrl: string | undefined,
  options: { readonly rounds: number; readonly killEvery: number; readonly random: Random },
): Promise<void> {
  const { rounds, killEvery, random } = options;
  const start = () => ReplicaProcess.start(url, redisUrl);
  const replicas = await Promise.all([start(), start(), start()]);
  let dead = { held: 0, until: 0 };
  try {
    for (let round = 1; round <= rounds; round++) {
      const first = random(41);
      const second = random(61 - first);
      const shares = [first, second, 60 - first - second];
      const answers = await Promise.all(replicas.map((replica, n) => replica.do({ take: shares[n]! })));
      const granted = answers.reduce((total, one) => total + one.granted, 0);
      assert.deepEqual(
        answers.flatMap(({ failed }) => failed),
        [],
      );
      const missing = performance.now() < dead.until ? dead.held : 0;
      assert.ok(
        granted <= LIMIT && granted >= LIMIT - missing,
        `round ${round}: ${granted} granted, ${missing} held by a dead replica`,
      );
      if (round % killEvery === 0) {
        const n = random(replicas.length);
        await replicas[n]!.kill();
        // The lease began with the last renewal, at the latest now.
        dead = { held: answers[n]!.held, until: performance.now() + LEASE_MS + 500 };
        replicas[n] = await start();
      }
      await Promise.all(
        replicas.map(async (replica, n) => {
          const { held } = answers[n]!;
          await replica.do({ release: random(held + 1) });
          await replica.do({ release: held });
        }),
      );
    }
    await sleep(Math.max(0, dead.until - performance.now()));
    const [all] = await Promise.all([replicas[0]!.do({ take: LIMIT })]);
    assert.equal(all.granted, LIMIT, 'all places are back');
  } finally {
    await Promise.all(replicas.map((replica) => replica.kill()));
  }
}
