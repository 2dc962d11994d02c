import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { nextRun, scheduleProblem } from '../../src/runs/schedule.ts';

const at = (text: string): number => Date.parse(text);
const ID = '01890000-0000-7000-8000-00000000000a';

/** The next times of a schedule, as text. */
function times(schedule: Parameters<typeof nextRun>[1], from: string, count: number, jitterS = 0): string[] {
  const found: string[] = [];
  let after = at(from);
  for (let n = 0; n < count; n++) {
    const next = nextRun(ID, schedule, jitterS, { after, createdAt: at(from) });
    assert.ok(next !== null && next > after);
    found.push(new Date(next).toISOString());
    after = next;
  }
  return found;
}

describe('the next run', () => {
  test('of a cron expression is in its time zone', () => {
    const schedule = { cron: '30 8 * * 1-5', timezone: 'Europe/Berlin' };
    assert.deepEqual(times(schedule, '2026-01-30T00:00:00Z', 2), [
      '2026-01-30T07:30:00.000Z',
      '2026-02-02T07:30:00.000Z',
    ]);
  });

  test('keeps the hour when the clocks change; an hour that does not exist runs once, one that comes twice too', () => {
    const daily = { cron: '0 8 * * *', timezone: 'Europe/Berlin' };
    assert.deepEqual(times(daily, '2026-03-28T00:00:00Z', 3), [
      '2026-03-28T07:00:00.000Z',
      '2026-03-29T06:00:00.000Z',
      '2026-03-30T06:00:00.000Z',
    ]);
    const skipped = times({ cron: '30 2 * * *', timezone: 'Europe/Berlin' }, '2026-03-28T12:00:00Z', 2);
    assert.equal(new Set(skipped.map((time) => time.slice(0, 10))).size, 2);
    const twice = times({ cron: '30 2 * * *', timezone: 'Europe/Berlin' }, '2026-10-24T12:00:00Z', 2);
    assert.deepEqual(
      twice.map((time) => time.slice(0, 10)),
      ['2026-10-25', '2026-10-26'],
    );
  });

  test('of an interval keeps its rhythm, also after a pause', () => {
    assert.deepEqual(times({ everyS: 90 }, '2026-01-01T00:00:00Z', 2), [
      '2026-01-01T00:01:30.000Z',
      '2026-01-01T00:03:00.000Z',
    ]);
    const createdAt = at('2026-01-01T00:00:00Z');
    const late = nextRun(ID, { everyS: 60 }, 0, { after: createdAt + 10 * 60_000 + 5, createdAt });
    assert.equal(late, createdAt + 11 * 60_000);
  });

  test('with jitter is later by the same time, within the jitter', () => {
    const schedule = { cron: '0 8 * * *', timezone: 'UTC' };
    const [first, second] = times(schedule, '2026-01-01T00:00:00Z', 2, 600);
    const late = at(first!) - at('2026-01-01T08:00:00Z');
    assert.ok(late > 0 && late < 600_000, String(late));
    assert.equal(at(second!) - at(first!), 86_400_000);
  });
});

describe('a schedule that cannot be used', () => {
  const now = at('2026-01-01T00:00:00Z');
  const cases: readonly [cron: string, timezone: string, path: string][] = [
    ['0 8 * *', 'UTC', '/cron'],
    ['0 8 * * * *', 'UTC', '/cron'],
    ['61 8 * * *', 'UTC', '/cron'],
    ['0 0 30 2 *', 'UTC', '/cron'],
    ['nonsense', 'UTC', '/cron'],
    ['0 8 * * *', 'Europe/Nowhere', '/timezone'],
  ];
  for (const [cron, timezone, path] of cases)
    test(`${cron} in ${timezone}`, () => {
      assert.equal(scheduleProblem({ cron, timezone }, now)?.path, path);
    });

  test('others have no problem', () => {
    assert.equal(scheduleProblem({ cron: '*/5 * * * *', timezone: 'Asia/Kathmandu' }, now), null);
    assert.equal(scheduleProblem({ everyS: 60 }, now), null);
  });
});
