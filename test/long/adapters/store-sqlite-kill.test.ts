import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { openSqliteStore } from '../../../src/adapters/store/sqlite/open-sqlite-store.ts';
import { numbered } from '../../adapters/children/numbered.ts';
import { tempFolder } from '../../adapters/temp.ts';
import { ANNA } from '../../contracts/samples.ts';

const CHILD = fileURLToPath(new URL('../../adapters/children/put-until-killed.ts', import.meta.url));
const ROUNDS = 10;

test('SQLite: acknowledged records survive kill -9', async (t) => {
  const file = join(tempFolder(t), 'sluice.db');
  const acknowledged: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const before = acknowledged.length;
    // Each round has other record numbers, and gives the child 20 ms more than the round before.
    acknowledged.push(...(await putUntilKilled(file, round * 1_000_000, 5 + round * 20)));
    assert.ok(acknowledged.length > before, 'the child stored at least one record');

    // The file as another program sees it, before our store opens and perhaps repairs it.
    const db = new Database(file, { readonly: true });
    assert.equal(db.pragma('integrity_check', { simple: true }), 'ok');
    const orphans = 'SELECT count(*) FROM record_bodies WHERE seq NOT IN (SELECT body FROM records)';
    assert.equal(db.prepare(orphans).pluck().get(), 0);
    db.close();
  }
  const store = await openSqliteStore({ file, durability: 'normal' });
  try {
    for (const n of acknowledged) {
      const expected = numbered(n);
      const stored = await store.records.get(expected.id, ANNA);
      assert.equal(stored?.answerJson, expected.answerJson);
      assert.ok(Buffer.from(expected.content!).equals(stored.content!), `content of ${n}`);
    }
  } finally {
    await store.close();
  }
});

/**
 * Starts a process that stores records, and kills it `ms` after the first acknowledgements.
 * @param from the number of the first record @returns the numbers of the acknowledged records
 */
async function putUntilKilled(file: string, from: number, ms: number): Promise<number[]> {
  const child = spawn(process.execPath, [CHILD, file, String(from)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  const closed = once(child, 'close');
  // The line `open` and two records.
  while (out.split('\n').length < 4 && child.exitCode === null) await sleep(2);
  await sleep(ms);
  child.kill('SIGKILL');
  await closed;
  // The first line is `open`. The last one may have been cut short by the kill.
  return out.split('\n').slice(1, -1).map(Number);
}
