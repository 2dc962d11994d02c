import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { RULES } from '../../src/assess/match-rules.ts';
import { verdictOf } from './a-page.ts';
import { EXAMPLES } from './examples/all.ts';

describe('each rule is right about its example, and silent about what looks like it', () => {
  test('there is a pair of examples for each rule, and none for others', () => {
    assert.deepEqual(Object.keys(EXAMPLES).sort(), RULES.map(({ id }) => id).sort());
  });

  for (const rule of RULES)
    test(rule.id, () => {
      const example = EXAMPLES[rule.id]!;
      const seen = verdictOf(example.for);
      assert.deepEqual(
        { kind: seen.kind, missing: seen.missing, wall: seen.wall, signals: seen.signals },
        { kind: rule.kind, missing: rule.missing, wall: rule.wall ?? null, signals: [rule.id] },
      );
      const other = verdictOf(example.against);
      assert.equal(other.kind, example.against.kind ?? 'ok', other.signals.join());
    });
});
