import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type AlertReading, evaluateRule } from '../../src/alerts/transitions.ts';
import type { AlertEvent, AlertInstance, AlertRule, MetricConditions } from '../../src/domain/alerts.ts';

const RULE: AlertRule = {
  id: '01a21a10-04ab-7007-875e-493d0326704d',
  userId: '01a21a10-04ab-7007-875e-493d0326704e',
  name: 'Disk',
  kind: 'disk',
  conditions: { subject: null, threshold: 0.9, clearThreshold: 0.8, site: null },
  forS: 60,
  clearForS: 120,
  enabled: true,
  silencedUntil: null,
  createdAt: 0,
  lastN: 0,
  channels: [],
  instances: [],
};
const DAY_S = 86_400;

/** A rule that is evaluated again and again, with what is stored of it between. */
class Watched {
  rule: AlertRule;
  readonly events: AlertEvent[] = [];
  readonly late: number[] = [];

  constructor(change: Partial<AlertRule> = {}) {
    this.rule = { ...RULE, ...change };
  }

  /** @param values by subject */
  at(seconds: number, values: Readonly<Record<string, number>>): this {
    const readings = Object.entries(values).map(
      ([subject, value]): AlertReading => ({ subject, value, summary: `${subject} is ${value}` }),
    );
    const round = evaluateRule(this.rule, readings, seconds * 1000);
    const kept = new Map(this.rule.instances.map((instance) => [instance.subject, instance]));
    for (const subject of round.removed) kept.delete(subject);
    for (const instance of round.instances) kept.set(instance.subject, instance);
    this.events.push(...round.events);
    this.late.push(...round.late);
    this.rule = { ...this.rule, instances: [...kept.values()], lastN: this.rule.lastN + round.events.length };
    return this;
  }

  get told(): readonly string[] {
    return this.events.map(
      ({ n, state, subject, isSilenced }) => `${n} ${state} ${subject}${isSilenced ? ' silenced' : ''}`,
    );
  }

  get instances(): readonly string[] {
    return this.rule.instances.map(({ subject, state }: AlertInstance) => `${subject} ${state}`);
  }
}

