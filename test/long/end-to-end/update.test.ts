import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import Database from 'better-sqlite3';
import { runChild } from '../../helpers/child.ts';
import { freePort } from '../../helpers/free-port.ts';
import { backfillMark, makeDatabase, NEXT_MIGRATION } from '../../helpers/many-records.ts';
import { nextVersion } from '../../helpers/next-version.ts';
import { cleanEnvironment, SLUICE } from '../../helpers/repository.ts';
import { eventually, type Service, startService } from '../../helpers/service.ts';

const RECORDS = 100_000;
const CONTENT_BYTES = 1_900;

/** Bytes that the process has read until now, from files or from the memory of the system. */
const bytesRead = ({ pid }: Service) =>
  Number(/^rchar: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))![1]);

describe('the update to a version with a newer schema, on SQLite', () => {
  let home = '';
  before(() => {
    home = mkdtempSync(join(tmpdir(), 'sluice-update-'));
  });
  after(() => rmSync(home, { recursive: true, force: true }));

  /** A data folder of this version. */
  function oldFolder(name: string, records: number) {
    const dataDir = join(home, name);
    mkdirSync(dataDir);
    const file = join(dataDir, 'sluice.db');
    makeDatabase(file, records, CONTENT_BYTES);
    return { dataDir, file };
  }

  const migrate = (program: string, folder: string) =>
    runChild(program, ['migrate'], { cwd: home, env: { ...cleanEnvironment(), SLUICE_DATA_DIR: folder } });

  const newest = async (service: Service) => {
    const { body } = await service.api('GET', '/api/v1/scrape/?limit=5');
    return (body as { items: { url: string }[] }).items.map(({ url }) => url);
  };

  test('200 MB: ready without reading the records; kill -9 in the middle of the back-fill', async (t) => {
    if (process.platform !== 'linux') return t.skip('reads /proc');
    const program = nextVersion(t, '98.0.0', [], [NEXT_MIGRATION]);
    const small = { ...oldFolder('small', 10), program };
    const large = { ...oldFolder('large', RECORDS), program };
    assert.ok(statSync(large.file).size > 200e6);
    let least: number;
    {
      await using service = await startService({}, small);
      least = bytesRead(service);
      await service.stop();
    }
    {
      await using service = await startService({}, large);
      const more = bytesRead(service) - least;
      // The back-fill, which has begun, reads 20 MB in all. That the update itself reads no records is tested in test/adapters.
      assert.ok(more < 40e6, `${more} bytes of ${statSync(large.file).size}`);
      assert.equal((await newest(service)).length, 5);
      assert.notEqual(backfillMark(large.file), null, 'the service is ready before the back-fill ends');
      await eventually(() => backfillMark(large.file) !== '');
      await service.kill9();
    }
    const mark = backfillMark(large.file)!;
    await using service = await startService({}, large);
    const later = backfillMark(large.file);
    assert.ok(later === null || later >= mark, 'it goes on where it was');
    // The command does the rest at once, beside the service.
    const { code, stdout } = await migrate(program, large.dataDir);
    assert.equal(code, 0);
    assert.match(stdout, /up to date/);
    assert.equal(backfillMark(large.file), null);
    assert.equal((await newest(service)).length, 5);
    await service.stop();
  });

  test('while another process migrates: alive, but not ready', async () => {
    const { dataDir, file } = oldFolder('waiting', 10);
    const other = new Database(`${file}.lock`);
    // As the process does that migrates a database.
    other.exec('BEGIN IMMEDIATE');
    const port = await freePort();
    const base = `http://127.0.0.1:${port}`;
    const starting = startService({}, { dataDir, port });
    const health = await eventually(() => fetch(`${base}/healthz`).catch(() => null));
    assert.equal(health.status, 200);
    assert.deepEqual(await health.json(), { status: 'ok' });
    for (const [method, path] of [
      ['GET', '/readyz'],
      ['POST', '/api/v1/scrape/'],
    ] as const) {
      const response = await fetch(base + path, { method });
      assert.equal(response.status, 503, path);
      assert.ok(response.headers.has('retry-after'));
      const { code, errors } = (await response.json()) as {
        code: string;
        errors: { details: object }[];
      };
      assert.equal(code, 'service.unavailable');
      assert.deepEqual(errors[0]!.details, { reason: 'migrating' });
    }
    other.close();
    await using service = await starting;
    assert.equal((await newest(service)).length, 5);
    await service.stop();
  });

  test('sluice migrate: creates, updates, and can be repeated; a newer schema is refused', async (t) => {
    const { dataDir, file } = oldFolder('command', 2_500);
    const program = nextVersion(t, '98.0.0', [], [NEXT_MIGRATION]);
    const { version } = NEXT_MIGRATION;
    const updated = await migrate(program, dataDir);
    assert.equal(updated.code, 0, updated.stderr);
    assert.match(
      updated.stdout,
      new RegExp(`updated from version ${version - 1} of the schema to ${version}\\.`),
    );
    assert.equal(backfillMark(file), null);
    assert.match((await migrate(program, dataDir)).stdout, /up to date/);
    assert.match((await migrate(SLUICE, join(home, 'new'))).stdout, /created/);
    const refused = await migrate(SLUICE, dataDir);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /newer Sluice/);
  });
});
