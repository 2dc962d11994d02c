import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { listen } from '../../helpers/free-port.ts';
import { eventually, type Service, startService } from '../../helpers/service.ts';
import type { Problem, ScrapeAnswer } from '../../helpers/wire-types.ts';

interface Line {
  readonly id: string;
  readonly content_bytes: number | null;
}

describe('SLUICE_STORAGE_BYTES', { concurrency: 2 }, () => {
  /** `/<length>/<seed>`: bytes that do not compress. */
  const server = createServer((request, response) => {
    const [, length, seed] = request.url!.split('/');
    response.setHeader('content-type', 'application/octet-stream');
    response.end(
      createHash('shake256', { outputLength: Number(length) })
        .update(seed!)
        .digest(),
    );
  });
  let url = '';
  before(async () => {
    await listen(server);
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => server.close());

  const scrape = async (service: Service, path: string) => {
    const { status, body } = await service.scrape({ url: url + path });
    assert.equal(status, 200);
    return body.id!;
  };
  const stored = async (service: Service, id: string) => {
    const { status, body } = await service.api<ScrapeAnswer>('GET', `/api/v1/scrape/${id}/`);
    return { status, body };
  };

  test('the contents of the oldest records go first, their records stay; what is freed is given back', async (t) => {
    const limit = 8_000_000;
    await using service = await startService({ SLUICE_STORAGE_BYTES: '8MB' });
    const ids: string[] = [];
    const sizes: number[] = [];
    for (let n = 0; n < 80; n++) {
      const size = n % 4 === 0 ? 400_000 : 100_000;
      sizes.push(size);
      ids.push(await scrape(service, `/${size}/${n}`));
    }
    // A round that began after the last scrape has ended.
    await pause(2_500);
    const gauge = await eventually(async () => {
      const used = await gaugeOf(service, 'sluice_storage_used_bytes');
      return used < limit ? used : null;
    });
    const files = bytesBelow(service.dataDir);
    t.diagnostic(
      `14 MB into ${limit / 1e6} MB: ${(gauge / 1e6).toFixed(1)} MB used, ${(files / 1e6).toFixed(1)} MB of files`,
    );
    assert.ok(gauge > limit / 2, `${gauge}`);
    assert.ok(files < limit * 1.15, `${files}`);
    const kept: boolean[] = [];
    for (const id of ids) {
      const { status, body } = await stored(service, id);
      assert.equal(status, 200, 'the record stays');
      assert.equal(body.status_code, 200);
      assert.equal(body.content_encoding, body.content === null ? null : 'base64');
      kept.push(body.content !== null);
    }
    assert.equal(kept[0], false);
    const again = await service.api<Problem>('POST', `/api/v1/scrape/${ids[0]}/read/`, {
      body: { formats: ['text'] },
    });
    assert.deepEqual([again.status, again.body.errors[0]!.details], [422, { reason: 'storage' }]);
    assert.equal(kept.at(-1), true);
    assert.equal(kept.lastIndexOf(false) + 1, kept.indexOf(true), 'oldest first');
    // Contents are deleted 20 at a time. 20 of these have 3.5 MB, so at least 20 fit after the last deletion.
    assert.ok(kept.filter(Boolean).length >= 20, 'not more than needed');
    const { body } = await service.api<{ items: Line[] }>('GET', '/api/v1/scrape/?limit=200');
    assert.deepEqual(body.items.map((item) => item.content_bytes).toReversed(), sizes);
    const blobs = filesBelow(join(service.dataDir, 'blobs')).map((file) => file.slice(-40, -4));
    const wanted = ids.filter((_, n) => kept[n] && sizes[n] === 400_000);
    assert.deepEqual(blobs.toSorted(), wanted.toSorted(), 'no blob without a record');
    assert.equal(await gaugeOf(service, 'sluice_storage_limit_bytes'), limit);
    assert.ok((await service.log()).some((line) => line.msg === 'deleted old records to free storage'));
    await service.stop();
  });

  test('when no content is left, the oldest records go as a whole', async () => {
    // An empty database has 0.7 MB and a record about 2 KB: hundreds of records fit.
    await using service = await startService({ SLUICE_STORAGE_BYTES: '2MB' });
    const ids: string[] = [];
    while (ids.length < 1_500)
      ids.push(...(await Promise.all(Array.from({ length: 25 }, (_, n) => scrape(service, `/50/${n}`)))));
    await eventually(async () => (await stored(service, ids[0]!)).status === 404);
    assert.equal((await stored(service, ids.at(-1)!)).status, 200);
    // It goes on working at its limit.
    const last = await scrape(service, '/1000/x');
    assert.equal((await stored(service, last)).status, 200);
    await service.stop();
  });

  test('not set, it is decided at the first start and remembered', async () => {
    await using service = await startService();
    await service.stop();
    const file = join(service.dataDir, 'sluice.db');
    const limitOf = () => {
      const db = new Database(file);
      const value = db.prepare("SELECT value FROM meta WHERE name = 'storage_bytes'").pluck().get();
      db.close();
      return value as number;
    };
    assert.ok(limitOf() > 1e6 && limitOf() <= 50e9, `${limitOf()}`);
    const db = new Database(file);
    db.exec("UPDATE meta SET value = 1234567890 WHERE name = 'storage_bytes'");
    db.close();
    await using again = await startService({}, { dataDir: service.dataDir });
    assert.equal(await gaugeOf(again, 'sluice_storage_limit_bytes'), 1234567890);
    await again.stop();
  });
});

async function gaugeOf(service: Service, name: string): Promise<number> {
  const text = await (await fetch(`${service.base}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]);
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** What the data takes, without the log of the database, which is as long as the load of the moment makes it. */
function bytesBelow(folder: string): number {
  return filesBelow(folder)
    .filter((file) => !file.endsWith('-wal') && !file.endsWith('-shm'))
    .reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0);
}
