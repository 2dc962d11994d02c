import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import pg from 'pg';
import { afterwards, tempFolder } from '../../adapters/temp.ts';
import { startMadeSite } from '../../helpers/made-site.ts';
import { emptyDatabase } from '../../helpers/postgres.ts';
import { startService } from '../../helpers/service.ts';

const KEY = Buffer.alloc(32, 7).toString('base64');
const SECRET = 'the same secret for all services';

test('services with one database share records, and refuse other keys', async (t) => {
  const SLUICE_DATABASE_URL = await emptyDatabase();
  const env = { SLUICE_DATABASE_URL, SLUICE_ENCRYPTION_KEY: KEY, SLUICE_SECRET: SECRET };
  const services = await Promise.all([startService(env), startService(env)]);
  for (const service of services) afterwards(t, () => service.end());
  const [first, second] = services as [(typeof services)[0], (typeof services)[0]];
  const site = await startMadeSite(() => '<p>Hello');
  afterwards(t, () => site[Symbol.asyncDispose]());

  const scraped = await first.scrape({ url: `${site.url}/`, scraper: 'http' });
  assert.equal(scraped.status, 200);
  const path = `/api/v1/scrape/${scraped.body.id}/`;
  assert.equal((await second.api('GET', path)).status, 200);
  assert.equal((await second.api('DELETE', path)).status, 204);
  assert.equal((await first.api('GET', path)).status, 404);

  await assert.rejects(
    startService({ ...env, SLUICE_ENCRYPTION_KEY: Buffer.alloc(32, 8).toString('base64') }),
    /lacks the encryption key [0-9a-f]{8}/,
  );

  const migrated = await first.cli(['migrate']);
  assert.match(migrated.stdout, /up to date/);
  const file = join(tempFolder(t), 'copy.file');
  const backedUp = await first.cli(['backup', file]);
  assert.match(backedUp.stderr, /pg_dump/);
  const restored = await first.cli(['restore', file]);
  assert.match(restored.stderr, /pg_restore|no such file|not exist/i);
  assert.deepEqual([backedUp.code, restored.code], [1, 1]);
  const keys = await first.cli(['keys', 'list']);
  assert.equal(keys.code, 0, keys.stderr);
});

test('a server that is older than PostgreSQL 14 is refused by its version', async () => {
  const url = await emptyDatabase();
  const client = new pg.Client(url);
  await client.connect();
  // The server says that it is an older one to whoever asks in this database.
  await client.query(`CREATE FUNCTION public.current_setting(name TEXT) RETURNS TEXT LANGUAGE sql AS
$$ SELECT CASE name WHEN 'server_version_num' THEN '130022' WHEN 'server_version' THEN '13.22' END $$`);
  const name = new URL(url).pathname.slice(1);
  await client.query(`ALTER DATABASE ${pg.escapeIdentifier(name)} SET search_path = public, pg_catalog`);
  await client.end();
  const env = { SLUICE_DATABASE_URL: url, SLUICE_ENCRYPTION_KEY: KEY, SLUICE_SECRET: SECRET };
  await assert.rejects(
    startService(env),
    /exit code 1.*the server is PostgreSQL 13\.22; Sluice needs version 14 or newer/s,
  );
});
