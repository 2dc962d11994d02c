import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import type { ExperienceLog } from '../../src/ports/experience-log.ts';

/** What the ExperienceLog of every implementation must do. `open` gives logs that share one empty storage. */
export function experienceLogContract(
  name: string,
  open: (t: TestContext, count: number) => Promise<readonly ExperienceLog[]>,
): void {
  describe(`${name}: log of the experience`, () => {
    test('batches are read in the order of their positions, in pages', async (t) => {
      const [a, b] = await open(t, 2);
      assert.deepEqual(await a!.after(0, 10), []);
      const positions = [
        await a!.append('a', 1, 'one'),
        await b!.append('b', 1, 'two 🎈'),
        await a!.append('a', 2, ''),
      ];
      assert.deepEqual(
        positions,
        positions.toSorted((x, y) => x - y),
      );
      assert.deepEqual(await b!.after(0, 2), [
        { position: positions[0], origin: 'a', data: 'one' },
        { position: positions[1], origin: 'b', data: 'two 🎈' },
      ]);
      assert.deepEqual(await b!.after(positions[1]!, 2), [{ position: positions[2], origin: 'a', data: '' }]);
    });

    test('a batch is added once, however often its origin tries', async (t) => {
      const [log] = await open(t, 1);
      const position = await log!.append('a', 1, 'one');
      assert.equal(await log!.append('a', 1, 'one'), position);
      assert.equal((await log!.after(0, 10)).length, 1);
    });

    test('who reads while others add misses nothing', async (t) => {
      const logs = await open(t, 4);
      const read: string[] = [];
      let isDone = false;
      const reading = (async () => {
        for (let position = 0, wasDone = false; ; ) {
          const batches = await logs[3]!.after(position, 7);
          read.push(...batches.map(({ data }) => data));
          position = batches.at(-1)?.position ?? position;
          if (batches.length === 0 && wasDone) return;
          wasDone = isDone;
        }
      })();
      await Promise.all(
        [0, 1, 2].map(async (writer) => {
          for (let n = 0; n < 50; n++) await logs[writer]!.append(`${writer}`, n, `${writer}-${n}`);
        }),
      );
      isDone = true;
      await reading;
      assert.equal(read.length, 150);
      assert.equal(new Set(read).size, 150);
    });

    test('old batches are swept; positions go on', async (t) => {
      const [log] = await open(t, 1);
      const first = await log!.append('a', 1, 'one');
      await log!.sweep(600);
      assert.equal((await log!.after(0, 10)).length, 1);
      await log!.sweep(0);
      assert.deepEqual(await log!.after(0, 10), []);
      assert.ok((await log!.append('a', 2, 'two')) > first);
    });
  });
}
