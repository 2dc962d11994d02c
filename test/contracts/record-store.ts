import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { uuid7Time } from '../../src/base/uuid7.ts';
import type { NewRecord, RecordFilter, RecordSummary } from '../../src/domain/record.ts';
import { ConflictError, type RecordStore, type Store } from '../../src/ports/store.ts';
import { noise } from '../adapters/temp.ts';
import fc from '../helpers/fast-check.ts';
import { ANNA, BERT, filter, idAt, record, T0 } from './samples.ts';

const HEAVY = ['requestJson', 'answerJson', 'contentEncoding', 'content', 'contentInBlob', 'files'] as const;

/** What the RecordStore of every implementation must do. `open` gives an empty store and closes it after the test. */
export function recordStoreContract(name: string, open: (t: TestContext) => Promise<Store>): void {
  describe(`${name}: records`, () => {
    test('a record comes back as it was put', async (t) => {
      const { records } = await open(t);
      const put = record(1, { tags: { team: 'a b', 'ü"\'': '' }, requestCost: 0.0125, durationMs: 12.75 });
      await records.put(put);
      await assertStored(records, put);
    });

    test('members that were not kept come back as null', async (t) => {
      const { records } = await open(t);
      const put = record(1, {
        ...{ keyId: null, url: null, method: null, requestedScraper: null, scraper: null, proxyType: null },
        ...{ httpStatus: null, statusCode: null, contentBytes: null, outcome: 'failed' as const },
        ...{ requestJson: null, answerJson: null, contentEncoding: null, content: null },
      });
      await records.put(put);
      await assertStored(records, put);
    });

    test('an empty content is not the same as none', async (t) => {
      const { records } = await open(t);
      await records.put(record(1, { content: new Uint8Array(0), contentBytes: 0 }));
      assert.equal((await records.get(idAt(T0 + 1), ANNA))?.content?.length, 0);
    });

    test('any content and text round-trips, small and large, alone and many at once', async (t) => {
      const { records } = await open(t);
      let n = 0;
      const text = fc.string({ unit: 'grapheme', maxLength: 60 });
      const large = fc
        .tuple(fc.uint8Array({ minLength: 1, maxLength: 40 }), fc.integer({ min: 1, max: 262_144 }))
        .map(([pattern, length]) => Uint8Array.from({ length }, (_, i) => pattern[i % pattern.length]!));
      const random = fc.record({
        content: fc.option(fc.oneof(fc.uint8Array({ maxLength: 9_000 }), large)),
        answerJson: fc.option(
          fc.oneof(
            text,
            text.map((part) => part.repeat(300)),
          ),
        ),
        requestJson: fc.option(
          fc.oneof(
            text,
            text.map((part) => part.repeat(300)),
          ),
        ),
        tags: fc.dictionary(text, text, { maxKeys: 10, noNullPrototype: true }),
        durationMs: fc.double({ min: 0, max: 300_000, noNaN: true }),
        createdAt: fc.integer({ min: 0, max: 2 ** 47 }),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(random, { minLength: 1, maxLength: 6 }), async (many) => {
          const puts = many.map((change) => record(++n, change));
          await Promise.all(puts.map((put) => records.put(put)));
          for (const put of puts) await assertStored(records, put);
        }),
        { numRuns: 60 },
      );
    });

    test('the content that was given is neither taken away nor changed, also when it is a part of a buffer', async (t) => {
      const { records } = await open(t);
      const whole = Buffer.from('xxhello worldxx'.repeat(1000));
      const content = whole.subarray(2, 13_002);
      const copy = Buffer.from(content);
      const done = records.put(record(1, { content }));
      assert.deepEqual(Buffer.from(content), copy);
      await done;
      assert.deepEqual(Buffer.from(content), copy);
      assert.deepEqual(Buffer.from((await records.get(idAt(T0 + 1), ANNA))!.content!), copy);
    });

    test('an id that exists is refused, alone among those put with it, and the first one stays', async (t) => {
      const { records } = await open(t);
      await records.put(record(1));
      const results = await Promise.allSettled([
        records.put(record(2)),
        records.put(record(1, { host: 'other.example', userId: BERT })),
        records.put(record(3)),
      ]);
      assert.deepEqual(
        results.map((result) => result.status),
        ['fulfilled', 'rejected', 'fulfilled'],
      );
      assert.ok((results[1] as PromiseRejectedResult).reason instanceof ConflictError);
      assert.equal((await records.get(idAt(T0 + 1), null))?.host, 'example.com');
      assert.deepEqual(await hosts(records, filter({ userId: null })), [
        'example.com',
        'example.com',
        'example.com',
      ]);
    });

    test('records of others are as if they were not there', async (t) => {
      const { records } = await open(t);
      await records.put(record(1));
      const id = idAt(T0 + 1);
      assert.equal(await records.get(id, BERT), null);
      assert.equal(await records.request(id, BERT), null);
      assert.equal(await records.delete(id, BERT), null);
      assert.deepEqual(await records.list(filter({ userId: BERT }), 10, null), { items: [], next: null });
      assert.notEqual(await records.get(id, ANNA), null);
      assert.notEqual(await records.get(id, null), null);
    });

    test('what is no id names no record', async (t) => {
      const { records } = await open(t);
      await records.put(record(1));
      for (const id of ['', 'x', "' OR 1=1 --", idAt(T0 + 1).slice(1), `${idAt(T0 + 1)} `]) {
        assert.equal(await records.get(id, ANNA), null);
        assert.equal(await records.request(id, null), null);
        assert.equal(await records.delete(id, null), null);
        assert.deepEqual((await records.list(filter(), 10, id)).items, []);
      }
      assert.deepEqual(await records.referencedBlobs(['', 'x']), []);
      assert.notEqual(await records.get(idAt(T0 + 1).toUpperCase(), ANNA), null);
    });

    test('pages lead through all records once, newest first, also those of one millisecond', async (t) => {
      const { records } = await open(t);
      const ids = Array.from({ length: 25 }, (_, n) => idAt(T0 + (n >> 3), n));
      const shuffled = ids.toSorted((a, b) => a.slice(-1).localeCompare(b.slice(-1)) || b.localeCompare(a));
      await Promise.all(shuffled.map((id) => records.put(record(0, { id }))));
      await Promise.all(
        [1, 2, 3].map((n) => records.put(record(n, { id: idAt(T0, 900 + n), userId: BERT }))),
      );
      for (const limit of [1, 4, 24, 25, 26, 200]) {
        assert.deepEqual(await allIds(records, filter(), limit), ids.toReversed(), `limit ${limit}`);
      }
      const everybody = await allIds(records, filter({ userId: null }), 5);
      assert.equal(everybody.length, 28);
      assert.deepEqual(everybody, everybody.toSorted().toReversed());
    });

    test('a rare filter is answered in short pages, which lead through all records once', async (t) => {
      const { records } = await open(t);
      // More than one call may look at, in two stretches of time.
      const total = 60_000;
      const rare = new Set([0, 1, 30_000, 30_001, total - 1]);
      for (let n = 0; n < total; n += 5_000)
        await Promise.all(
          Array.from({ length: 5_000 }, (_, i) => {
            const change = rare.has(n + i) ? { host: 'rare.example' } : {};
            return records.put(
              record(n + i, { ...change, userId: (n + i) % 3 ? ANNA : BERT, content: null }),
            );
          }),
        );
      for (const userId of [ANNA, BERT, null]) {
        const wanted = [...rare].filter((n) => userId === null || (n % 3 === 0) === (userId === BERT));
        for (const limit of [1, 2, 50]) {
          const found: number[] = [];
          let calls = 0;
          let after: string | null = null;
          do {
            const page = await records.list(filter({ userId, host: 'rare.example' }), limit, after);
            assert.ok(page.items.length <= limit);
            found.push(...page.items.map((item) => item.createdAt - T0));
            after = page.next;
            calls++;
          } while (after !== null);
          assert.deepEqual(
            found,
            wanted.toSorted((a, b) => b - a),
            `${userId} by ${limit}`,
          );
          assert.ok(calls <= 20, `${calls} calls`);
        }
      }
      for (const [userId, expected] of [
        [ANNA, 40_000],
        [null, total],
      ] as const) {
        let count = 0;
        let calls = 0;
        for (let after: string | null = null; calls === 0 || after !== null; calls++) {
          const page = await records.totals(filter({ userId }), after);
          count += page.totals.reduce((sum, one) => sum + one.count, 0);
          after = page.next;
        }
        assert.equal(count, expected);
        assert.ok(calls > 1 && calls <= 20, `${calls} calls`);
      }
      const early = filter({ userId: null, host: 'rare.example', to: T0 + 100 });
      assert.deepEqual((await records.list(early, 50, null)).items.length, 2, 'bounds of time are jumped to');
    });

    test('a page goes on behind a record that was deleted meanwhile; new records do not disturb it', async (t) => {
      const { records } = await open(t);
      for (let n = 0; n < 6; n++) await records.put(record(n));
      const first = await records.list(filter(), 2, null);
      assert.equal(first.next, idAt(T0 + 4));
      await records.delete(first.next!, ANNA);
      await records.put(record(10));
      const second = await records.list(filter(), 2, first.next);
      assert.deepEqual(
        second.items.map((item) => item.id),
        [idAt(T0 + 3), idAt(T0 + 2)],
      );
    });

    test('each filter alone and all together', async (t) => {
      const { records } = await open(t);
      const special: Partial<NewRecord> = {
        ...{
          host: 'b.example',
          statusCode: 404,
          outcome: 'target_error' as const,
          scraper: 'browser',
          keyId: 'key2',
        },
        ...{ errorCode: 'connect.refused', tags: { team: 'blue', 'a.b"c': "d'e", q: 'ü:"\\\n' } },
      };
      for (let n = 0; n < 10; n++)
        await records.put(record(n, n === 5 ? special : { tags: { team: 'red' } }));
      const cases: Partial<RecordFilter>[] = [
        { host: 'b.example' },
        { status: 404 },
        { outcome: 'target_error' },
        { scraper: 'browser' },
        { keyId: 'key2' },
        { errorCode: 'connect.refused' },
        { tag: { name: 'team', value: 'blue' } },
        { tag: { name: 'a.b"c', value: "d'e" } },
        { tag: { name: 'q:ü', value: '"\\\n' } },
        { from: T0 + 5, to: T0 + 6 },
        { path: '/PAGE/5' },
        { ids: [idAt(T0 + 5), idAt(T0 + 500), 'x'] },
      ];
      cases.push(Object.assign({}, ...cases));
      for (const userId of [ANNA, null]) {
        for (const one of cases) {
          const { items } = await records.list(filter({ ...one, userId }), 10, null);
          assert.deepEqual(
            items.map((item) => item.id),
            [idAt(T0 + 5)],
            JSON.stringify(one),
          );
        }
      }
      for (const none of [
        { tag: { name: 'team', value: 'blu' } },
        { tag: { name: 'blue', value: 'team' } },
        { host: '%' },
        { path: 'example.com' },
        { path: '/p_ge' },
        { path: '%' },
        { ids: ['x'] },
        { ids: [idAt(T0 + 5)], path: '/page/6' },
      ]) {
        assert.deepEqual((await records.list(filter(none), 10, null)).items, []);
      }
    });

    test('named records are found however many are newer', async (t) => {
      const { records } = await open(t);
      for (let n = 0; n < 6; n++) await records.put(record(n, { userId: n % 2 ? ANNA : BERT }));
      const ids = [idAt(T0 + 1), idAt(T0), idAt(T0 + 3)];
      const found = async (userId: string | null) => {
        const first = await records.list(filter({ userId, ids }), 1, null);
        const rest =
          first.next === null ? [] : (await records.list(filter({ userId, ids }), 9, first.next)).items;
        return [...first.items, ...rest].map(({ createdAt }) => createdAt - T0);
      };
      assert.deepEqual(await found(ANNA), [3, 1]);
      assert.deepEqual(await found(null), [3, 1, 0]);
      const { totals, next } = await records.totals(filter({ ids }), null);
      assert.deepEqual([totals.map(({ count }) => count), next], [[2], null]);
    });

    test('records are added up by minute and outcome, with a filter and without', async (t) => {
      const { records } = await open(t);
      // T0 is 5 s after a full minute.
      const minute = T0 - 5_000;
      await records.put(record(0, { requestCost: 0.5, contentBytes: 10 }));
      await records.put(record(1, { requestCost: 0.25, contentBytes: null }));
      await records.put(record(2, { outcome: 'failed', host: 'b.example', userId: BERT }));
      await records.put(record(60_000, { contentBytes: 7, url: 'https://example.com/a?b' }));
      const found = async (change: Partial<RecordFilter>) => {
        const { totals, next } = await records.totals(filter(change), null);
        assert.equal(next, null);
        const ordered = totals.toSorted((a, b) => a.minute - b.minute || a.outcome.localeCompare(b.outcome));
        return ordered.map((one) => [
          one.minute - minute,
          one.outcome,
          one.count,
          one.bytes,
          one.cost,
          one.priced,
        ]);
      };
      const early = [0, 'ok', 2, 10, 0.75, 2];
      const late = [60_000, 'ok', 1, 7, 0, 0];
      assert.deepEqual(await found({}), [early, late]);
      assert.deepEqual(await found({ userId: null }), [[0, 'failed', 1, 5, 0, 0], early, late]);
      assert.deepEqual(await found({ path: '?B' }), [late]);
      assert.deepEqual(await found({ to: T0 + 60_000 }), [early]);
      assert.deepEqual(await found({ userId: 'x' }), []);
    });

    test('of a host, the records of some origins only', async (t) => {
      const { records } = await open(t);
      const urls = [
        'http://a.example/x',
        'http://a.example:8080/',
        'https://a.example/',
        'http://a.example:80801/',
      ];
      for (const [n, url] of [...urls, null].entries())
        await records.put(record(n, { url, host: 'a.example' }));
      const found = async (...origins: string[]) =>
        (await records.list(filter({ host: 'a.example', origins }), 10, null)).items.map(({ url }) => url);
      assert.deepEqual(await found('http://a.example:8080/', 'https://a.example:8080/'), [urls[1]]);
      assert.deepEqual(await found('http://a.example/', 'https://a.example/'), [urls[2], urls[0]]);
      assert.deepEqual(await found('http://a.%/'), []);
    });

    test('from is inclusive, to exclusive', async (t) => {
      const { records } = await open(t);
      for (let n = 0; n < 5; n++) await records.put(record(n));
      const times = async (from: number | null, to: number | null) =>
        (await records.list(filter({ from, to }), 10, null)).items.map((item) => item.createdAt - T0);
      assert.deepEqual(await times(T0 + 2, null), [4, 3, 2]);
      assert.deepEqual(await times(null, T0 + 2), [1, 0]);
      assert.deepEqual(await times(T0 + 1, T0 + 4), [3, 2, 1]);
      assert.deepEqual(await times(-1, 2 ** 53 - 1), [4, 3, 2, 1, 0]);
      assert.deepEqual(await times(T0 + 3, T0 + 3), []);
    });

    test('oldest first, page by page, with a filter and without', async (t) => {
      const { records } = await open(t);
      for (let n = 0; n < 7; n++) await records.put(record(n, { statusCode: n % 2 ? 404 : 200 }));
      const times = async (change: Partial<RecordFilter>, limit: number) =>
        (await allIds(records, filter({ oldestFirst: true, ...change }), limit)).map(
          (id) => uuid7Time(id) - T0,
        );
      assert.deepEqual(await times({}, 3), [0, 1, 2, 3, 4, 5, 6]);
      assert.deepEqual(await times({ status: 404 }, 2), [1, 3, 5]);
      assert.deepEqual(await times({ userId: null, from: T0 + 2, to: T0 + 5 }, 1), [2, 3, 4]);
    });

    test('delete gives what was deleted, once', async (t) => {
      const { records } = await open(t);
      await records.put(record(1, { content: null, contentInBlob: true }));
      await records.put(record(2));
      assert.deepEqual(await records.delete(idAt(T0 + 1), ANNA), { blobs: [idAt(T0 + 1)] });
      assert.deepEqual(await records.delete(idAt(T0 + 2), null), { blobs: [] });
      assert.equal(await records.delete(idAt(T0 + 1), ANNA), null);
      assert.equal(await records.get(idAt(T0 + 2), ANNA), null);
      assert.equal(await records.request(idAt(T0 + 2), ANNA), null);
      assert.deepEqual((await records.list(filter(), 10, null)).items, []);
    });

    test('a sweep takes the oldest first, so many at a time, of every user', async (t) => {
      const { records } = await open(t);
      for (let n = 0; n < 10; n++) {
        await records.put(
          record(n, { userId: n % 2 ? ANNA : BERT, content: null, contentInBlob: n % 3 === 0 }),
        );
      }
      assert.deepEqual(await records.sweep(T0 + 7, 5), { deleted: 5, blobs: [idAt(T0), idAt(T0 + 3)] });
      assert.deepEqual(await records.sweep(T0 + 7, 5), { deleted: 2, blobs: [idAt(T0 + 6)] });
      assert.deepEqual(await records.sweep(T0 + 7, 5), { deleted: 0, blobs: [] });
      const left = await records.list(filter({ userId: null }), 10, null);
      assert.deepEqual(
        left.items.map((item) => item.createdAt - T0),
        [9, 8, 7],
      );
    });

    test('contents are given up oldest first, of every user; lines and answers stay', async (t) => {
      const store = await open(t);
      const { records } = store;
      const puts = Array.from({ length: 10 }, (_, n) =>
        record(n, {
          userId: n % 2 ? ANNA : BERT,
          ...(n % 3 === 0 ? { content: null, contentInBlob: true, contentBytes: 300_000 } : {}),
          ...(n === 4 ? { content: null, contentEncoding: null, contentBytes: null } : {}),
        }),
      );
      for (const put of puts) await records.put(put);
      const given = (n: number): NewRecord => ({
        ...{ ...puts[n]!, content: null, contentEncoding: null, contentInBlob: false },
      });

      const first = await records.discard('contents', null, 5);
      assert.deepEqual(first, { count: 5, blobs: [idAt(T0), idAt(T0 + 3)], last: idAt(T0 + 5) });
      for (let n = 0; n < 10; n++) await assertStored(records, n < 6 ? given(n) : puts[n]!);
      assert.deepEqual(await records.referencedBlobs(puts.map((put) => put.id)), [
        idAt(T0 + 6),
        idAt(T0 + 9),
      ]);

      // A record that was deleted meanwhile, and one that takes the place of its body.
      await records.delete(idAt(T0 + 9), null);
      await records.put(record(20));
      const rest = await records.discard('contents', first.last, 100);
      assert.deepEqual(rest, { count: 4, blobs: [idAt(T0 + 6)], last: idAt(T0 + 20) });
      for (let n = 0; n < 9; n++) await assertStored(records, given(n));
      assert.deepEqual(await records.discard('contents', rest.last, 100), {
        count: 0,
        blobs: [],
        last: null,
      });
      assert.equal((await records.discard('contents', null, 100)).count, 0, 'nothing is given up twice');
    });

    test('pictures are blobs of their own: told when a record goes, and given up after contents', async (t) => {
      const { records } = await open(t);
      const png = { type: 'image/png', bytes: 12_345 } as const;
      const many = [
        [],
        [{ type: 'image/webp', bytes: 0 }],
        [null, png],
        [png, { type: 'image/jpeg', bytes: 7 }, png],
      ] as const;
      const puts = many.map((pictures, n) =>
        record(n, { pictures, hasScreenshot: n % 2 === 1, contentInBlob: n === 3, content: null }),
      );
      for (const put of puts) await records.put(put);
      for (const put of puts) await assertStored(records, put);
      const id = (n: number) => idAt(T0 + n);
      const keys = [
        ...[id(0), `${id(1)}-0`, `${id(2)}-1`, id(3), `${id(3)}-0`, `${id(3)}-1`, `${id(3)}-2`],
        ...[`${id(0)}-0`, `${id(2)}-0`, id(2), `${id(3)}-3`, `${id(4)}-0`, `${id(3)}-`],
      ];
      const there = [`${id(1)}-0`, `${id(2)}-1`, id(3), `${id(3)}-0`, `${id(3)}-1`, `${id(3)}-2`];
      assert.deepEqual(await records.referencedBlobs(keys), there);

      const given = await records.discard('pictures', null, 2);
      assert.deepEqual(given, { count: 2, blobs: [`${id(1)}-0`, `${id(2)}-1`], last: id(2) });
      for (const n of [1, 2])
        await assertStored(records, { ...puts[n]!, pictures: [], hasScreenshot: false });
      await assertStored(records, puts[3]!);
      const contents = await records.discard('contents', id(2), 9);
      assert.deepEqual(contents, { count: 1, blobs: [id(3)], last: id(3) });
      assert.deepEqual(await records.delete(id(3), ANNA), {
        blobs: [`${id(3)}-0`, `${id(3)}-1`, `${id(3)}-2`],
      });
      await records.put(record(5, { pictures: [png], hasScreenshot: true }));
      assert.deepEqual(await records.sweep(T0 + 10, 100), { deleted: 4, blobs: [`${id(5)}-0`] });
    });

    test('files are blobs of their own too, given up before pictures or after them', async (t) => {
      const { records } = await open(t);
      const id = (n: number) => idAt(T0 + n);
      const file = { name: 'a "b", ü.pdf', type: 'application/pdf', bytes: 7 };
      const png = { type: 'image/png', bytes: 5 } as const;
      const puts = [
        record(0, { files: [file] }),
        record(1, { files: [null, file, { ...file, bytes: 0 }], pictures: [png], hasScreenshot: true }),
        record(2, { pictures: [png], hasScreenshot: true, contentInBlob: true, content: null }),
      ];
      for (const put of puts) await records.put(put);
      for (const put of puts) await assertStored(records, put);
      const there = [`${id(0)}-f-0`, `${id(1)}-0`, `${id(1)}-f-1`, `${id(1)}-f-2`];
      const gone = [`${id(0)}-0`, `${id(0)}-f-1`, `${id(1)}-f-0`, `${id(2)}-f-0`, `${id(1)}-f-`];
      assert.deepEqual(await records.referencedBlobs([...there, ...gone]), there);
      const given = await records.discard('files', null, 9);
      assert.deepEqual(given, {
        count: 2,
        blobs: [`${id(0)}-f-0`, `${id(1)}-f-1`, `${id(1)}-f-2`],
        last: id(2),
      });
      for (const put of puts) await assertStored(records, { ...put, files: [] });
      await records.put(record(5, { files: [null, file], pictures: [png], hasScreenshot: true }));
      const pictures = await records.discard('pictures', id(2), 9);
      assert.deepEqual(pictures.blobs, [`${id(5)}-0`]);
      assert.deepEqual(await records.delete(id(5), null), { blobs: [`${id(5)}-f-1`] });
    });

    test('a number that is kept is the first that was given', async (t) => {
      const store = await open(t);
      assert.equal(await store.getOrInsert('one', 5_000_000_000), 5_000_000_000);
      assert.equal(await store.getOrInsert('one', 2), 5_000_000_000);
      assert.equal(await store.getOrInsert('other', 2), 2);
    });

    test('withBlob tells the ids that have a record with a blob', async (t) => {
      const { records } = await open(t);
      for (let n = 0; n < 4; n++) {
        await records.put(record(n, { userId: n % 2 ? ANNA : BERT, content: null, contentInBlob: n > 1 }));
      }
      const asked = Array.from({ length: 2_500 }, (_, n) => idAt(T0 + n));
      assert.deepEqual((await records.referencedBlobs(asked)).toSorted(), [idAt(T0 + 2), idAt(T0 + 3)]);
      assert.deepEqual(await records.referencedBlobs([]), []);
    });
  });
}

