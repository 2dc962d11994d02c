import assert from 'node:assert/strict';
import { createHash, randomInt } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { uuidText } from '../../../src/base/uuid7.ts';
import { startChild } from '../../helpers/child.ts';
import { makeFaults } from '../../helpers/faults.ts';
import { listen } from '../../helpers/free-port.ts';
import { cleanEnvironment, SLUICE } from '../../helpers/repository.ts';
import { eventually, type Service, startService } from '../../helpers/service.ts';
import type { ScrapeAnswer } from '../../helpers/wire-types.ts';

const LONG = process.env.LONG === '1';
const ROUNDS = LONG ? 500 : 4;
/** Then all of it is looked at once more, and a new folder begun. */
const ROUNDS_A_FOLDER = 25;
const CALLERS = 8;
const STARTING = LONG ? 100 : 2;
const MAKING_ROOM = LONG ? 50 : 1;
const LIMIT = 10_000_000;

describe('kill -9 at any moment, under load', () => {
  const target = useNoise();

  test(`${ROUNDS} times: what was acknowledged is there and unchanged, the database is sound`, async (t) => {
    const faults = makeFaults();
    if (typeof faults === 'string') return t.skip(faults);
    using _ = faults;
    const starts: number[] = [];
    let acknowledged = 0;
    let large = 0;
    for (let done = 0; done < ROUNDS; done += ROUNDS_A_FOLDER) {
      const dataDir = mkdtempSync(join(tmpdir(), 'sluice-kill-'));
      try {
        const all = new Map<string, string>();
        let unseen = new Map<string, string>();
        for (let round = 0; round < Math.min(ROUNDS_A_FOLDER, ROUNDS - done); round++) {
          const begun = performance.now();
          await using service = await startService({ SLUICE_STORAGE_BYTES: '20GB' }, { dataDir });
          starts.push(performance.now() - begun);
          await assertStored(service, unseen);
          unseen = await loadUntilKilled(service, target.url, 700, 20_000);
          for (const [id, path] of unseen) all.set(id, path);
          assertSound(join(dataDir, 'sluice.db'));
        }
        acknowledged += all.size;
        large += [...all.values()].filter((path) => lengthOf(path) > MAX_IN_DATABASE).length;
        // An hour later: blobs that were written for records that never came are no longer young.
        faults.clock(3_600);
        await using last = await startService(faults.env, { dataDir });
        await assertStored(last, all);
        await eventually(
          () => JSON.stringify(blobsIn(dataDir)) === JSON.stringify(blobsWanted(dataDir)),
          10_000,
        );
        await last.stop();
      } finally {
        rmSync(dataDir, { recursive: true, force: true });
      }
    }
    starts.sort((a, b) => a - b);
    t.diagnostic(
      `${ROUNDS} kills; ${acknowledged} records acknowledged (${large} over 256 KiB), 0 lost or changed; ` +
        `start: median ${Math.round(starts[starts.length >> 1]!)} ms, longest ${Math.round(starts.at(-1)!)} ms`,
    );
    assert.ok(acknowledged > ROUNDS, `${acknowledged} records are no load`);
    assert.ok(large > 0);
  });
});

test(`kill -9 during the first start, ${STARTING} times: the next start makes it whole`, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-kill-'));
  try {
    for (let round = 0; round < STARTING; round++) {
      const dataDir = join(folder, String(round));
      const env = { ...cleanEnvironment(), SLUICE_PORT: '0', SLUICE_DATA_DIR: dataDir };
      const child = startChild(SLUICE, ['serve'], { cwd: folder, env });
      await pause(randomInt(150, 900));
      child.kill('SIGKILL');
      await child.exited;
      await using service = await startService({}, { dataDir });
      assert.equal((await service.api('GET', '/api/v1/keys/')).status, 200);
      assert.ok(readFileSync(join(dataDir, 'secret'), 'utf8').length >= 16);
      await service.stop();
      assertSound(join(dataDir, 'sluice.db'));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

describe('kill -9 while the storage quota is enforced', () => {
  const target = useNoise();

  test(`${MAKING_ROOM} times: contents are complete or removed, never changed; the database is sound`, async (t) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'sluice-kill-'));
    try {
      const all = new Map<string, string>();
      for (let round = 0; round < MAKING_ROOM; round++) {
        await using service = await startService({ SLUICE_STORAGE_BYTES: String(LIMIT) }, { dataDir });
        for (const [id, path] of await loadUntilKilled(service, target.url, 1_500, 2 * LIMIT))
          all.set(id, path);
        assertSound(join(dataDir, 'sluice.db'));
      }
      await using last = await startService({ SLUICE_STORAGE_BYTES: String(LIMIT) }, { dataDir });
      // Room may be made once more, for what was stored in the last moment.
      await pause(3_000);
      const ids = [...all.keys()].sort();
      let whole = 0;
      let gone = 0;
      for (const [at, id] of ids.entries()) {
        const { status, body } = await last.api<ScrapeAnswer>('GET', `/api/v1/scrape/${id}/`);
        if (status === 404) {
          assert.equal(gone, at, 'whole records go oldest first');
          gone++;
          continue;
        }
        assert.equal(status, 200);
        if (body.content === null) continue;
        whole++;
        assert.ok(Buffer.from(body.content, 'base64').equals(bytesOf(all.get(id)!)));
      }
      t.diagnostic(`${ids.length} records: ${whole} with content, ${gone} gone`);
      assert.ok(whole < ids.length, 'there was no need of room');
      await last.stop();
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
  });
});

const lengthOf = (path: string): number => Number(path.split('/')[1]);

/** `/<length>/<seed>`: bytes that the path determines, half of which compress. */
function bytesOf(path: string): Buffer {
  const bytes = Buffer.alloc(lengthOf(path), path);
  const half = createHash('shake256', { outputLength: bytes.length >> 1 })
    .update(path)
    .digest();
  half.copy(bytes);
  return bytes;
}

/** A target that gives the bytes of the path. */
function useNoise(): { readonly url: string } {
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/octet-stream');
    response.end(bytesOf(request.url!));
  });
  before(() => listen(server));
  after(() => server.close());
  return {
    get url() {
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    },
  };
}

