import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import { openPostgresBlobStore } from '../../src/adapters/blobs/postgres-blob-store.ts';
import { openPostgres } from '../../src/adapters/postgres/postgres.ts';
import { migratePostgres } from '../../src/adapters/store/postgres/migrate.ts';
import { StorageError } from '../../src/ports/store.ts';
import { blobStoreContract } from '../contracts/blob-store.ts';
import { idAt, T0 } from '../contracts/samples.ts';
import { noPostgres, type PostgresServer, startPostgres } from '../helpers/postgres.ts';
import { afterwards, noise } from './temp.ts';

let server: PostgresServer;

if (noPostgres) test('PostgreSQL', { skip: noPostgres }, () => {});
else {
  before(async () => {
    server = await startPostgres();
  });
  after(() => server?.close());
  blobStoreContract('PostgreSQL', async (t) => (await open(t)).blobs);
  ownTests();
}

async function open(t: TestContext) {
  const options = { url: await server.createDatabase(), directUrl: null, readUrl: null };
  await migratePostgres(options);
  const postgres = openPostgres(options);
  const blobs = openPostgresBlobStore(postgres);
  afterwards(t, () => postgres.close());
  afterwards(t, () => blobs.close());
  return { postgres, blobs };
}

function ownTests(): void {
  test('postgres blobs: 60 MB in rows of 1 MiB, and back byte for byte', async (t) => {
    const { postgres, blobs } = await open(t);
    const bytes = noise(1, 60_000_000);
    await blobs.put('abc', bytes);
    assert.ok(Buffer.from((await blobs.get('abc'))!).equals(bytes));
    const [result] = await postgres.read([
      ['SELECT count(*) AS n, max(octet_length(bytes)) AS size FROM blob_chunks', []],
    ]);
    assert.deepEqual(result!.rows, [{ n: 58, size: 2 ** 20 }]);
  });

  test('postgres blobs: keys of more than one page', async (t) => {
    const { blobs } = await open(t);
    const keys = Array.from({ length: 1_005 }, (_, i) => idAt(T0, i));
    for (let from = 0; from < keys.length; from += 67)
      await Promise.all(keys.slice(from, from + 67).map((key) => blobs.put(key, Buffer.from('x'))));
    assert.deepEqual((await Array.fromAsync(blobs.keys())).toSorted(), keys.toSorted());
  });

  test('postgres blobs: a transaction that is cut leaves nothing', async (t) => {
    const { postgres, blobs } = await open(t);
    const put = blobs.put('abc', noise(2, 30_000_000));
    put.catch(() => {});
    const cut = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE datname = current_database() AND query LIKE 'INSERT INTO blob_chunks%' AND pid <> pg_backend_pid()`;
    let isCut = false;
    while (!isCut) isCut = (await postgres.read([[cut, []]]))[0]!.rows.length > 0;
    await assert.rejects(put, StorageError);
    assert.equal(await blobs.get('abc'), null);
    assert.equal(await blobs.usage(), 0);
    await blobs.put('abc', Buffer.from('x'));
    assert.equal((await blobs.get('abc'))!.length, 1);
  });

  test('postgres blobs: a damaged row is a StorageError, not wrong bytes', async (t) => {
    const { postgres, blobs } = await open(t);
    await blobs.put('abc', noise(3, 3_000_000));
    await postgres.write([['DELETE FROM blob_chunks WHERE n = 1', []]]);
    await assert.rejects(blobs.get('abc'), StorageError);
  });
}
