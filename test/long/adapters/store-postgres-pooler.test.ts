import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import { openPostgres } from '../../../src/adapters/postgres/postgres.ts';
import { openPostgresStore } from '../../../src/adapters/store/postgres/open-postgres-store.ts';
import { afterwards } from '../../adapters/temp.ts';
import { accountStoreContract } from '../../contracts/account-store.ts';
import { idempotencyStoreContract } from '../../contracts/idempotency-store.ts';
import { ANNA, filter, record, T0 } from '../../contracts/samples.ts';
import { sessionStoreContract } from '../../contracts/session-store.ts';
import { webhookStoreContract } from '../../contracts/webhook-store.ts';
import { startPgBouncer } from '../../helpers/pgbouncer.ts';
import { type PostgresServer, startPostgres } from '../../helpers/postgres.ts';

let server: PostgresServer;
let pooler: Awaited<ReturnType<typeof startPgBouncer>>;

before(async () => {
  server = await startPostgres();
  pooler = await startPgBouncer(server.port);
});
after(async () => {
  await pooler?.close();
  await server?.close();
});

async function options() {
  const directUrl = await server.createDatabase();
  return { url: pooler.urlOf(directUrl), directUrl, readUrl: null };
}

async function open(t: TestContext) {
  const store = await openPostgresStore(await options());
  afterwards(t, () => store.close());
  return store;
}

accountStoreContract('PgBouncer', open);
sessionStoreContract('PgBouncer', open);
idempotencyStoreContract('PgBouncer', open);
webhookStoreContract('PgBouncer', open);

test('more transactions than the pooler has connections', async (t) => {
  const shared = await options();
  const stores = await Promise.all(
    [1, 2, 3].map(async () => {
      const store = await openPostgresStore(shared);
      afterwards(t, () => store.close());
      return store;
    }),
  );
  const count = (n: number) => ({
    userId: ANNA,
    step: 60,
    at: T0,
    kind: 'error' as const,
    name: `e${n % 3}`,
    count: 1,
  });
  await Promise.all(
    Array.from({ length: 150 }, async (_, n) => {
      const store = stores[n % 3]!;
      await Promise.all([
        store.records.put(record(n)),
        store.stats.add([count(n)]),
        store.experience.put('site', [{ name: `site${n % 7}`, at: n, data: '{}' }]),
      ]);
    }),
  );
  const { items } = await stores[0]!.records.list(filter(), 200, null);
  assert.equal(items.length, 150);
  const { errors } = await stores[1]!.stats.read({ userId: ANNA, step: 60, at: [T0] });
  assert.deepEqual(
    errors.map((error) => error.count),
    [50, 50, 50],
  );
});

test('notifications come past the pooler', async (t) => {
  const postgres = openPostgres(await options());
  afterwards(t, () => postgres.close());
  const received = Promise.withResolvers<string>();
  await new Promise<void>((resolve) => postgres.listen('news', received.resolve, resolve));
  await postgres.write([['SELECT pg_notify(?, ?)', ['news', 'hello']]]);
  assert.equal(await received.promise, 'hello');
});
