/** Stores records until it is killed. Writes `open` to stdout, then the number of each acknowledged record. */
import { writeSync } from 'node:fs';
import { openSqliteStore } from '../../../src/adapters/store/sqlite/open-sqlite-store.ts';
import { numbered } from './numbered.ts';

const [file, from] = [process.argv[2]!, Number(process.argv[3])];
const store = await openSqliteStore({ file, durability: 'normal' });
let next = from;
writeSync(1, 'open\n');

async function putOneByOne(): Promise<void> {
  for (;;) {
    const n = next++;
    await store.records.put(numbered(n));
    writeSync(1, `${n}\n`);
  }
}

await Promise.all(Array.from({ length: 8 }, putOneByOne));
