import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { openSqliteStore } from '../../../src/adapters/store/sqlite/open-sqlite-store.ts';
import { uuidText } from '../../../src/base/uuid7.ts';
import { idAt, record } from '../../contracts/samples.ts';
import { eventually, type Service, startService, useOwnService } from '../../helpers/service.ts';
import { useSite } from '../../helpers/use-site.ts';
import type { RecordLine, RecordList } from '../../helpers/wire-types.ts';

const EXPORT = '/api/v1/scrape/export/';

describe('export', () => {
  const site = useSite();
  const service = useOwnService();

  test('the lines of the list, as JSON lines and as CSV', async () => {
    const tags = { tags: { set: 'export', formula: '=1+1' } };
    for (let n = 0; n < 5; n++)
      await service.scrape({ url: `${site.url}/text?a=1,2&q="${n}"`, router: tags });
    await service.scrape({ url: 'http://127.0.0.1:1/', router: tags });
    const { items } = (await service.api<RecordList>('GET', '/api/v1/scrape/?tag=set:export')).body;
    assert.equal(items.length, 6);

    const jsonl = await service.api<string>('GET', `${EXPORT}?tag=set:export`);
    assert.equal(jsonl.headers.get('content-disposition'), 'attachment; filename="scrapes.jsonl"');
    assert.match(jsonl.headers.get('content-type')!, /^application\/x-ndjson/);
    assert.equal(jsonl.headers.get('x-content-type-options'), 'nosniff');
    const lines = jsonl.text.trimEnd().split('\n');
    assert.deepEqual(
      lines.map((line) => JSON.parse(line)),
      items,
    );

    const csv = await service.api<string>('GET', `${EXPORT}?tag=set:export&format=csv`);
    assert.equal(csv.headers.get('content-disposition'), 'attachment; filename="scrapes.csv"');
    assert.match(csv.headers.get('content-type')!, /^text\/csv/);
    const rows = csv.text.trimEnd().split('\r\n');
    assert.equal(rows[0], Object.keys(items[0]!).join(','));
    assert.equal(rows.length, 7);
    assert.ok(rows[1]!.includes('"{""set"":""export"",""formula"":""=1+1""}"'));

    const failed = await service.api<string>('GET', `${EXPORT}?tag=set:export&outcome=failed`);
    assert.equal((JSON.parse(failed.text) as RecordLine).error_code, 'connect.refused');
    const head = await service.api<string>('GET', `${EXPORT}?tag=set:none&format=csv`);
    assert.equal(head.text, `${rows[0]}\r\n`);
  });

  test('wrong queries are refused, and callers without a key', async () => {
    for (const query of ['format=xlsx', 'limit=5', 'cursor=x', 'status=x', 'user_id=x'])
      assert.equal((await service.api('GET', `${EXPORT}?${query}`)).status, 400, query);
    assert.equal((await service.api('GET', EXPORT, { key: null })).status, 401);
    assert.equal((await service.api('POST', EXPORT, { body: {} })).status, 405);
  });
});

describe('export of a long history', () => {
  const RECORDS = 120_000;
  const dataDir = mkdtempSync(join(tmpdir(), 'sluice-export-'));
  let service: Service;
  before(async () => {
    // Whose the records are is known when there is a user.
    const first = await startService({}, { dataDir });
    await first.stop();
    const file = join(dataDir, 'sluice.db');
    const db = new Database(file, { readonly: true });
    const userId = uuidText(db.prepare('SELECT id FROM users').pluck().get() as Buffer);
    db.close();
    await first.end();
    const store = await openSqliteStore({ file, durability: 'normal' });
    const from = Date.now() - RECORDS;
    for (let n = 0; n < RECORDS; n += 5_000)
      await Promise.all(
        Array.from({ length: 5_000 }, (_, i) => {
          const at = from + n + i;
          const made = {
            id: idAt(at),
            createdAt: at,
            userId,
            content: null,
            url: `https://example.com/${n + i}`,
          };
          return store.records.put(record(0, made));
        }),
      );
    await store.close();
    service = await startService({}, { dataDir });
  });
  after(async () => {
    await service?.end();
    rmSync(dataDir, { recursive: true, force: true });
  });

  test('ends after 100,000 lines, and can be gone on with', async () => {
    const { text } = await service.api<string>('GET', EXPORT);
    const lines = text.trimEnd().split('\n');
    assert.equal(lines.length, 100_000);
    const ids = new Set(lines.map((line) => (JSON.parse(line) as RecordLine).id));
    assert.equal(ids.size, 100_000);
    const last = JSON.parse(lines.at(-1)!) as RecordLine;
    const rest = (await service.api<string>('GET', `${EXPORT}?to=${last.created_at}&format=csv`)).text;
    assert.equal(rest.trimEnd().split('\r\n').length - 1, 20_000);
  });

  test('a rare filter walks through all of it; others are answered meanwhile', async () => {
    const walking = service.api<string>('GET', `${EXPORT}?host=none.example&format=csv`);
    assert.equal((await service.api<RecordList>('GET', '/api/v1/scrape/?limit=5')).body.items.length, 5);
    assert.equal((await walking).text.trimEnd().split('\r\n').length, 1);
  });

  test('the list with a rare filter comes in short pages, of which the last alone has no cursor', async () => {
    let cursor: string | null = null;
    let pages = 0;
    do {
      const more: string = cursor === null ? '' : `&cursor=${cursor}`;
      const { body } = await service.api<RecordList>('GET', `/api/v1/scrape/?host=none.example${more}`);
      assert.deepEqual(body.items, []);
      cursor = body.next_cursor;
      pages++;
    } while (cursor !== null);
    assert.ok(pages > 1 && pages < 20, `${pages} pages`);
  });

  test('a caller who does not read holds the export up; one who hangs up ends it', async () => {
    const held = async () =>
      (await service.api<{ in_flight: { now: number } }>('GET', '/api/v1/stats/')).body.in_flight.now;
    const socket = connect(service.port, '127.0.0.1');
    socket.pause();
    socket.write(`GET ${EXPORT} HTTP/1.1\r\nhost: x\r\nauthorization: Api-Key ${service.key}\r\n\r\n`);
    await eventually(async () => (await held()) === 2);
    await pause(500);
    assert.equal(await held(), 2, 'it waits: some 50 MB are more than what buffers hold');
    socket.destroy();
    await eventually(async () => (await held()) === 1);
    assert.equal((await service.log()).filter((line) => line.level === 'error').length, 0);
  });
});
