/**
 * Measures storing records: records per second, time of the main thread per record, and latency.
 * `node bench/store.ts [seconds] [normal|full]` (the durability)
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore } from '../src/adapters/store/sqlite/open-sqlite-store.ts';
import { uuid7 } from '../src/base/uuid7.ts';
import type { NewRecord } from '../src/domain/record.ts';
import type { Store } from '../src/ports/store.ts';

const seconds = Number(process.argv[2] ?? 3);
const durability = process.argv[3] === 'full' ? 'full' : 'normal';

function sample(content: Uint8Array): NewRecord {
  return {
    id: uuid7(Date.now()),
    userId: '01890000-0000-7000-8000-000000000000',
    keyId: 'abcdefgh12345678',
    createdAt: Date.now(),
    url: 'https://www.example.com/some/path/page.html?x=12345',
    host: 'www.example.com',
    method: 'GET',
    requestedScraper: 'auto',
    scraper: 'http',
    proxyType: 'datacenter',
    httpStatus: 200,
    statusCode: 200,
    outcome: 'ok',
    errorCode: null,
    durationMs: 123.4,
    contentBytes: content.byteLength,
    requestCost: null,
    tags: {},
    hasScreenshot: false,
    requestJson: REQUEST,
    answerJson: ANSWER,
    contentEncoding: 'utf-8',
    content,
    pictures: [],
    files: [],
    contentInBlob: false,
  };
}

const REQUEST = JSON.stringify({ url: 'https://www.example.com/', headers: { a: 'x'.repeat(150) } });
const ANSWER = JSON.stringify({ headers: { b: 'y'.repeat(700) }, router: { c: 'z'.repeat(250) } });

/** Pages of words: about as compressible as HTML. */
function page(length: number): Uint8Array {
  let text = '<!doctype html>';
  for (let i = 0; text.length < length; i++)
    text += `<li class="item"><a href="/p/${i * 7919}">word ${i}</a></li>`;
  return Buffer.from(text.slice(0, length));
}

async function run(store: Store, concurrency: number, content: Uint8Array) {
  const end = performance.now() + seconds * 1000;
  const before = performance.now();
  const busyBefore = performance.eventLoopUtilization();
  const latencies: number[] = [];
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (performance.now() < end) {
        const start = performance.now();
        await store.records.put(sample(content));
        latencies.push(performance.now() - start);
        // A pause, so that the writer thread is asleep when the next record comes, as in an idle service.
        if (concurrency === 1) await new Promise((resolve) => setTimeout(resolve, 1));
      }
    }),
  );
  const elapsed = performance.now() - before;
  const { active } = performance.eventLoopUtilization(busyBefore);
  latencies.sort((a, b) => a - b);
  const quantile = (share: number) => (latencies[Math.floor(latencies.length * share)] ?? 0).toFixed(2);
  const usPerRecord = (ms: number) => ((ms * 1000) / latencies.length).toFixed(1);
  console.log(
    `${concurrency} at once, ${content.byteLength} B: ${Math.round((latencies.length / elapsed) * 1000)} records/s, ` +
      `${usPerRecord(elapsed)} µs each, main thread busy ${usPerRecord(active)} µs each; ` +
      `p50 ${quantile(0.5)} ms, p99 ${quantile(0.99)} ms, max ${(latencies.at(-1) ?? 0).toFixed(1)} ms`,
  );
}

const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
const file = join(folder, 'sluice.db');
const store = await openSqliteStore({ file, durability });
try {
  for (const content of [page(1024), page(30 * 1024)]) {
    for (const concurrency of [1, 50, 200]) {
      await run(store, concurrency, content);
    }
  }
  console.log(
    `database ${(statSync(file).size / 2 ** 20).toFixed(0)} MiB, write-ahead log ${(statSync(`${file}-wal`).size / 2 ** 20).toFixed(0)} MiB`,
  );
} finally {
  await store.close();
  rmSync(folder, { recursive: true });
}
