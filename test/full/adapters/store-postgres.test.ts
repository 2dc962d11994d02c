import assert from 'node:assert/strict';
import { after, before, describe, type TestContext, test } from 'node:test';
import { withDirectConnection } from '../../../src/adapters/postgres/postgres.ts';
import { migratePostgres } from '../../../src/adapters/store/postgres/migrate.ts';
import { openPostgresStore } from '../../../src/adapters/store/postgres/open-postgres-store.ts';
import type { PostgresMigration } from '../../../src/adapters/store/schema/migrations/postgres/postgres-migration.ts';
import { POSTGRES_MIGRATIONS } from '../../../src/adapters/store/schema/postgres-migrations.ts';
import { ConflictError, StorageError } from '../../../src/ports/store.ts';
import { afterwards } from '../../adapters/temp.ts';
import { ANNA, BERT, filter, idAt, record, T0, user } from '../../contracts/samples.ts';
import { emptyDatabase, type PostgresServer, startPostgres } from '../../helpers/postgres.ts';
import { eventually } from '../../helpers/service.ts';

const DAY_MS = 86_400_000;
const NEWEST = POSTGRES_MIGRATIONS.at(-1)!.version;

const urlOf = async () => ({ url: await emptyDatabase(), directUrl: null, readUrl: null });

async function open(t: TestContext, options: Parameters<typeof openPostgresStore>[0]) {
  const store = await openPostgresStore(options);
  afterwards(t, () => store.close());
  return store;
}

/** Runs one statement on the database, as an operator would. */
const run = (url: string, sql: string) =>
  withDirectConnection({ url, directUrl: null }, async (connection) => (await connection.run(sql)).rows);

describe('schema on PostgreSQL', () => {
  const next = (isCompatible: boolean): PostgresMigration => ({
    version: NEWEST + 1,
    name: 'next',
    isCompatible,
    statements: ['CREATE TABLE next_thing (id BIGINT PRIMARY KEY)'],
  });

  test('several processes that start at once migrate once', async () => {
    const { url } = await urlOf();
    const options = { url, directUrl: null };
    const all = await Promise.all([1, 2, 3, 4].map(() => migratePostgres(options)));
    assert.ok(all.every(({ to }) => to === NEWEST));
    const versions = await run(url, 'SELECT version FROM sluice_schema');
    assert.deepEqual(versions, [{ version: NEWEST }]);
    assert.deepEqual(await migratePostgres(options), { from: NEWEST, to: NEWEST });
  });

  test('a process that waits for another one to migrate says so', async () => {
    const { url } = await urlOf();
    const options = { url, directUrl: null };
    await migratePostgres(options);
    const logged = Promise.withResolvers<object>();
    let waiting: Promise<object> | undefined;
    await withDirectConnection(options, async (other) => {
      // As the process does that migrates.
      await other.run(`SELECT pg_advisory_lock(${0x536c6365}, 1)`);
      waiting = migratePostgres({
        ...options,
        migrations: [...POSTGRES_MIGRATIONS, next(true)],
        log: (event, fields) => logged.resolve({ event, ...fields }),
      });
      assert.deepEqual(await logged.promise, { event: 'store.migrating', from: NEWEST, to: NEWEST + 1 });
    });
    assert.deepEqual(await waiting, { from: NEWEST, to: NEWEST + 1 });
  });

  test('while a migration cannot lock a table, others go on to use it', async () => {
    const options = { ...(await urlOf()), directUrl: null };
    await migratePostgres(options);
    const change = { ...next(true), statements: ['ALTER TABLE users ADD COLUMN note TEXT'] };
    const count = 'SELECT count(*) AS count FROM users';
    let migrated: Promise<object> | undefined;
    await withDirectConnection(options, async (reader) => {
      await reader.run('BEGIN');
      await reader.run(count);
      migrated = migratePostgres({ ...options, migrations: [...POSTGRES_MIGRATIONS, change] });
      const waits = `SELECT 1 FROM pg_locks WHERE relation = 'users'::regclass AND NOT granted`;
      await eventually(async () => (await run(options.url, waits)).length > 0);
      // It ends before the reader does, which a queue behind the migration would not allow.
      assert.deepEqual(await run(options.url, count), [{ count: 0 }]);
      await reader.run('COMMIT');
    });
    assert.deepEqual(await migrated, { from: NEWEST, to: NEWEST + 1 });
  });

  test('a newer schema is refused, unless it is marked as compatible', async (t) => {
    const compatible = await urlOf();
    const before = await open(t, compatible);
    await migratePostgres({ ...compatible, migrations: [...POSTGRES_MIGRATIONS, next(true)] });
    await before.records.put(record(1));
    const beside = await open(t, compatible);
    assert.notEqual(await beside.records.get(idAt(T0 + 1), ANNA), null);

    const incompatible = await urlOf();
    await migratePostgres({ ...incompatible, migrations: [...POSTGRES_MIGRATIONS, next(false)] });
    await assert.rejects(openPostgresStore(incompatible), (error) => {
      assert.ok(error instanceof StorageError);
      assert.match(error.message, new RegExp(`newer Sluice: its schema has version ${NEWEST + 1}`));
      return true;
    });
  });

  test('the database of another program is left alone', async () => {
    const options = await urlOf();
    await run(options.url, 'CREATE TABLE users (name TEXT)');
    await assert.rejects(openPostgresStore(options), /another program/);
    assert.deepEqual(await run(options.url, `SELECT to_regclass('records')::text AS found`), [
      { found: null },
    ]);
  });
});