/** Larger contents are files. */
const MAX_IN_DATABASE = 262_144;

function somePath(kind = randomInt(20)): string {
  const length =
    kind < 15 ? randomInt(0, 9_000) : kind < 18 ? randomInt(9_000, 262_145) : randomInt(262_145, 900_000);
  return `/${length}/${randomInt(2 ** 40)}`;
}

/**
 * What was acknowledged: ids and paths.
 * @param leastBytes so much is stored first, however slow the machine is, and one content that is a file
 */
async function loadUntilKilled(
  service: Service,
  url: string,
  mostMs: number,
  leastBytes: number,
): Promise<Map<string, string>> {
  const acknowledged = new Map<string, string>();
  let bytes = 0;
  let files = 0;
  let killed = false;
  const caller = async (_: unknown, index: number) => {
    for (let n = 0; !killed; n++) {
      const path = index === 0 && n === 0 ? somePath(19) : somePath();
      const answer = await service.scrape({ url: url + path }).catch((error: unknown) => {
        if (!killed) throw error;
        return null;
      });
      if (answer === null) return;
      assert.equal(answer.status, 200, answer.text.slice(0, 1_000));
      acknowledged.set(answer.body.id!, path);
      bytes += lengthOf(path);
      if (lengthOf(path) > MAX_IN_DATABASE) files++;
    }
  };
  const callers = Array.from({ length: CALLERS }, caller);
  await pause(randomInt(20, mostMs));
  await eventually(() => bytes >= leastBytes && files > 0, 60_000);
  killed = true;
  await service.kill9();
  await Promise.all(callers);
  return acknowledged;
}

async function assertStored(service: Service, records: ReadonlyMap<string, string>): Promise<void> {
  for (const [id, path] of records) {
    const { status, body } = await service.api<ScrapeAnswer>('GET', `/api/v1/scrape/${id}/`);
    assert.equal(status, 200, `the record of ${path} is lost`);
    assert.equal(body.id, id);
    const content = Buffer.from(body.content!, 'base64');
    const encoding = lengthOf(path) === 0 ? 'utf-8' : 'base64';
    assert.equal(body.content_encoding, encoding);
    assert.ok(content.equals(bytesOf(path)), `the content of ${path} has changed`);
  }
}

/** Checks the database with SQLite directly, before the service can repair it. */
function assertSound(file: string): void {
  const db = new Database(file, { readonly: true });
  try {
    assert.equal(db.pragma('integrity_check', { simple: true }), 'ok');
    const halves =
      'SELECT (SELECT count(*) FROM records) - (SELECT count(*) FROM record_bodies) AS difference, ' +
      '(SELECT count(*) FROM records WHERE body NOT IN (SELECT seq FROM record_bodies)) AS bodiless';
    assert.deepEqual(db.prepare(halves).get(), { difference: 0, bodiless: 0 });
  } finally {
    db.close();
  }
}

function blobsIn(dataDir: string): string[] {
  return readdirSync(join(dataDir, 'blobs'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name.replace(/\.zst$/, ''))
    .sort();
}

function blobsWanted(dataDir: string): string[] {
  const db = new Database(join(dataDir, 'sluice.db'), { readonly: true });
  try {
    const ids = db.prepare('SELECT id FROM records WHERE content_in_blob = 1').pluck().all() as Buffer[];
    return ids.map((id) => uuidText(id)).sort();
  } finally {
    db.close();
  }
}
