/**
 * What reading the history costs in a database of a million records (of one user, the worst case), and what a
 * sweep takes from the writer. `node bench/store-history.ts [records]`; prints figures, asserts nothing.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore } from '../src/adapters/store/sqlite/open-sqlite-store.ts';
import type { RecordFilter } from '../src/domain/record.ts';
import { ANNA, filter, idAt, record, T0 } from '../test/contracts/samples.ts';

const total = Number(process.argv[2] ?? 1_000_000);
const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
const file = join(folder, 'sluice.db');
const store = await openSqliteStore({ file, durability: 'normal' });

async function timed(name: string, work: () => Promise<unknown>): Promise<void> {
  const times: number[] = [];
  for (let i = 0; i < 5; i++) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  console.log(`${name}: ${times[2]!.toFixed(1)} ms (median of 5, worst ${times[4]!.toFixed(1)})`);
}

try {
  for (let n = 0; n < total; n += 1000) {
    await Promise.all(
      Array.from({ length: 1000 }, (_, i) =>
        store.records.put(
          record(n + i, {
            host: `host-${(n + i) % 5000}.example`,
            tags: (n + i) % 4 ? {} : { team: 'blue' },
          }),
        ),
      ),
    );
  }
  console.log(`${total} records, ${(statSync(file).size / 2 ** 20).toFixed(0)} MiB`);
  const list = (change: Partial<RecordFilter>, after: string | null = null) =>
    store.records.list(filter(change), 50, after);
  await timed('newest page of a user', () => list({}));
  await timed('newest page of everybody', () => list({ userId: null }));
  await timed('page in the middle', () => list({}, idAt(T0 + total / 2)));
  await timed('a window of time in the past', () => list({ from: T0 + 1000, to: T0 + 2000 }));
  await timed('a host with 1 in 5,000', () => list({ host: 'host-77.example' }));
  await timed('a host that is not there: all rows of the user', () => list({ host: 'none.example' }));
  await timed('an error code that is not there', () => list({ errorCode: 'connect.refused' }));
  await timed('a tag that is not there', () => list({ tag: { name: 'team', value: 'red' } }));
  await timed('a host that is not there, everybody', () => list({ userId: null, host: 'none.example' }));
  await timed('one record with content', () => store.records.get(idAt(T0 + 4321), ANNA));
  await timed('a sweep of 500', () => store.records.sweep(T0 + total, 500));
  await timed('a backup', async () => {
    const to = join(folder, 'backup');
    await store.backup(to);
    rmSync(to);
  });
} finally {
  await store.close();
  rmSync(folder, { recursive: true });
}
