import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import type { Clock } from '../../src/base/time.ts';
import type { Principal } from '../../src/domain/account.ts';
import { failure } from '../../src/domain/failure.ts';
import type { Schedule } from '../../src/domain/monitors.ts';
import type { NewSchedule } from '../../src/ports/schedules.ts';
import type { Store } from '../../src/ports/store.ts';
import { nextRun } from '../../src/runs/schedule.ts';
import { startScheduleEngine } from '../../src/schedules/engine.ts';
import { useSqlite } from '../adapters/open-sqlite.ts';
import { afterwards } from '../adapters/temp.ts';
import { ANNA, idAt, item, job } from '../contracts/samples.ts';
import { eventually } from '../helpers/service.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const at = (text: string): number => Date.parse(text);

/** A clock that the test sets. */
class SetClock implements Clock {
  ms: number;
  constructor(ms: number) {
    this.ms = ms;
  }
  now = () => this.ms;
  monotonic = () => performance.now();
}

const PRINCIPAL = { userId: ANNA, keyId: 'key-1' } as Principal;

interface Setting {
  readonly store: Store;
  readonly clock: SetClock;
  /** Due times of the runs that began, the oldest first; and of those that were missed, with the reason. */
  runs(): Promise<string[]>;
  /** Ends the job of the run under way. */
  endJob(): Promise<void>;
  /** Waits until the schedule is due after the present time, or never. */
  settled(): Promise<void>;
}

/** A real store and engine; jobs have one item, which nobody runs. */
async function setUp(
  t: TestContext,
  store: Store,
  start: string,
  change: Partial<NewSchedule>,
  startJob: (jobId: string) => Promise<ReturnType<typeof failure> | null> = async () => null,
): Promise<Setting> {
  const clock = new SetClock(at(start));
  const { schedules, jobs } = store;
  const made: NewSchedule = {
    id: idAt(clock.ms),
    userId: ANNA,
    keyId: 'key-1',
    name: 'nightly',
    kind: 'scrape',
    request: '{}',
    spec: new Uint8Array([1]),
    schedule: { everyS: 60 },
    jitterS: 0,
    overlap: 'skip',
    export: null,
    exportSpec: null,
    datasetId: null,
    nextAt: null,
    createdAt: clock.ms,
    notify: { source: 'schedule', title: 'nightly', events: ['failed'], channels: [] },
    ...change,
  };
  const { id, schedule } = made;
  const nextAt = nextRun(id, schedule, 0, { after: clock.ms, createdAt: clock.ms });
  await schedules.create({ ...made, nextAt }, 9);
  const errors: unknown[] = [];
  const engine = startScheduleEngine({
    schedules,
    datasets: store.datasets,
    jobs,
    accounts: { currentJobPrincipal: async () => PRINCIPAL },
    limits: {
      take: async () => ({ remaining: 0, signal: new AbortController().signal, release: () => {} }),
    },
    isShared: false,
    clock,
    onError: (error) => errors.push(error),
    async startJob(_, jobId) {
      const refused = await startJob(jobId);
      if (refused !== null) return refused;
      await jobs.create(job(1, { id: jobId, scheduleId: id }));
      await jobs.add(jobId, [item('https://a.test/')], clock.ms);
      await jobs.start(jobId, clock.ms, { openJobs: 99, queuedItems: 99 });
      return null;
    },
  });
  afterwards(t, async () => {
    await engine.stop();
    assert.deepEqual(errors, []);
  });
  return {
    store,
    clock,
    async runs() {
      const text = (ms: number) => new Date(ms).toISOString().slice(0, 16);
      return (await schedules.runs(id, 100, null))
        .toReversed()
        .map(({ state, reason, dueAt, lastDueAt, missed }) =>
          state === 'missed'
            ? `${reason} ${missed} ${text(dueAt)} ${text(lastDueAt)}`
            : `${state} ${text(dueAt)}`,
        );
    },
    async endJob() {
      const [run] = await schedules.running();
      await eventually(async () => {
        // Again, because the job may be about to start.
        await jobs.cancel(run!.jobId!, clock.ms);
        return (await schedules.running()).every((one) => one.jobId !== run!.jobId);
      });
    },
    async settled() {
      await eventually(async () => {
        const row = await schedules.get(id, null);
        return row!.nextAt === null || row!.nextAt > clock.ms;
      });
    },
  };
}