describe('records on PostgreSQL', () => {
  const partitions = async (url: string) =>
    (
      (await run(
        url,
        `SELECT c.relname::text AS name FROM pg_inherits JOIN pg_class AS c ON c.oid = inhrelid
WHERE inhparent IN ('records'::regclass, 'record_bodies'::regclass) ORDER BY 1`,
      )) as { name: string }[]
    ).map(({ name }) => name);

  test('one that cannot be stored is refused alone', async (t) => {
    const { records } = await open(t, await urlOf());
    await records.put(record(2));
    const results = await Promise.allSettled([
      records.put(record(1)),
      records.put(record(2)),
      records.put(record(3, { httpStatus: 2 ** 40 })),
      records.put(record(4, { id: 'x' })),
      records.put(record(5)),
    ]);
    const reasons = results.map((result) =>
      result.status === 'rejected' ? result.reason.constructor : null,
    );
    assert.deepEqual(reasons, [null, ConflictError, StorageError, TypeError, null]);
    const { items } = await records.list(filter(), 10, null);
    assert.deepEqual(
      items.map(({ createdAt }) => createdAt - T0),
      [5, 2, 1],
    );
  });

  test('a text may have NUL and halves of surrogates, also as a tag', async (t) => {
    const { records } = await open(t, await urlOf());
    const odd = { errorCode: 'a\0b', answerJson: 'x\0y', tags: { 'n\0': 'v\ud800', team: 'red' } };
    await records.put(record(1, odd));
    await records.put(record(2, { tags: { team: 'red' } }));
    const stored = await records.get(idAt(T0 + 1), ANNA);
    assert.deepEqual(
      { errorCode: stored?.errorCode, answerJson: stored?.answerJson, tags: stored?.tags },
      { ...odd, errorCode: 'a\ufffdb' },
    );
    const { items } = await records.list(filter({ tag: { name: 'team', value: 'red' } }), 10, null);
    assert.equal(items.at(0)?.id, idAt(T0 + 2));
  });

  test('each day has a partition, which is dropped when all in it has expired and no job needs it', async (t) => {
    const options = await urlOf();
    let now = T0;
    const { records } = await open(t, { ...options, now: () => now });
    const dayNames = ['20260102', '20260103', '20260104', '20260105'];
    const expected = (days: readonly string[]) =>
      ['record_bodies', 'records'].flatMap((table) => [...days, 'default'].map((day) => `${table}_${day}`));
    assert.deepEqual(await partitions(options.url), expected(dayNames));

    for (let n = 0; n < 20; n++) await records.put(record(n));
    await records.put(record(20, { content: null, contentInBlob: true }));
    await records.put(record(DAY_MS));
    await run(
      options.url,
      'CREATE FUNCTION no_delete() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$',
    );
    // A blob must be told first.
    now = T0 + 3 * DAY_MS;
    const swept = await records.sweep(T0 + DAY_MS, 500);
    assert.deepEqual(swept, { deleted: 21, blobs: [idAt(T0 + 20)] });
    assert.ok((await partitions(options.url)).includes('records_20260108'));
    await records.sweep(T0 + DAY_MS, 500);
    assert.ok(!(await partitions(options.url)).includes('records_20260102'));
    assert.ok((await partitions(options.url)).includes('records_20260103'));
    // No row is deleted one by one.
    await run(
      options.url,
      'CREATE TRIGGER kept BEFORE DELETE ON records_20260103 FOR EACH ROW EXECUTE FUNCTION no_delete()',
    );
    assert.deepEqual(await records.sweep(T0 + 3 * DAY_MS, 500), { deleted: 0, blobs: [] });
    assert.ok(!(await partitions(options.url)).includes('records_20260103'));
    assert.deepEqual((await records.list(filter({ userId: null }), 10, null)).items, []);
  });

  test('lists are read from the replica, single records from the database itself', async (t) => {
    const options = await urlOf();
    const other = await urlOf();
    await (await openPostgresStore(other)).close();
    const { records } = await open(t, { ...options, readUrl: other.url });
    await records.put(record(1));
    assert.deepEqual((await records.list(filter(), 10, null)).items, []);
    assert.notEqual(await records.get(idAt(T0 + 1), ANNA), null);
  });
});

