import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import {
  openPostgres,
  type Postgres,
  withDirectConnection,
} from '../../../src/adapters/postgres/postgres.ts';
import { ConflictError, StorageError } from '../../../src/ports/store.ts';
import { startHoldingProxy } from '../../helpers/holding-proxy.ts';
import { noPostgres, type PostgresServer, startPostgres } from '../../helpers/postgres.ts';

describe('connections to PostgreSQL', { skip: noPostgres }, () => {
  let server: PostgresServer;
  const opened: Postgres[] = [];

  async function open(options: { readonly pooled?: boolean } = {}) {
    server ??= await startPostgres();
    const url = await server.createDatabase();
    const database = openPostgres({ url, directUrl: options.pooled ? url : null, readUrl: null });
    opened.push(database);
    await database.write([['CREATE TABLE things (id BIGINT PRIMARY KEY, name TEXT, bytes BYTEA)', []]]);
    return { database, url };
  }

  after(async () => {
    await Promise.all(opened.map((database) => database.close()));
    await server?.close();
  });

  for (const pooled of [false, true]) {
    test(`values come back as SQLite returns them${pooled ? ', behind a pooler' : ''}`, async () => {
      const { database } = await open({ pooled });
      const bytes = Uint8Array.of(0, 255);
      await database.write([
        ['INSERT INTO things (id, name, bytes) VALUES (?, ?, ?)', [9_007_199_254_740_991, 'a\0b', bytes]],
      ]);
      const [{ rows } = { rows: [] }] = await database.read([
        [
          'SELECT id, name, bytes, name IS NOT NULL AS is_named, (SELECT sum(id) FROM things) AS total FROM things WHERE id = $1',
          [9_007_199_254_740_991],
        ],
      ]);
      assert.deepEqual(rows, [
        {
          id: 9_007_199_254_740_991,
          name: 'a\uFFFDb',
          bytes,
          is_named: 1,
          total: 9_007_199_254_740_991,
        },
      ]);
    });
  }

  test('statements of one call are one transaction', async () => {
    const { database } = await open();
    const insert = (id: number) => ['INSERT INTO things (id) VALUES (?)', [id]] as const;
    await assert.rejects(database.write([insert(1), insert(1)]), ConflictError);
    await assert.rejects(
      database.transaction(async (connection) => {
        await connection.run('INSERT INTO things (id) VALUES (2)');
        throw new RangeError('a bug');
      }),
      RangeError,
    );
    const [result] = await database.read([['SELECT count(*) AS count FROM things', []]]);
    assert.deepEqual(result!.rows, [{ count: 0 }]);
  });

  test('transactions that block one another are run again', async () => {
    const { database } = await open();
    await database.write([['INSERT INTO things (id) VALUES (1), (2)', []]]);
    const touch = async (first: number, second: number) =>
      database.transaction(async ({ run }) => {
        await run('UPDATE things SET name = ? WHERE id = ?', ['x', first]);
        await new Promise((resolve) => setTimeout(resolve, 100));
        await run('UPDATE things SET name = ? WHERE id = ?', ['x', second]);
      });
    await Promise.all([touch(1, 2), touch(2, 1)]);
  });

  test('a server that restarts: calls fail meanwhile, and succeed afterwards', async () => {
    const own = await startPostgres();
    const url = await own.createDatabase();
    const database = openPostgres({ url, directUrl: null, readUrl: null });
    const messages: string[] = [];
    let connections = 0;
    database.listen(
      'news',
      (payload) => messages.push(payload),
      () => connections++,
    );
    try {
      await database.write([['SELECT 1', []]]);
      for (const how of ['fast', 'immediate'] as const) {
        await own.stop(how);
        await assert.rejects(database.write([['SELECT 1', []]]), StorageError);
        const before = connections;
        await own.start();
        await database.write([['SELECT 1', []]]);
        while (connections === before) await new Promise((resolve) => setTimeout(resolve, 20));
        await database.write([['SELECT pg_notify(?, ?)', ['news', how]]]);
        // A server that stops at once does not deliver what it has taken.
        while (messages.at(-1) !== how) await new Promise((resolve) => setTimeout(resolve, 20));
      }
      assert.deepEqual(messages, ['fast', 'immediate']);
    } finally {
      await database.close();
      await own.close();
    }
  });

  test('the locks of a process that is cut off in a transaction end', async () => {
    const { database, url } = await open();
    await database.write([['INSERT INTO things (id, name) VALUES (1, ?)', ['before']]]);
    await using network = await startHoldingProxy(server.port);
    const throughNetwork = url.replace(`:${server.port}/`, `:${network.port}/`);
    const cutOff = openPostgres({ url: throughNetwork, directUrl: null, readUrl: null, queryTimeoutMs: 500 });
    const failing = cutOff.transaction(async ({ run }) => {
      await run('UPDATE things SET name = ? WHERE id = 1', ['never']);
      network.hold();
      await run('SELECT 1');
    });
    await assert.rejects(failing, StorageError);
    // Longer than the transaction may stand still, and not longer than a query may take.
    await database.write([['UPDATE things SET name = ? WHERE id = 1', ['after']]]);
    network.release();
    await cutOff.close();
  });

  test('a transaction in which the process stands still is ended, and run again from its beginning', async () => {
    const { database } = await open();
    await database.write([['INSERT INTO things (id, name) VALUES (1, ?)', ['']]]);
    let tries = 0;
    const rename = database.transaction(async ({ run }) => {
      const [{ pid }] = (await run('SELECT pg_backend_pid() AS pid')).rows as [{ pid: number }];
      await run('UPDATE things SET name = name || ? WHERE id = 1', ['x']);
      if (++tries > 1) return;
      // Others need the row meanwhile.
      await database.write([['UPDATE things SET name = name || ? WHERE id = 1', ['other ']]]);
      const alive = ['SELECT count(*) AS n FROM pg_stat_activity WHERE pid = ?', [pid]] as const;
      while (((await database.read([alive]))[0]!.rows as [{ n: number }])[0].n > 0)
        await new Promise((resolve) => setTimeout(resolve, 20));
    });
    await rename;
    assert.equal(tries, 2);
    const [result] = await database.read([['SELECT name FROM things WHERE id = 1', []]]);
    assert.deepEqual(result!.rows, [{ name: 'other x' }]);
  });

  test('a direct connection keeps locks of its session', async () => {
    const { url } = await open();
    const order: string[] = [];
    const locked = (name: string) =>
      withDirectConnection({ url, directUrl: null }, async ({ run }) => {
        await run('SELECT pg_advisory_lock(1)');
        order.push(`${name} begins`);
        await new Promise((resolve) => setTimeout(resolve, 50));
        order.push(`${name} ends`);
      });
    await Promise.all([locked('a'), locked('b')]);
    assert.equal(order[0]!.split(' ')[0], order[1]!.split(' ')[0]);
  });
});