/** What a Store whose database is a file must do about its size. */
export function fileUsageContract(name: string, open: (t: TestContext) => Promise<Store>): void {
  describe(`${name}: usage`, () => {
    test('what contents took is free when they are given up, and can be given back', async (t) => {
      const store = await open(t);
      const putAll = (from: number, to: number, length: number) =>
        Promise.all(
          Array.from({ length: to - from }, (_, n) =>
            store.records.put(record(from + n, { content: noise(from + n, length) })),
          ),
        );
      const giveUpAll = async () => {
        let { last } = await store.records.discard('contents', null, 20);
        while (last !== null) last = (await store.records.discard('contents', last, 20)).last;
      };
      const empty = await store.usage();
      // Small ones share pages with what stays of their records.
      await putAll(0, 1_500, 2_000);
      const small = await store.usage();
      await giveUpAll();
      const freed = small.used - (await store.usage()).used;
      assert.ok(freed > 1_500_000, `${freed} of 3,000,000`);
      await putAll(2_000, 2_060, 100_000);
      const full = await store.usage();
      assert.ok(full.used > 6_000_000 && full.used < empty.used + 12_000_000, `${full.used}`);
      await giveUpAll();
      const given = await store.usage();
      assert.ok(given.used < small.used - 1_500_000, `${given.used}`);
      for (let n = 0; await store.shrink(1_000_000); n++) assert.ok(n < 1_000);
      const shrunk = await store.usage();
      assert.ok(shrunk.free <= 1_100_000, `${shrunk.free}`);
      assert.equal(shrunk.used, given.used);
    });
  });
}

