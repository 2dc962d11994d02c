import assert from 'node:assert/strict';
import { closeSync, openSync, rmSync, symlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { smallDisk } from '../../adapters/small-disk.ts';
import { tempFolder } from '../../adapters/temp.ts';
import { type Faults, makeFaults } from '../../helpers/faults.ts';
import { eventually, type Service, startService } from '../../helpers/service.ts';
import { useSite } from '../../helpers/use-site.ts';
import type { ScrapeAnswer } from '../../helpers/wire-types.ts';

const LONG = process.env.LONG === '1';

/** Letters of `faults.c`, the files that fail, and the durability with which the failure is noticed at once. */
const CASES = [
  { name: 'EIO on write of the database', fail: ['EIO', 'w', 'sluice.db'], path: '/html/2000' },
  {
    name: 'EIO on write of the log of the database alone',
    fail: ['EIO', 'w', 'sluice.db-wal'],
    path: '/html/2000',
  },
  { name: 'ENOSPC on write of the database', fail: ['ENOSPC', 'w', 'sluice.db'], path: '/html/2000' },
  { name: 'EROFS on write and open of everything', fail: ['EROFS', 'wo', '/data/'], path: '/html/2000' },
  { name: 'EIO on write of a blob', fail: ['EIO', 'w', '/blobs/'], path: '/html/400000' },
  { name: 'ENOSPC on write of a blob', fail: ['ENOSPC', 'w', '/blobs/'], path: '/html/400000' },
  { name: 'EROFS on making a blob', fail: ['EROFS', 'o', '/blobs/'], path: '/html/400000' },
  {
    name: 'EIO on flush of the database',
    fail: ['EIO', 's', 'sluice.db'],
    path: '/html/2000',
    durability: 'full',
  },
  { name: 'EIO on flush of a blob', fail: ['EIO', 's', '/blobs/'], path: '/html/400000', durability: 'full' },
] as const;
const durabilityOf = (one: (typeof CASES)[number]) => ('durability' in one ? one.durability : 'normal');
/** Cases that one service has, one after the other. With LONG=1 each case has a service of its own. */
const GROUPS = LONG ? CASES.map((one) => [one]) : [...Map.groupBy(CASES, durabilityOf).values()];

describe('a failing disk', { concurrency: 2 }, () => {
  const site = useSite();

  let made = 0;
  /** A page of its own for each test, and how often it was asked for. */
  const page = (path: string) => {
    const own = `${path}?of=${++made}`;
    return { url: site.url + own, asked: () => site.log.filter((seen) => seen.url === own).length };
  };

  for (const group of GROUPS) {
    const names = group.map(({ name }) => name).join('; ');
    test(`${names}: 503, the target left alone, and well again within 5 s`, async (t) => {
      using faults = faultsOrSkip(t);
      if (faults === null) return;
      await using service = await startService({
        ...faults.env,
        SLUICE_DURABILITY: durabilityOf(group[0]!),
      });
      const stored: ScrapeAnswer[] = [];
      for (const one of group)
        await t.test(
          one.name,
          async (t) => void stored.push(...(await failAndHeal(t, faults, service, one))),
        );
      await service.kill9();
      await using again = await startService({}, { dataDir: service.dataDir });
      for (const { id, content } of stored) {
        const kept = await again.api<{ content: string }>('GET', `/api/v1/scrape/${id}/`);
        assert.equal(kept.body.content, content);
      }
      const list = await again.api<{ items: unknown[] }>('GET', '/api/v1/scrape/?limit=200');
      assert.ok(list.body.items.length >= 2 * group.length);
    });
  }

  /** @returns what was stored before the failure and after it */
  async function failAndHeal(
    t: TestContext,
    faults: Faults,
    service: Service,
    { fail: [error, letters, part], path }: (typeof CASES)[number],
  ): Promise<ScrapeAnswer[]> {
    const { url, asked } = page(path);
    const before = await service.scrape({ url });
    assert.equal(before.status, 200);

    faults.fail(error, letters, part);
    // The first scrape may still reach the target, because the failure is not known yet.
    await assertUnstored(service, url);
    const times = asked();
    for (let n = 0; n < 5; n++) {
      const { body } = await assertUnstored(service, url);
      assert.deepEqual(body.router.attempts, []);
      await pause(150);
    }
    assert.equal(asked(), times, 'the target saw nothing');
    const ready = await service.api<{ code: string; detail: string }>('GET', '/readyz');
    assert.equal(ready.status, 503);
    assert.match(ready.body.code, /service.unavailable/);
    assert.match(ready.body.detail, /^Not ready: .{10,}\.$/);
    assert.ok(!ready.body.detail.includes('sluice-test-'), 'the reason, without paths');
    // What was stored is still read.
    const read = await service.api<{ content: string }>('GET', `/api/v1/scrape/${before.body.id}/`);
    assert.equal(read.status, 200);
    assert.equal(read.body.content, before.body.content);

    if (part.startsWith('sluice.db')) {
      const deleted = await service.api<{ code: string }>('DELETE', `/api/v1/scrape/${before.body.id}/`);
      assert.equal(deleted.status, 503);
      assert.equal(deleted.body.code, 'service.storage');
    }

    faults.heal();
    const healed = performance.now();
    const after = await eventually(async () => {
      const answer = await service.scrape({ url });
      return answer.status === 200 ? answer : null;
    });
    t.diagnostic(`well again after ${Math.round(performance.now() - healed)} ms`);
    assert.equal((await service.api('GET', '/readyz')).status, 200);
    return [before.body, after.body];
  }

  test('a disk that is really full: as above', async (t) => {
    const disk = smallDisk(t, '6m');
    if (disk === null) return;
    const dataDir = join(disk.folder, 'data');
    await using service = await startService({ SLUICE_STORAGE_BYTES: '1GB' }, { dataDir });
    const { url, asked } = page('/html/2000');
    const { body: before } = await service.scrape({ url });
    const ballast = join(disk.folder, 'ballast');
    fill(ballast);
    // What the log of the database still has room for is stored, truly.
    let lost = await service.scrape({ url });
    for (let n = 0; n < 2_000 && lost.status === 200; n++) lost = await service.scrape({ url });
    const times = asked();
    for (let n = 0; n < 5; n++) await assertUnstored(service, url);
    assert.equal(asked(), times, 'the target saw nothing');
    assert.equal((await service.api('GET', '/readyz')).status, 503);
    assert.equal((await service.api('GET', `/api/v1/scrape/${before.id}/`)).status, 200);
    rmSync(ballast);
    await eventually(async () => (await service.scrape({ url })).status === 200);
    await service.stop();
  });

  test('the folder of the large contents becomes read-only: as above', async (t) => {
    const disk = smallDisk(t, '20m');
    if (disk === null) return;
    const dataDir = tempFolder(t);
    symlinkSync(disk.folder, join(dataDir, 'blobs'));
    await using service = await startService({}, { dataDir });
    const { url, asked } = page('/html/400000');
    const { body: before } = await service.scrape({ url });
    disk.mode('ro');
    await assertUnstored(service, url);
    const times = asked();
    await assertUnstored(service, url);
    assert.equal(asked(), times, 'the target saw nothing');
    const ready = await service.api<{ detail: string }>('GET', '/readyz');
    assert.match(ready.body.detail, /read-only|cannot be created/);
    assert.equal((await service.api('GET', `/api/v1/scrape/${before.id}/`)).status, 200);
    disk.mode('rw');
    await eventually(async () => (await service.scrape({ url })).status === 200);
    await service.stop();
  });

  test('a failed checkpoint is a storage failure at once, although records could still be stored', async (t) => {
    using faults = faultsOrSkip(t);
    if (faults === null) return;
    await using service = await startService({ ...faults.env });
    faults.fail('EIO', 'ws', 'sluice.db$');
    let answered: number;
    let stored = 0;
    do {
      answered = (await service.scrape({ url: `${site.url}/bytes/240000` })).status;
      if (answered === 200) stored++;
    } while (answered === 200 && stored < 200);
    assert.equal(answered, 503, `${stored} were stored`);
    await pause(1_500);
    assert.equal((await service.api('GET', '/readyz')).status, 503, 'it stays known');
    faults.heal();
    await eventually(async () => (await service.api('GET', '/readyz')).status === 200);
    assert.equal((await service.scrape({ url: `${site.url}/bytes/240000` })).status, 200);
    await service.stop();
  });

  test('a disk that hangs: 503 within bounds, then refused at once, and well again within 5 s', async (t) => {
    using faults = faultsOrSkip(t);
    if (faults === null) return;
    await using service = await startService({ ...faults.env });
    const database = ['sluice.db', '/html/2000'] as const;
    const blobs = ['/blobs/', '/html/400000'] as const;
    for (const [part, path] of LONG ? [database, blobs] : [database]) {
      faults.fail('EIO', 'h', part);
      const begun = performance.now();
      await assertUnstored(service, site.url + path);
      const took = performance.now() - begun;
      assert.ok(took < 8_000, `${took} ms`);
      const again = performance.now();
      await assertUnstored(service, site.url + path);
      assert.ok(performance.now() - again < 2_000);
      faults.heal();
      await eventually(async () => (await service.scrape({ url: site.url + path })).status === 200);
    }
    await service.stop();
  });

  test('a service whose disk fails can be stopped, and says what failed', async (t) => {
    using faults = faultsOrSkip(t);
    if (faults === null) return;
    await using service = await startService({ ...faults.env });
    await service.scrape({ url: `${site.url}/html/2000` });
    faults.fail('EIO', 'ws', 'sluice.db');
    const begun = performance.now();
    const { code } = await service.terminate();
    assert.equal(code, 1);
    assert.ok(performance.now() - begun < 10_000);
    assert.match(await service.output(), /sluice: the disk fails/);
  });

  test('a disk that is full at the stop only loses the last counts, and the exit code is 0', async (t) => {
    using faults = faultsOrSkip(t);
    if (faults === null) return;
    await using service = await startService({ ...faults.env });
    await service.scrape({ url: `${site.url}/html/2000` });
    faults.fail('ENOSPC', 'ws', 'sluice.db');
    const { code } = await service.terminate();
    assert.equal(code, 0, await service.output());
    assert.ok(
      (await service.log()).some(
        ({ level, msg }) =>
          level === 'warn' &&
          msg === 'the storage is full: the latest counts of usage and statistics are lost',
      ),
    );
  });

  async function assertUnstored(service: Service, url: string) {
    const answer = await service.scrape({ url });
    assert.equal(answer.status, 503, answer.text.slice(0, 500));
    assert.equal(answer.headers.get('x-scrape-id'), null);
    assert.ok(answer.headers.get('retry-after'));
    const { body } = answer;
    assert.equal(body.code, 'service.storage');
    assert.equal(body.id, null);
    assert.equal(body.content, null);
    assert.equal(body.router.outcome, 'failed');
    assert.equal(body.retryable, true);
    return answer;
  }
});

/** Takes all room, to the last block. */
function fill(path: string): void {
  const file = openSync(path, 'w');
  for (const size of [65_536, 4_096, 1]) {
    const block = Buffer.alloc(size, 1);
    try {
      while (writeSync(file, block) === size);
    } catch (error) {
      assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC');
    }
  }
  closeSync(file);
}

function faultsOrSkip(t: TestContext) {
  const faults = makeFaults();
  if (typeof faults !== 'string') return faults;
  t.skip(faults);
  return null;
}
