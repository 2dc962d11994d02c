import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { openDiskBlobStore } from '../../src/adapters/blobs/disk-blob-store.ts';
import { openSqliteStore } from '../../src/adapters/store/sqlite/open-sqlite-store.ts';
import type { RecordStore } from '../../src/ports/store.ts';
import { startRetentionSweep } from '../../src/upkeep/retention-sweep.ts';
import { afterwards, tempFolder } from '../adapters/temp.ts';
import { idAt, record, T0 } from '../contracts/samples.ts';

const PNG = { type: 'image/png', bytes: 7 } as const;
const DAY_MS = 86_400_000;
/** The rounds come every quarter of it, by the real clock. */
const RETENTION_MS = 40;

const KEYS = [idAt(T0 + 1_000), `${idAt(T0 + 1_000)}-0`, `${idAt(T0 + 1_000)}-1`];
/** Blobs that no record names. */
const ORPHANS = [`${idAt(T0 + 1_000)}-2`, `${idAt(T0)}-0`, idAt(T0 + 500)];

/** A sweeper over records of T0 and T0 + 1 s, with a clock that the test moves. */
async function sweeping(t: TestContext) {
  const folder = tempFolder(t);
  const store = await openSqliteStore({ file: join(folder, 'sluice.db'), durability: 'normal' });
  afterwards(t, () => store.close());
  const blobs = await openDiskBlobStore({ dir: join(folder, 'blobs'), durability: 'normal' });
  afterwards(t, () => blobs.close());
  const time = { wall: T0, monotonic: 0 };
  const clock = { now: () => time.wall, monotonic: () => time.monotonic };
  await store.records.put(record(0));
  const pictures = [PNG, PNG];
  await store.records.put(record(1_000, { content: null, contentInBlob: true, pictures }));
  for (const key of KEYS) await blobs.put(key, Buffer.from('large'));
  for (const key of ORPHANS) await blobs.put(key, Buffer.from('lost'));
  const troubles: unknown[] = [];
  let rounds = 0;
  const records: Pick<RecordStore, 'sweep' | 'referencedBlobs'> = {
    sweep(...args) {
      rounds++;
      return store.records.sweep(...args);
    },
    referencedBlobs: (keys) => store.records.referencedBlobs(keys),
  };
  const sweeper = startRetentionSweep({
    profiles: { sweep: async () => {} },
    ...{ records, blobs, clock, retentionMs: RETENTION_MS },
    onError: (error) => troubles.push(error),
  });
  afterwards(t, async () => {
    await sweeper.stop();
    assert.deepEqual(troubles, []);
  });
  /** How many records are left after a round that began now or later. */
  const left = async () => {
    // When the second of the next rounds begins, the first has ended.
    for (const next = rounds + 2; rounds < next; ) await pause(RETENTION_MS / 4);
    return (await store.records.referencedBlobs([idAt(T0 + 1_000)])).length + (await count());
  };
  const count = async () => ((await store.records.get(idAt(T0), null)) === null ? 0 : 1);
  return { time, left, blobs };
}

test('what is older than the retention goes, with its blob', async (t) => {
  const { time, left, blobs } = await sweeping(t);
  assert.equal(await left(), 2);
  time.wall += RETENTION_MS + 1;
  time.monotonic += RETENTION_MS + 1;
  assert.equal(await left(), 1);
  time.wall += 1_000;
  time.monotonic += 1_000;
  assert.equal(await left(), 0);
  for (const key of KEYS) assert.equal(await blobs.get(key), null);
});

test('blobs that no record names go when they are old, and only these', async (t) => {
  const { time, left, blobs } = await sweeping(t);
  // The first round looked: they were young then.
  assert.equal(await left(), 2);
  for (const key of ORPHANS) assert.notEqual(await blobs.get(key), null);
  time.wall += 21 * 60_000;
  time.monotonic += 21 * 60_000;
  await left();
  for (const key of ORPHANS) assert.equal(await blobs.get(key), null, key);
});

test('a clock that leaps 400 days ahead deletes nothing, unless it stays there for a day', async (t) => {
  const { time, left } = await sweeping(t);
  assert.equal(await left(), 2);
  time.wall += 400 * DAY_MS;
  assert.equal(await left(), 2);
  // A blip: back to the truth, and the time that has really passed still counts.
  time.wall = T0 + RETENTION_MS + 1;
  time.monotonic = RETENTION_MS + 1;
  assert.equal(await left(), 1);
  time.wall += 400 * DAY_MS;
  assert.equal(await left(), 1);
  time.wall += DAY_MS;
  time.monotonic += DAY_MS;
  assert.equal(await left(), 0);
});

test('a clock that is set back a day deletes later', async (t) => {
  const { time, left } = await sweeping(t);
  time.wall -= DAY_MS;
  time.monotonic += 10_000;
  assert.equal(await left(), 2);
  time.wall += DAY_MS - 3_600_000;
  time.monotonic += DAY_MS - 3_600_000;
  assert.equal(await left(), 2);
});