describe('the engine of schedules', () => {
  const open = useSqlite();
  const everyHalfHour: Schedule = { cron: '*/30 * * * *', timezone: 'Europe/Berlin' };
  const daily: Schedule = { cron: '30 2 * * *', timezone: 'Europe/Berlin' };

  test('a run that is due while one is under way is missed; the next one begins', async (t) => {
    const { clock, runs, endJob, settled } = await setUp(t, await open(t), '2026-01-01T00:00:00Z', {});
    for (let n = 0; n < 3; n++) {
      clock.ms += MINUTE;
      await settled();
    }
    assert.deepEqual(await runs(), [
      'running 2026-01-01T00:01',
      'overlap 2 2026-01-01T00:02 2026-01-01T00:03',
    ]);
    await endJob();
    clock.ms += MINUTE;
    await settled();
    assert.deepEqual((await runs()).slice(1), [
      'overlap 2 2026-01-01T00:02 2026-01-01T00:03',
      'running 2026-01-01T00:04',
    ]);
  });

  test('with `queue` one run waits for the end of the one before, and more are missed', async (t) => {
    const { clock, runs, endJob, settled } = await setUp(t, await open(t), '2026-01-01T00:00:00Z', {
      overlap: 'queue',
    });
    for (let n = 0; n < 4; n++) {
      clock.ms += MINUTE;
      await settled();
    }
    const missed = 'overlap 2 2026-01-01T00:03 2026-01-01T00:04';
    assert.deepEqual(await runs(), ['running 2026-01-01T00:01', 'waiting 2026-01-01T00:02', missed]);
    await endJob();
    await eventually(async () => (await runs())[1]!.startsWith('running'));
    assert.deepEqual(await runs(), ['ended 2026-01-01T00:01', 'running 2026-01-01T00:02', missed]);
  });

  test('after the service was down, the last due time runs once, and the others are told', async (t) => {
    const { clock, runs, settled } = await setUp(t, await open(t), '2026-01-01T00:00:00Z', {});
    clock.ms += 24 * HOUR;
    await settled();
    assert.deepEqual(await runs(), [
      'down 1439 2026-01-01T00:01 2026-01-01T23:59',
      'running 2026-01-02T00:00',
    ]);
  });

  test('a job that may not start is a missed run with the reason', async (t) => {
    const refused = failure('limit.jobs', 'Too many jobs.');
    const { clock, runs, settled } = await setUp(
      t,
      await open(t),
      '2026-01-01T00:00:00Z',
      {},
      async () => refused,
    );
    clock.ms += MINUTE;
    await settled();
    await eventually(async () => (await runs())[0]!.startsWith('limit.jobs'));
    assert.deepEqual(await runs(), ['limit.jobs 1 2026-01-01T00:01 2026-01-01T00:01']);
  });

  test('a clock that is set back an hour runs no due time again', async (t) => {
    const { clock, runs, endJob, settled } = await setUp(t, await open(t), '2026-01-01T00:00:00Z', {
      schedule: { cron: '0 * * * *', timezone: 'UTC' },
    });
    clock.ms += HOUR;
    await settled();
    await endJob();
    clock.ms -= HOUR;
    for (let n = 0; n < 4; n++) {
      clock.ms += HOUR / 2;
      await settled();
    }
    await endJob();
    assert.deepEqual(await runs(), ['ended 2026-01-01T01:00', 'ended 2026-01-01T02:00']);
  });

  for (const [name, schedule, from, hours, due] of [
    [
      'skipped',
      daily,
      '2026-03-28T00:00:00Z',
      72,
      ['2026-03-28T01:30', '2026-03-29T01:00', '2026-03-30T00:30'],
    ],
    ['repeated', daily, '2026-10-24T12:00:00Z', 48, ['2026-10-25T00:30', '2026-10-26T01:30']],
    [
      'repeated, each half hour',
      everyHalfHour,
      '2026-10-24T23:45:00Z',
      2,
      ['2026-10-25T00:00', '2026-10-25T00:30', '2026-10-25T01:00', '2026-10-25T01:30'],
    ],
  ] as const)
    test(`an hour that the clocks change, ${name}: each due time runs once`, async (t) => {
      const { clock, runs, store, endJob, settled } = await setUp(t, await open(t), from, { schedule });
      const steps = hours * 4;
      for (let n = 0; n < steps; n++) {
        clock.ms += HOUR / 4;
        await settled();
        if ((await store.schedules.running()).length > 0) await endJob();
      }
      assert.deepEqual(
        (await runs()).map((run) => run.replace('ended ', '')),
        due,
      );
    });
});