async function assertStored(records: RecordStore, put: NewRecord): Promise<void> {
  const got = await records.get(put.id, put.userId);
  assert.ok(got, 'the record is there');
  const { requestJson, content, ...rest } = put;
  const { content: gotContent, ...gotRest } = got;
  assert.deepEqual(gotRest, rest);
  assert.deepEqual(gotContent && Buffer.from(gotContent), content && Buffer.from(content));
  assert.equal(await records.request(put.id, put.userId), requestJson);
  const { items } = await records.list(filter({ userId: put.userId, from: null }), 200, null);
  const listed = items.find((item) => item.id === put.id);
  if (listed !== undefined) assert.deepEqual(listed, summaryOf(put));
}

function summaryOf(put: NewRecord): RecordSummary {
  const summary: Partial<NewRecord> = { ...put };
  for (const member of HEAVY) delete summary[member];
  return summary as RecordSummary;
}

async function hosts(records: RecordStore, by: RecordFilter): Promise<string[]> {
  return (await records.list(by, 200, null)).items.map((item) => item.host);
}

async function allIds(records: RecordStore, by: RecordFilter, limit: number): Promise<string[]> {
  const ids: string[] = [];
  let after: string | null = null;
  do {
    const page = await records.list(by, limit, after);
    assert.ok(page.items.length <= limit);
    assert.equal(page.next === null || page.next === page.items.at(-1)!.id, true);
    ids.push(...page.items.map((item) => item.id));
    after = page.next;
  } while (after !== null);
  return ids;
}
