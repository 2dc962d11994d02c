import assert from 'node:assert/strict';
import { closeSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { openSqliteStore } from '../../src/adapters/store/sqlite/open-sqlite-store.ts';
import { StorageError } from '../../src/ports/store.ts';
import { ANNA, filter, idAt, record, T0, user } from '../contracts/samples.ts';
import { smallDisk } from './small-disk.ts';
import { afterwards, noise, tempFolder } from './temp.ts';

/** An open store with its threads, in the order in which they were started: writer, reader, checkpoints. */
async function openWatched(t: TestContext) {
  const workers: Worker[] = [];
  const onWorker = (worker: Worker) => workers.push(worker);
  process.on('worker', onWorker);
  afterwards(t, () => process.off('worker', onWorker));
  const events: string[] = [];
  const file = join(tempFolder(t), 'sluice.db');
  const store = await openSqliteStore({ file, durability: 'normal', log: (event) => events.push(event) });
  afterwards(t, () => store.close());
  return { store, workers, events };
}

test('SQLite: after the death of the writer, pending calls are rejected and later ones work', async (t) => {
  const { store, workers, events } = await openWatched(t);
  await store.records.put(record(1));
  for (let death = 0; death < 2; death++) {
    // A thread is only restarted at once if it has run for a second.
    await sleep(1_050);
    const pending = Array.from({ length: 50 }, (_, n) => store.records.put(record(death * 100 + n + 10)));
    // Index 1 is the reader. Later threads are restarted writers.
    const writer = workers.findLast((_, index) => index !== 1)!;
    const [results] = await Promise.all([Promise.allSettled(pending), writer.terminate()]);
    for (const result of results) {
      if (result.status === 'rejected') assert.ok(result.reason instanceof StorageError);
    }
    await assertWorksWithin(3_000, () => store.records.put(record(death * 100 + 2)));
    for (const [n, result] of results.entries()) {
      if (result.status === 'rejected') continue;
      assert.notEqual(
        await store.records.get(idAt(T0 + death * 100 + n + 10), ANNA),
        null,
        'acknowledged records are stored',
      );
    }
  }
  assert.equal(events.filter((event) => event === 'store.thread_ended').length, 2);
  await store.check();
});

test('SQLite: after the death of the reader, writing goes on and reading works again', async (t) => {
  const { store, workers } = await openWatched(t);
  await store.records.put(record(1));
  // A thread is only restarted at once if it has run for a second.
  await sleep(1_050);
  const pending = store.records.list(filter(), 10, null).then(
    () => null,
    (error: unknown) => error,
  );
  await Promise.all([workers[1]!.terminate(), store.records.put(record(2))]);
  const error = await pending;
  assert.ok(error === null || error instanceof StorageError);
  await assertWorksWithin(3_000, () => store.records.list(filter(), 10, null));
  assert.equal((await store.records.list(filter(), 10, null)).items.length, 2);
});

test('SQLite: close works when the threads are dead', async (t) => {
  const { store, workers } = await openWatched(t);
  await Promise.all(workers.map((worker) => worker.terminate()));
  await store.close();
  await assert.rejects(store.records.put(record(1)), StorageError);
});

test('SQLite: put rejects on a full disk, and succeeds when there is space again', async (t) => {
  const disk = smallDisk(t, '3m');
  if (disk === null) return;
  const store = await openSqliteStore({ file: join(disk.folder, 'sluice.db'), durability: 'normal' });
  afterwards(t, () => store.close());
  await store.accounts.insertUser(user());
  const ballast = join(disk.folder, 'ballast');
  fillDisk(ballast);
  const outcomes = await Promise.allSettled(
    Array.from({ length: 40 }, (_, n) => store.records.put(record(n, { content: noise(n, 50_000) }))),
  );
  // One by one: a batch is stored as a whole or not at all, so single records may still fit.
  for (let n = 40; n < 60; n++) {
    outcomes.push(
      ...(await Promise.allSettled([store.records.put(record(n, { content: noise(n, 50_000) }))])),
    );
  }
  const failed = outcomes.filter((outcome) => outcome.status === 'rejected');
  assert.ok(failed.length > 0, 'the disk became full');
  for (const { reason } of failed) {
    assert.ok(reason instanceof StorageError, String(reason));
    assert.match(reason.message, /no space left on the disk/);
  }
  assert.equal((await store.accounts.users()).length, 1, 'reading still works');

  rmSync(ballast);
  await store.check();
  await store.records.put(record(100, { content: noise(100, 50_000) }));
  const stored = outcomes.flatMap((outcome, n) => (outcome.status === 'fulfilled' ? [idAt(T0 + n)] : []));
  const listed = (await store.records.list(filter(), 200, null)).items.map((item) => item.id);
  assert.deepEqual(listed, [idAt(T0 + 100), ...stored.toReversed()], 'exactly the acknowledged records');
});

test('SQLite: open rejects on a read-only disk, and works when the disk is writable again', async (t) => {
  const disk = smallDisk(t, '20m');
  if (disk === null) return;
  const file = join(disk.folder, 'sluice.db');
  const store = await openSqliteStore({ file, durability: 'normal' });
  await store.records.put(record(1));
  await store.close();
  disk.mode('ro');
  await assert.rejects(openSqliteStore({ file, durability: 'normal' }), StorageError);
  disk.mode('rw');
  const reopened = await openSqliteStore({ file, durability: 'normal' });
  afterwards(t, () => reopened.close());
  await reopened.records.put(record(2));
  assert.equal((await reopened.records.list(filter(), 10, null)).items.length, 2);
});

/** Retries until the work succeeds; fails after `ms`. */
async function assertWorksWithin(ms: number, work: () => Promise<unknown>): Promise<void> {
  const end = performance.now() + ms;
  for (;;) {
    try {
      await work();
      return;
    } catch (error) {
      assert.ok(error instanceof StorageError, String(error));
      if (performance.now() > end) throw error;
      await sleep(50);
    }
  }
}

/** Writes to the file until the disk is full. */
function fillDisk(path: string): void {
  writeFileSync(path, '');
  const descriptor = openSync(path, 'a');
  try {
    for (const size of [65_536, 4_096]) {
      const block = Buffer.alloc(size, 1);
      try {
        while (writeSync(descriptor, block) === size);
      } catch (error) {
        assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC');
      }
    }
  } finally {
    closeSync(descriptor);
  }
}