describe('several stores on one PostgreSQL', () => {
  test('of two administrators who step down at once, one stays', async (t) => {
    const options = await urlOf();
    const stores = await Promise.all([open(t, options), open(t, options)]);
    const [{ accounts }] = stores;
    await accounts.insertUser(user({ role: 'admin' }));
    await accounts.insertUser(user({ id: BERT, email: 'bert@example.com', role: 'admin' }));
    for (let round = 0; round < 20; round++) {
      const stepped = await Promise.all(
        [ANNA, BERT].map((id, n) =>
          stores[n]!.accounts.updateUser(id, { role: 'user' }, undefined, { otherAdmin: true }),
        ),
      );
      assert.equal(stepped.filter((done) => done).length, 1, `round ${round}`);
      for (const id of [ANNA, BERT]) await accounts.updateUser(id, { role: 'admin' });
    }
  });

  test('counts add up, and nobody waits for another in a circle', async (t) => {
    const options = await urlOf();
    const stores = await Promise.all([open(t, options), open(t, options), open(t, options)]);
    const hosts = Array.from({ length: 40 }, (_, n) => `host${n}.example`);
    const counts = (names: readonly string[]) =>
      names.map((name) => ({ userId: null, step: 60, at: T0, kind: 'error' as const, name, count: 1 }));
    await Promise.all(
      stores.flatMap(({ stats }, n) =>
        Array.from({ length: 20 }, () => stats.add(counts(n === 0 ? hosts : hosts.toReversed()))),
      ),
    );
    const { errors } = await stores[0]!.stats.read({ userId: null, step: 60, at: [T0] });
    assert.ok(errors.every(({ count }) => count === 60));
  });
});

describe('PostgreSQL that fails', () => {
  let server: PostgresServer;
  before(async () => {
    server = await startPostgres();
  });
  after(() => server.close());

  test('what was acknowledged survives its crash; errors come at once, and it comes back by itself', async (t) => {
    const options = { url: await server.createDatabase(), directUrl: null, readUrl: null };
    const store = await open(t, options);
    const stored: string[] = [];
    let failures = 0;
    let stopping = false;
    let n = 0;
    const writer = async () => {
      while (!stopping) {
        const one = record(n++);
        try {
          await store.records.put(one);
          stored.push(one.id);
        } catch (error) {
          assert.ok(error instanceof StorageError, String(error));
          failures++;
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
      }
    };
    const writers = [1, 2, 3, 4].map(writer);
    await until(() => stored.length > 50);
    for (const how of ['immediate', 'fast'] as const) {
      const failuresBefore = failures;
      await server.stop(how);
      await until(() => failures > failuresBefore);
      await assert.rejects(store.check(), StorageError);
      await assert.rejects(store.records.get(idAt(T0), ANNA), StorageError);
      await server.start();
      const storedBefore = stored.length;
      await until(() => stored.length > storedBefore + 50);
    }
    stopping = true;
    await Promise.all(writers);
    await store.check();
    for (const id of stored) assert.notEqual(await store.records.get(id, ANNA), null, id);
  });

  test('a server that is not there is told by name', async () => {
    await assert.rejects(
      openPostgresStore({ url: 'postgres://sluice@127.0.0.1:1/x', directUrl: null, readUrl: null }),
      (error) => error instanceof StorageError && /ECONNREFUSED/.test(error.message),
    );
  });
});

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
}
