import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { newestFirst, SCHEDULE_SORTS, sortedValue } from '../../src/domain/run-lists.ts';
import type { DueTimes } from '../../src/domain/schedules.ts';
import type { MissedRuns, NewSchedule, ScheduleStore } from '../../src/ports/schedules.ts';
import type { Store } from '../../src/ports/store.ts';
import { ANNA, BERT, idAt, item, job, T0 } from './samples.ts';

function schedule(n: number, change: Partial<NewSchedule> = {}): NewSchedule {
  return {
    id: idAt(T0 + n),
    userId: ANNA,
    keyId: 'key-1',
    name: 'nightly',
    kind: 'scrape',
    request: '{"url":"https://a.test/"}',
    spec: new Uint8Array([1]),
    schedule: { everyS: 60 },
    jitterS: 0,
    overlap: 'skip',
    export: null,
    exportSpec: null,
    datasetId: null,
    nextAt: T0 + 100,
    createdAt: T0,
    notify: { source: 'schedule', title: 'nightly', events: ['failed'], channels: [] },
    ...change,
  };
}

const times = (first: number, last = first, count = 1): DueTimes => ({ first, last, count });
const missed = (at: DueTimes, reason = 'overlap'): MissedRuns => ({ times: at, reason, message: null });
const JOB = idAt(T0, 50);

/** The runs, newest first, in short. */
const runsOf = async (schedules: ScheduleStore, id: string) =>
  (await schedules.runs(id, 100, null)).map((run) => [
    run.state,
    run.reason,
    run.missed,
    run.dueAt,
    run.lastDueAt,
  ]);

