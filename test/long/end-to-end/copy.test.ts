import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import pg from 'pg';
import { startChild } from '../../helpers/child.ts';
import { apiOf } from '../../helpers/client.ts';
import { noPostgres, type PostgresServer, startPostgres } from '../../helpers/postgres.ts';
import { cleanEnvironment, SLUICE } from '../../helpers/repository.ts';
import { S3_BUCKET, S3_KEY, s3Options } from '../../helpers/s3.ts';
import { eventually, type Service, startService } from '../../helpers/service.ts';
import { createUser } from '../../helpers/users.ts';
import { type Site, startSite } from '../../site/site.ts';

let server: PostgresServer;
let site: Site;

if (noPostgres) test('PostgreSQL', { skip: noPostgres }, () => {});
else {
  before(async () => {
    server = await startPostgres();
    site = await startSite({});
  });
  after(async () => {
    await site?.close();
    await server?.close();
  });
  test('sluice copy: everything answers the same on PostgreSQL, also after a kill', () => copies({}));
  test('sluice copy: large contents go to S3', async () => {
    const { endpoint, prefix } = await s3Options();
    await copies({
      SLUICE_S3_ENDPOINT: endpoint,
      SLUICE_S3_BUCKET: S3_BUCKET,
      SLUICE_S3_ACCESS_KEY_ID: S3_KEY,
      SLUICE_S3_SECRET_ACCESS_KEY: S3_KEY,
      SLUICE_S3_PREFIX: prefix,
    });
  });
}

const json = async (api: Service['api'], path: string) => {
  const { status, body } = await api('GET', path);
  assert.equal(status, 200, `${path}: ${JSON.stringify(body)}`);
  return body as { readonly [member: string]: unknown };
};

/** Scrapes, a job, a monitor, a template, a user with a key. @returns what the API says of them, and the key */
async function fill(service: Service) {
  const small = await service.scrape({ url: `${site.url}/html/1000`, router: { tags: { a: 'b' } } });
  const large = await service.scrape({ url: `${site.url}/html/700000` });
  const failed = await service.scrape({ url: `${site.url}/status/500` });
  const urls = Array.from({ length: 20 }, (_, i) => ({ url: `${site.url}/html/${2000 + i}` }));
  const job = await service.api('POST', '/api/v1/batches/', { body: { requests: urls } });
  assert.equal(job.status, 202, JSON.stringify(job.body));
  const { id: jobId } = job.body as { id: string };
  await eventually(async () => (await json(service.api, `/api/v1/jobs/${jobId}/`)).state === 'done');
  const monitor = await service.api('POST', '/api/v1/monitors/', {
    body: {
      name: 'page',
      request: { url: `${site.url}/html/3000` },
      schedule: { every_s: 86_400 },
      first_run: 'scheduled',
    },
  });
  assert.equal(monitor.status, 201, JSON.stringify(monitor.body));
  const { id: monitorId } = monitor.body as { id: string };
  const runs = `/api/v1/monitors/${monitorId}/runs/`;
  assert.equal((await service.api('POST', `/api/v1/monitors/${monitorId}/run/`)).status, 202);
  await eventually(async () => {
    const { items: all } = (await json(service.api, runs)) as { items: { state: string }[] };
    return all.length > 0 && all.every(({ state }) => state !== 'running');
  });
  const { key } = await createUser(service);
  const bill = '/api/v1/sites/127.0.0.1/bill/';
  // The counters of a site are written from time to time.
  const scrapes = 3 + urls.length + 1;
  await eventually(async () =>
    JSON.stringify(await json(service.api, bill)).includes(`"scrapes":${scrapes},`),
  );
  const paths = [
    `/api/v1/scrape/${small.body.id}/`,
    `/api/v1/scrape/${large.body.id}/`,
    `/api/v1/scrape/${failed.body.id}/`,
    `/api/v1/jobs/${jobId}/`,
    `/api/v1/jobs/${jobId}/results/?limit=50`,
    `/api/v1/monitors/${monitorId}/`,
    runs,
    '/api/v1/users/',
    bill,
    '/api/v1/scrape/?limit=100',
  ];
  return { paths, key, jobId };
}