describe('a rule', () => {
  it('fires after its duration, and is resolved after that of clearing', () => {
    const rule = new Watched().at(0, { a: 0.9 }).at(59, { a: 0.95 });
    assert.deepEqual([rule.told, rule.instances], [[], ['a pending']]);
    rule.at(60, { a: 0.91 });
    assert.deepEqual([rule.told, rule.instances], [['1 firing a'], ['a firing']]);
    assert.equal(rule.events[0]?.since, 0);
    rule.at(100, { a: 0.8 }).at(219, { a: 0.1 });
    assert.deepEqual(rule.instances, ['a firing']);
    rule.at(220, { a: 0.1 });
    assert.deepEqual([rule.told, rule.instances], [['1 firing a', '2 resolved a'], []]);
  });

  it('forgets what was too high for less than its duration', () => {
    const rule = new Watched().at(0, { a: 1 }).at(59, { a: 0.89 }).at(60, { a: 1 }).at(119, { a: 1 });
    assert.deepEqual([rule.told, rule.instances], [[], ['a pending']]);
    rule.at(119.5, {});
    assert.deepEqual(rule.instances, [], 'unknown');
  });

  it('sends one message for a value that goes up and down around its threshold', () => {
    const rule = new Watched({ forS: 0, clearForS: 10 });
    for (let s = 0; s < 1000; s++) rule.at(s, { a: s % 2 === 0 ? 0.9 : 0.81 });
    assert.deepEqual(rule.told, ['1 firing a']);
    // Short dips below the lower threshold do not end it either.
    for (let s = 1000; s < 2000; s++) rule.at(s, { a: s % 9 === 0 ? 0.9 : 0.7 });
    assert.deepEqual(rule.told, ['1 firing a']);
  });

  it('fires for each subject by itself, at most for fifty, the worst first', () => {
    const values = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`s${n}`, 0.9 + n / 1000]));
    const rule = new Watched({ forS: 0 }).at(0, values).at(5, values);
    assert.equal(rule.events.length, 50);
    assert.equal(rule.told[0], '1 firing s59');
    assert.ok(!rule.told.some((told) => told.endsWith(' s9')));
  });

  it('is resolved a day after the last that was heard of a subject', () => {
    const rule = new Watched({ forS: 0 })
      .at(0, { a: 1 })
      .at(10, {})
      .at(DAY_S + 9, {});
    assert.deepEqual(rule.instances, ['a firing']);
    rule.at(DAY_S + 10, {});
    assert.deepEqual(rule.told, ['1 firing a', '2 resolved a']);
    assert.partialDeepStrictEqual(rule.events[1], {
      value: null,
      summary: 'There has been no data for a day.',
    });
    const heard = new Watched({ forS: 0 })
      .at(0, { a: 1 })
      .at(10, {})
      .at(DAY_S, { a: 1 })
      .at(DAY_S + 10, {});
    assert.deepEqual(heard.instances, ['a firing'], 'it was heard of again');
  });

  it('tells after a silence what still fires, and nothing of what began and ended within it', () => {
    const silenced = { forS: 0, clearForS: 0, silencedUntil: 100_000 };
    const rule = new Watched(silenced).at(0, { a: 1, b: 1 }).at(50, { a: 1, b: 0 });
    assert.deepEqual(rule.told, ['1 firing a silenced', '2 firing b silenced', '3 resolved b silenced']);
    rule.at(99, { a: 1, b: 0 });
    assert.deepEqual(rule.late, []);
    rule.at(100, { a: 1, b: 0 }).at(105, { a: 1, b: 0 });
    assert.deepEqual(rule.late, [1], 'once');
    rule.at(110, { a: 0, b: 0 });
    assert.equal(rule.told.at(-1), '4 resolved a');
  });

  it('stores a value again once a minute, if it changed', () => {
    const rule = new Watched({ forS: 0 }).at(0, { a: 1 }).at(59, { a: 0.95 });
    assert.equal(rule.rule.instances[0]?.value, 1);
    rule.at(60, { a: 0.95 });
    assert.equal(rule.rule.instances[0]?.value, 0.95);
    assert.equal(rule.rule.instances[0]?.since, 0);
  });

  it('with <= it fires from the threshold down, and is resolved above that of clearing', () => {
    const metric: MetricConditions = {
      ...({
        metric: 'scrapes',
        scope: 'host',
        op: '<=',
        allUsers: false,
        windowS: 3_600,
        minScrapes: 0,
      } as const),
    };
    const conditions = { subject: null, threshold: 10, clearThreshold: 20, site: null, metric };
    const rule = new Watched({ kind: 'metric', conditions, forS: 0, clearForS: 0 });
    rule.at(0, { a: 11, b: 10, c: 0 });
    assert.deepEqual(rule.told, ['1 firing c', '2 firing b'], 'the worst first');
    rule.at(1, { a: 11, b: 19, c: 20 });
    assert.deepEqual(rule.told.slice(2), ['3 resolved c']);
    rule.at(2, { b: 1_000 });
    assert.deepEqual(rule.told.slice(3), ['4 resolved b']);
  });

  it('with one threshold for both, it is resolved on its other side', () => {
    const metric: MetricConditions = {
      ...({
        metric: 'error_rate',
        scope: 'all',
        op: '>=',
        allUsers: false,
        windowS: 3_600,
        minScrapes: 1,
      } as const),
    };
    const conditions = { subject: null, threshold: 0.5, clearThreshold: 0.5, site: null, metric };
    const rule = new Watched({ kind: 'metric', conditions, forS: 0, clearForS: 0 });
    rule.at(0, { all: 0.5 }).at(1, { all: 0.5 });
    assert.deepEqual(rule.told, ['1 firing all']);
    rule.at(2, { all: 0.49 });
    assert.deepEqual(rule.told, ['1 firing all', '2 resolved all']);
  });
});