/** What the ScheduleStore of every implementation must do. `open` gives an empty store and closes it after the test. */
export function scheduleStoreContract(name: string, open: (t: TestContext) => Promise<Store>): void {
  describe(`${name}: schedules`, () => {
    test('a schedule comes back as it was made and changed, and only to its user', async (t) => {
      const { schedules, notifications } = await open(t);
      const { notify, ...made } = schedule(1);
      assert.equal(await schedules.create({ ...made, notify }, 2), true);
      assert.deepEqual(await notifications.notifyOf(made.id), notify);
      const state = { state: 'active', pauseReason: null, lastN: 0 };
      assert.deepEqual(await schedules.get(made.id, ANNA), { ...made, ...state });
      assert.equal(await schedules.get(made.id, BERT), null);
      assert.equal(await schedules.create(schedule(2), 2), true);
      assert.equal(await schedules.create(schedule(3), 2), false, 'the limit is reached');
      assert.equal(await notifications.notifyOf(schedule(3).id), null);
      assert.equal(await schedules.create(schedule(4, { userId: BERT }), 2), true);
      const listed = async (after: string | null) =>
        (
          await schedules.list(ANNA, {
            ...newestFirst(1),
            after: after === null ? null : { value: 0, id: after },
          })
        ).map(({ id }) => id);
      const named = async (search: string) =>
        (await schedules.list(ANNA, { ...newestFirst(9), search })).map(({ id }) => id);
      assert.deepEqual(await listed(null), [schedule(2).id]);
      assert.deepEqual(await listed(schedule(2).id), [made.id]);
      assert.deepEqual(await named('IGH'), [schedule(2).id, made.id]);
      assert.deepEqual(await named('%'), []);
      const change = {
        name: 'other',
        overlap: 'queue',
        schedule: { cron: '0 8 * * *', timezone: 'UTC' },
      } as const;
      await schedules.update(made.id, change);
      assert.deepEqual(await schedules.get(made.id, null), { ...made, ...state, ...change });
      assert.deepEqual(await notifications.notifyOf(made.id), { ...notify, title: 'other' });
      const told = { ...notify, events: ['done'] } as const;
      await schedules.update(made.id, { notify: told });
      assert.deepEqual(await notifications.notifyOf(made.id), told);
      await schedules.moveKey('key-1', 'key-2');
      assert.equal((await schedules.get(made.id, null))!.keyId, 'key-2');
      assert.equal(await schedules.delete(made.id), true);
      assert.equal(await schedules.delete(made.id), false);
      assert.equal(await schedules.get(made.id, null), null);
      assert.equal(await notifications.notifyOf(made.id), null);
    });

    test('lists are sorted by name and next run, in pages, in both directions', async (t) => {
      const { schedules } = await open(t);
      const made = [
        schedule(1, { name: 'b', nextAt: T0 + 5 }),
        schedule(2, { name: 'A', nextAt: T0 + 9 }),
        schedule(3, { name: 'c', nextAt: T0 + 1 }),
        schedule(4, { name: 'a', nextAt: T0 + 9 }),
      ];
      for (const one of made) await schedules.create(one, 9);
      await schedules.pause(made[2]!.id, 'asked');
      const pages = async (sort: (typeof SCHEDULE_SORTS)[number], descending: boolean) => {
        const numbers: number[] = [];
        for (let after = null; numbers.length < 9; ) {
          const [row] = await schedules.list(ANNA, { ...newestFirst(1), sort, descending, after });
          if (row === undefined) break;
          numbers.push(made.findIndex(({ id }) => id === row.id) + 1);
          after = { value: sortedValue(row, sort), id: row.id } as never;
        }
        return numbers.join('');
      };
      assert.deepEqual(
        await Promise.all(
          SCHEDULE_SORTS.map(async (sort) => [await pages(sort, false), await pages(sort, true)]),
        ),
        [
          ['1234', '4321'],
          ['2413', '3142'],
          ['1243', '3421'],
        ],
      );
    });

    test('that jobs do not start is told once for each reason in a row', async (t) => {
      const { schedules, notifications } = await open(t);
      const { id } = schedule(1);
      await schedules.create(schedule(1), 9);
      const runs: (string | null)[] = ['limit.jobs', 'limit.jobs', 'auth.invalid', null, 'auth.invalid'];
      for (const [index, reason] of runs.entries()) {
        const now = T0 + index;
        const n = (await schedules.begin(id, { claim: null, dueAt: now, jobId: idAt(now, 50) }))!;
        const end =
          reason === null
            ? { state: 'ended' as const, reason, message: null }
            : { state: 'missed' as const, reason, message: `${reason}!`, refused: true };
        await schedules.endRun(id, n, { ...end, now });
        await schedules.endRun(id, n, { ...end, now });
      }
      const told = await notifications.list({ userId: ANNA, unread: false }, 9, null);
      const seen = told.map(({ type, sourceId, sequence, title, facts }) => [
        ...[type, sourceId, sequence, title, facts.error],
      ]);
      const one = (n: number, error: string) => ['schedule.failed', id, n, 'nightly', error];
      assert.deepEqual(seen, [one(5, 'auth.invalid!'), one(3, 'auth.invalid!'), one(1, 'limit.jobs!')]);
    });

    test('a due time begins one run or is missed once, whoever sees it', async (t) => {
      const { schedules } = await open(t);
      const { id } = schedule(1);
      await schedules.create(schedule(1), 9);
      assert.deepEqual(await schedules.due(T0 + 99, 9), []);
      assert.deepEqual(
        (await schedules.due(T0 + 100, 9)).map((one) => one.id),
        [id],
      );
      const claim = { dueAt: T0 + 100, nextAt: T0 + 200 };
      const run = { claim, dueAt: T0 + 100, jobId: JOB };
      const begun = await Promise.all([
        schedules.begin(id, run),
        schedules.begin(id, run),
        schedules.begin(id, run),
      ]);
      assert.deepEqual(
        begun.filter((n) => n !== null),
        [1],
      );
      await schedules.miss(id, claim, missed(times(T0 + 100)));
      assert.deepEqual(await runsOf(schedules, id), [['running', null, 0, T0 + 100, T0 + 100]]);
      assert.equal(
        await schedules.begin(id, { claim: null, dueAt: T0 + 150, jobId: idAt(T0, 51) }),
        null,
        'one is under way',
      );
      const next = { dueAt: T0 + 200, nextAt: T0 + 300 };
      await Promise.all([1, 2, 3].map(() => schedules.miss(id, next, missed(times(T0 + 200)))));
      assert.deepEqual(await runsOf(schedules, id), [
        ['missed', 'overlap', 1, T0 + 200, T0 + 200],
        ['running', null, 0, T0 + 100, T0 + 100],
      ]);
      await schedules.pause(id, 'asked');
      assert.deepEqual(await schedules.due(T0 + 300, 9), []);
      assert.equal(
        await schedules.begin(id, { claim: { dueAt: T0 + 300, nextAt: null }, dueAt: T0 + 300, jobId: JOB }),
        null,
      );
    });

    test('nothing is listed of a claim that fails before the first run', async (t) => {
      const { schedules } = await open(t);
      const { id } = schedule(1);
      await schedules.create(schedule(1), 9);
      const claim = { dueAt: T0 + 99, nextAt: null };
      assert.equal(await schedules.begin(id, { claim, dueAt: T0 + 99, jobId: JOB }), null);
      await schedules.miss(id, claim, missed(times(T0 + 99)));
      assert.deepEqual(await runsOf(schedules, id), []);
    });

    test('due times that were missed in a row for one reason are one row', async (t) => {
      const { schedules } = await open(t);
      const { id } = schedule(1);
      await schedules.create(schedule(1), 9);
      const miss = (dueAt: number, at: DueTimes, reason?: string) =>
        schedules.miss(id, { dueAt, nextAt: dueAt + 100 }, missed(at, reason));
      await miss(T0 + 100, times(T0 + 100, T0 + 150, 3));
      await miss(T0 + 200, times(T0 + 200));
      assert.deepEqual(await runsOf(schedules, id), [['missed', 'overlap', 4, T0 + 100, T0 + 200]]);
      await miss(T0 + 300, times(T0 + 300), 'down');
      await miss(T0 + 400, times(T0 + 400), 'overlap');
      assert.deepEqual(await runsOf(schedules, id), [
        ['missed', 'overlap', 1, T0 + 400, T0 + 400],
        ['missed', 'down', 1, T0 + 300, T0 + 300],
        ['missed', 'overlap', 4, T0 + 100, T0 + 200],
      ]);
      await schedules.pause(id, 'asked');
      assert.equal(
        await schedules.resume(id, null, T0 + 900, missed(times(T0 + 500, T0 + 800, 4), 'paused')),
        true,
      );
      assert.equal(await schedules.resume(id, null, T0 + 900, missed(times(T0 + 500), 'paused')), false);
      assert.deepEqual((await runsOf(schedules, id))[0], ['missed', 'paused', 4, T0 + 500, T0 + 800]);
      assert.partialDeepStrictEqual(await schedules.get(id, null), {
        keyId: null,
        nextAt: T0 + 900,
        state: 'active',
      });
    });

    test('one run waits for the end of the one before', async (t) => {
      const { schedules } = await open(t);
      const { id } = schedule(1);
      await schedules.create(schedule(1, { overlap: 'queue' }), 9);
      await schedules.begin(id, {
        claim: { dueAt: T0 + 100, nextAt: T0 + 200 },
        dueAt: T0 + 100,
        jobId: JOB,
      });
      assert.equal(
        await schedules.wait(id, { claim: { dueAt: T0 + 200, nextAt: T0 + 300 }, dueAt: T0 + 200 }),
        2,
      );
      assert.equal(
        await schedules.wait(id, { claim: { dueAt: T0 + 300, nextAt: T0 + 400 }, dueAt: T0 + 300 }),
        null,
      );
      assert.equal((await schedules.get(id, null))!.nextAt, T0 + 300, 'the due time is not taken');
      assert.deepEqual(await schedules.waiting(), []);
      assert.equal(await schedules.beginWaiting(id, 2, idAt(T0, 51)), false);
      const end = { state: 'ended', reason: null, message: null, now: T0 + 250 } as const;
      assert.equal(await schedules.endRun(id, 1, end), true);
      assert.equal(await schedules.endRun(id, 1, end), false);
      assert.deepEqual(
        (await schedules.waiting()).map((one) => [one.schedule.id, one.n]),
        [[id, 2]],
      );
      assert.equal(await schedules.beginWaiting(id, 2, idAt(T0, 51)), true);
      assert.equal(await schedules.beginWaiting(id, 2, idAt(T0, 52)), false);
      assert.deepEqual(await schedules.waiting(), []);
    });

    test('a run under way has the state of its job', async (t) => {
      const { schedules, jobs } = await open(t);
      const { id } = schedule(1);
      await schedules.create(schedule(1), 9);
      await schedules.begin(id, { claim: null, dueAt: T0, jobId: JOB });
      const running = async () =>
        (await schedules.running()).map((run) => [run.n, run.jobState, run.startedAt]);
      assert.deepEqual(await running(), [[1, null, null]]);
      await jobs.create(job(1, { id: JOB, scheduleId: id }));
      assert.deepEqual(await running(), [[1, null, null]], 'a job that has not started is none');
      await jobs.add(JOB, [item('https://a.test/')], T0);
      await jobs.start(JOB, T0, { openJobs: 9, queuedItems: 9 });
      await schedules.started(id, 1, T0 + 5);
      assert.deepEqual(await running(), [[1, 'queued', T0 + 5]]);
      await schedules.endRun(id, 1, {
        state: 'missed',
        reason: 'limit.jobs',
        message: 'Too many.',
        now: T0 + 6,
      });
      assert.deepEqual(await running(), []);
      assert.partialDeepStrictEqual((await schedules.runs(id, 1, null))[0], {
        state: 'missed',
        missed: 1,
        reason: 'limit.jobs',
        message: 'Too many.',
        endedAt: T0 + 6,
        jobState: 'queued',
      });
    });

    test('old rows of runs are deleted, those under way stay', async (t) => {
      const { schedules } = await open(t);
      const { id } = schedule(1);
      await schedules.create(schedule(1), 9);
      await schedules.begin(id, { claim: null, dueAt: T0, jobId: JOB });
      for (let n = 1; n <= 4; n++)
        await schedules.miss(
          id,
          { dueAt: T0 + n * 100, nextAt: T0 + (n + 1) * 100 },
          missed(times(T0 + n), `r${n}`),
        );
      await schedules.sweep(id, 2);
      assert.deepEqual(
        (await schedules.runs(id, 9, null)).map(({ n }) => n),
        [5, 4, 1],
      );
      assert.deepEqual(
        (await schedules.runs(id, 9, 5)).map(({ n }) => n),
        [4, 1],
      );
    });
  });
}