/** Without what depends on the moment: links with a signature, and when something was last used. */
const steady = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body), (name, value) =>
    /_url$|^url_|last_|seen/.test(name) || (typeof value === 'string' && value.startsWith('http://127.0.0.1'))
      ? null
      : value,
  );

async function answers(api: Service['api'], paths: readonly string[]): Promise<unknown[]> {
  const bodies: unknown[] = [];
  for (const path of paths) bodies.push([path, steady(await json(api, path))]);
  return bodies;
}

async function copies(s3: NodeJS.ProcessEnv): Promise<void> {
  const url = await server.createDatabase();
  await using old = await startService();
  const { paths, key } = await fill(old);
  const expected = await answers(old.api, paths);
  const { dataDir } = old;
  const args = ['copy', '--from', dataDir, '--to', url];
  const refused = await old.cli(args, { env: s3 });
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /another Sluice service is running/);
  await old.stop();

  const env = { ...cleanEnvironment(), ...s3 };
  const killed = startChild(SLUICE, args, { cwd: dataDir, env });
  await eventually(() => !killed.running() || killed.stderr().includes('records: '));
  killed.kill('SIGKILL');
  await killed.exited;
  const secrets = {
    SLUICE_DATABASE_URL: url,
    SLUICE_ENCRYPTION_KEY: readFileSync(join(dataDir, 'encryption-key'), 'utf8').trim(),
    SLUICE_SECRET: readFileSync(join(dataDir, 'secret'), 'utf8').trim(),
    ...s3,
  };
  await assert.rejects(startService(secrets), /sluice copy has not filled the database yet/);
  const copied = await old.cli(args, { env: s3 });
  assert.equal(copied.code, 0, copied.stderr);
  assert.match(copied.stdout, /copied and compared: \d+ rows and 1 large contents/);
  assert.match(copied.stdout, /SLUICE_ENCRYPTION_KEY_FILE: .*encryption-key/);
  const again = await old.cli(args, { env: s3 });
  assert.equal(again.code, 1);
  assert.match(again.stderr, /not empty/);

  await using service = await startService(secrets);
  assert.deepEqual(await answers(service.api, paths), expected);
  const own = await apiOf(service.base, key)('GET', '/api/v1/key/');
  assert.equal(own.status, 200);
  const job = await service.api('POST', '/api/v1/batches/', {
    body: { requests: [{ url: `${site.url}/html/900000` }] },
  });
  const { id } = job.body as { id: string };
  await eventually(async () => (await json(service.api, `/api/v1/jobs/${id}/`)).state === 'done');
  await service.stop();
}

test('sluice copy: refuses what is no database of its own, or has other data', {
  skip: noPostgres,
}, async () => {
  await using old = await startService();
  await old.scrape({ url: `${site.url}/html/1000` });
  const { dataDir } = old;
  await old.stop();
  const run = (to: string, from = dataDir) => old.cli(['copy', '--from', from, '--to', to]);
  const foreign = await server.createDatabase();
  const client = new pg.Client(foreign);
  await client.connect();
  await client.query('CREATE TABLE users (name TEXT)');
  await client.end();
  assert.match((await run(foreign)).stderr, /belongs to another program/);
  assert.match((await run('mysql://localhost/x')).stderr, /must be the URL of a PostgreSQL database/);
  assert.match((await run(foreign, join(dataDir, 'nothing'))).stderr, /no data of Sluice/);
  const missing = await run(`postgres://sluice:hunter2@127.0.0.1:${server.port}/missing`);
  assert.equal(missing.code, 1);
  assert.doesNotMatch(missing.stderr + missing.stdout, /hunter2/);
  const used = await server.createDatabase();
  await (await startService({ SLUICE_DATABASE_URL: used })).end();
  assert.match((await run(used)).stderr, /not empty/);
});
