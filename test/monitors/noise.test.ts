import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { compileRegex } from '../../src/domain/caller-regex.ts';
import { isFailure } from '../../src/domain/failure.ts';
import { IGNORED_PARTS } from '../../src/domain/monitors.ts';
import { comparedLines, compareTexts, type IgnoredText } from '../../src/monitors/compare-text.ts';
import { findNoise } from '../../src/monitors/noise.ts';
import { noisyPage } from './noisy-pages.ts';

const NOTHING: IgnoredText = { parts: [], patterns: [] };

/** The rules as a monitor takes them from `compare.ignore`. */
function ignoredBy(rules: readonly string[]): IgnoredText {
  const patterns = rules
    .filter((rule) => rule.startsWith('/'))
    .map((rule) => {
      const compiled = compileRegex(rule.slice(1, -1), '/compare/ignore/0');
      assert.ok(!isFailure(compiled), JSON.stringify(compiled));
      return compiled;
    });
  return { parts: IGNORED_PARTS.filter((part) => rules.includes(part)), patterns };
}

const learned = (texts: readonly string[]): readonly string[] =>
  findNoise(texts.map((text) => comparedLines(text, NOTHING))).map(({ ignore }) => ignore);

describe('noise that is proposed', () => {
  const pages = Array.from({ length: 50 }, (_, n) => noisyPage(n + 1));

  test('hides every change without meaning of 50 pages, after three runs', () => {
    const failures: string[] = [];
    for (const [n, page] of pages.entries()) {
      const rules = learned([0, 1, 2].map((visit) => page.text(visit)));
      const ignored = ignoredBy(rules);
      for (let visit = 3; visit < 8; visit++) {
        const { diff } = compareTexts(page.text(visit - 1), page.text(visit), ignored);
        if (diff !== null) failures.push(`page ${n}, visit ${visit}, ${JSON.stringify(rules)}:\n${diff}`);
      }
    }
    assert.deepEqual(failures, []);
  });

  test('hides no change with a meaning', () => {
    let found = 0;
    for (const [n, page] of pages.slice(0, 20).entries()) {
      const ignored = ignoredBy(learned([0, 1, 2].map((visit) => page.text(visit))));
      const changed = new Map([
        [n % page.lines, 'Paragraph: the price is now 40 euros, and delivery takes a day.'],
      ]);
      const { added, removed } = compareTexts(page.text(3), page.text(4, changed), ignored);
      if (added >= 1 && removed >= 1) found++;
    }
    assert.equal(found, 20);
  });

  test('is `order` if only the order of lines changes', () => {
    const lines = ['apples', 'pears', 'plums', 'grapes'];
    const texts = [0, 1, 2].map((turn) => [...lines.slice(turn), ...lines.slice(0, turn)].join('\n'));
    assert.deepEqual(learned(texts), ['order']);
    assert.equal(compareTexts(texts[0]!, texts[1]!, ignoredBy(['order'])).diff, null);
  });

  test('is not proposed after a single change', () => {
    const texts = [
      'a line\nold words here\nanother',
      'a line\nold words here\nanother',
      'a line\nnew words here\nanother',
    ];
    assert.deepEqual(learned(texts), []);
  });
});

describe('parts that are ignored', () => {
  const same: readonly [part: string, before: string, after: string][] = [
    ['dates', 'Updated 2026-01-31', 'Updated 2026-02-01'],
    ['dates', 'Posted on 31 January 2026', 'Posted on 1 February 2026'],
    ['dates', 'As of Jan 31, 2026 12:30 PM', 'As of Feb 2, 2026 1:05 AM'],
    ['dates', 'Stand: 31.01.2026', 'Stand: 02.02.2026'],
    ['relative_times', 'written 3 hours ago', 'written 4 hours ago'],
    ['relative_times', 'updated just now', 'updated 5 minutes ago'],
    ['counters', '1,234 comments', '1,301 comments'],
    ['counters', '12k views', '13.5k views'],
  ];
  for (const [part, before, after] of same)
    test(`${part}: ${before} → ${after}`, () => {
      assert.equal(compareTexts(before, after, ignoredBy([part])).diff, null);
      assert.notEqual(compareTexts(before, after, NOTHING).diff, null);
    });

  test('prices are no counters', () => {
    const pairs: readonly [before: string, after: string][] = [
      ['Price: € 40', 'Price: € 45'],
      ['$1,299.00', '$1,399.00'],
      ['40 €', '45 €'],
      ['20 % off', '30 % off'],
    ];
    for (const [before, after] of pairs)
      assert.notEqual(compareTexts(before, after, ignoredBy(['counters'])).diff, null, before);
  });

  test('of an expression with a group only the group is ignored', () => {
    const ignored = ignoredBy(['/id=([0-9]+)/']);
    assert.equal(compareTexts('x id=1 y', 'x id=2 y', ignored).diff, null);
    assert.notEqual(compareTexts('x id=1 y', 'x ref=1 y', ignored).diff, null);
  });
});

describe('the difference of two texts', () => {
  test('counts lines, and shows them as a unified diff', () => {
    const before = 'one\ntwo\nthree\nfour';
    const { added, removed, similarity, diff } = compareTexts(before, 'one\n2\nthree\nfour\nfive', NOTHING);
    assert.deepEqual([added, removed], [2, 1]);
    assert.equal(similarity, 6 / 9);
    assert.match(diff!, /^-two$/m);
    assert.match(diff!, /^\+2$/m);
    assert.match(diff!, /^\+five$/m);
  });

  test('of texts without anything in common ends soon', () => {
    const lines = (letter: string) => Array.from({ length: 50_000 }, (_, n) => `${letter}${n}`).join('\n');
    const { similarity, diff } = compareTexts(lines('a'), lines('b'), NOTHING);
    assert.equal(similarity, 0);
    assert.match(diff!, /too little in common/);
  });
});
