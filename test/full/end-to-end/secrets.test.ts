import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import Database from 'better-sqlite3';
import { runChild } from '../../helpers/child.ts';
import { cleanEnvironment, SLUICE } from '../../helpers/repository.ts';
import { eventually, type Service, startService } from '../../helpers/service.ts';
import { useSite } from '../../helpers/use-site.ts';
import { profileKey } from '../../helpers/visitor.ts';

const PASSWORD = 'Basic a-password-of-the-target';
const newKey = (): string => randomBytes(32).toString('base64');

describe('stored secrets', () => {
  const site = useSite();
  let dir: string;
  before(() => {
    dir = mkdtempSync(join(tmpdir(), 'sluice-secrets-'));
  });
  after(() => rmSync(dir, { recursive: true, force: true }));

  const cli = (dataDir: string, words: readonly string[], env: NodeJS.ProcessEnv = {}) =>
    runChild(SLUICE, [...words], { env: { ...cleanEnvironment(), SLUICE_DATA_DIR: dataDir, ...env } });

  /** Starts a batch whose items wait, because the job is paused at once. */
  async function pausedBatch(service: Service): Promise<string> {
    const { status, body } = await service.api<{ id: string }>('POST', '/api/v1/batches/', {
      body: {
        requests: Array.from({ length: 3 }, (_, n) => ({
          url: `${site.url}/slow?n=${n}`,
          headers: { Authorization: PASSWORD },
        })),
        defaults: { scraper: 'http' },
        concurrency: 1,
      },
    });
    assert.equal(status, 202);
    await service.api('POST', `/api/v1/jobs/${body.id}/pause/`);
    await eventually(async () => {
      const task = await service.api<{ counts: { running: number } }>('GET', `/api/v1/jobs/${body.id}/`);
      return task.body.counts.running === 0;
    });
    return body.id;
  }

  async function finish(service: Service, id: string): Promise<void> {
    await service.api('POST', `/api/v1/jobs/${id}/resume/`);
    await eventually(async () => {
      const { body } = await service.api<{ state: string; counts: { ok: number } }>(
        'GET',
        `/api/v1/jobs/${id}/`,
      );
      return body.state === 'done' && body.counts.ok === 3;
    });
  }

  /** The files of the database, in which the password must not be found. */
  const holdsPassword = (dataDir: string): boolean =>
    ['sluice.db', 'sluice.db-wal'].some((name) => {
      try {
        return readFileSync(join(dataDir, name)).includes('a-password-of-the-target');
      } catch {
        return false;
      }
    });

  test('the key is made in the data folder, for its owner alone; a new one takes its place', async () => {
    const dataDir = join(dir, 'own');
    let id: string;
    {
      await using service = await startService({}, { dataDir });
      id = await pausedBatch(service);
      assert.equal(holdsPassword(dataDir), false);
      const busy = await cli(dataDir, ['secrets', 'rotate', '--new-key']);
      assert.notEqual(busy.code, 0, 'the running service would not know the key');
    }
    const file = join(dataDir, 'encryption-key');
    assert.equal(statSync(file).mode & 0o777, 0o600);
    const [oldKey] = readFileSync(file, 'utf8').split('\n');
    const before = await cli(dataDir, ['secrets', 'list']);
    assert.match(before.stdout, /^[0-9a-f]{8}\tnewest\t3 requests of items of jobs, 1 requests of jobs\n$/);
    const rotated = await cli(dataDir, ['secrets', 'rotate', '--new-key']);
    assert.equal(rotated.code, 0, rotated.stderr);
    assert.match(
      rotated.stdout,
      /^4 values were encrypted with the key [0-9a-f]{8}\nno longer needed.*: [0-9a-f]{8}\n$/,
    );
    const lines = readFileSync(file, 'utf8').trim().split('\n');
    assert.equal(lines.length, 2);
    assert.equal(lines[1], oldKey);
    assert.notEqual(lines[0], oldKey);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.match((await cli(dataDir, ['secrets', 'rotate'])).stdout, /^0 values were encrypted/);
    await using service = await startService({}, { dataDir });
    await finish(service, id);
  });

  test('keys of the environment: rotated while the service runs; a missing one is refused by its name', async () => {
    const dataDir = join(dir, 'environment');
    const [first, second] = [newKey(), newKey()];
    const keys = (...list: string[]) => ({ SLUICE_ENCRYPTION_KEY: list.join(',') });
    let id: string;
    {
      await using service = await startService(keys(first), { dataDir });
      id = await pausedBatch(service);
    }
    const idOfFirst = (await cli(dataDir, ['secrets', 'list'], keys(first))).stdout.slice(0, 8);
    const refused = await cli(dataDir, ['serve'], { ...keys(second), SLUICE_PORT: '0' });
    assert.notEqual(refused.code, 0);
    assert.match(
      refused.stderr,
      new RegExp(
        `SLUICE_ENCRYPTION_KEY lacks the encryption key ${idOfFirst}, .*3 × requests of items of jobs`,
      ),
    );
    assert.ok(!refused.stderr.includes(first) && !refused.stderr.includes(second));
    const listed = await cli(dataDir, ['secrets', 'list'], keys(second));
    assert.match(listed.stdout, new RegExp(`\\tnewest\\tnothing\\n${idOfFirst}\\tMISSING\\t`));
    assert.match(
      (await cli(dataDir, ['secrets', 'rotate', '--new-key'], keys(second, first))).stderr,
      /openssl/,
    );
    {
      await using _service = await startService(keys(second, first), { dataDir });
      const rotated = await cli(dataDir, ['secrets', 'rotate'], keys(second, first));
      assert.equal(rotated.code, 0, rotated.stderr);
      assert.match(rotated.stdout, new RegExp(`^4 values .*\\nno longer needed.*: ${idOfFirst}`));
    }
    await using service = await startService(keys(second), { dataDir });
    await finish(service, id);
  });

  test('a restore without the key says which one is needed; what a lost key encrypts can be deleted', async () => {
    const [dataDir, elsewhere, backup] = [join(dir, 'a'), join(dir, 'b'), join(dir, 'backup')];
    {
      await using service = await startService({}, { dataDir });
      await pausedBatch(service);
      assert.equal((await cli(dataDir, ['backup', backup])).code, 0);
    }
    const id = (await cli(dataDir, ['secrets', 'list'])).stdout.slice(0, 8);
    const restored = await cli(elsewhere, ['restore', backup]);
    assert.equal(restored.code, 0, restored.stderr);
    assert.match(restored.stderr, new RegExp(`warning: the service will not start yet.*${id}`));
    const refused = await cli(elsewhere, ['serve'], { SLUICE_PORT: '0' });
    assert.match(
      refused.stderr,
      new RegExp(`The data folder lacks the encryption key ${id}.*secrets forget`),
    );
    assert.match((await cli(dataDir, ['secrets', 'forget', id])).stderr, /is not lost/);
    assert.match((await cli(elsewhere, ['secrets', 'forget', 'abcd1234'])).stderr, /nothing is encrypted/);
    const forgotten = await cli(elsewhere, ['secrets', 'forget', id]);
    assert.equal(forgotten.stdout, '4 values were deleted\n', forgotten.stderr);
    await using service = await startService({}, { dataDir: elsewhere });
    const { body } = await service.api<{ items: unknown[] }>('GET', '/api/v1/jobs/');
    assert.deepEqual(body.items, []);
    // The start refuses a lost key, so the values are those of another one.
    const key = await profileKey(service);
    const profiles = '/api/v1/profiles/';
    const values = { cookies_txt: '127.0.0.1\tFALSE\t/\tFALSE\t0\tsid\tvalue' };
    const made = await service.api('POST', profiles, { body: { name: 'shut', ...values }, key });
    assert.equal(made.status, 201, made.text);
    const database = new Database(join(elsewhere, 'sluice.db'));
    database.prepare('UPDATE profiles SET sealed = ?').run(randomBytes(80));
    database.close();
    const asked = { url: `${site.url}/text`, scraper: 'http', scraper_options: { profile: 'shut' } };
    const scraped = await service.scrape(asked, { key });
    assert.deepEqual([scraped.status, scraped.body.errors[0]!.code], [422, 'profile.unreadable']);
    const exported = await service.api<{ code: string }>('GET', `${profiles}shut/export/`, { key });
    assert.equal(exported.body.code, 'profile.unreadable');
    const fewer = { body: { sites: ['127.0.0.1'] }, key };
    assert.equal((await service.api('PATCH', `${profiles}shut/`, fewer)).status, 422);
    const listed = await service.api<{ items: { name: string }[] }>('GET', profiles, { key });
    assert.deepEqual([listed.status, listed.body.items[0]!.name], [200, 'shut']);
    assert.equal((await service.api('PATCH', `${profiles}shut/`, { body: values, key })).status, 200);
    assert.equal((await service.scrape(asked, { key })).status, 200);
  });
});
