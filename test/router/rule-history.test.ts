import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ExtractRule } from '../../src/domain/page-action.ts';
import { RuleHistory } from '../../src/router/rule-history.ts';

const HOUR = 3_600_000;

const ruleOf = (selector: string, pointer = `/${selector}`): ExtractRule => ({
  name: 'a',
  selector,
  language: 'css',
  list: false,
  output: { kind: 'text' },
  regex: null,
  transform: null,
  pointer,
});
const RULE = ruleOf('h1');

/** Observes one rule. */
function see(history: RuleHistory, found: boolean, now: number, rule = RULE, site = 'a.test', user = 'u1') {
  return history.observe(user, site, [rule], [{ pointer: rule.pointer, found }], now);
}

describe('the history of rules', () => {
  test('tells since when a rule finds nothing, until it finds something again', () => {
    const history = new RuleHistory();
    assert.deepEqual(see(history, false, 1), []);
    assert.deepEqual(see(history, true, 2), []);
    assert.deepEqual(see(history, false, 3), [{ pointer: '/h1', lastFound: 2, since: 3 }]);
    assert.deepEqual(see(history, false, 4), [{ pointer: '/h1', lastFound: 2, since: 3 }]);
    assert.deepEqual(see(history, true, 5), []);
  });

  test('a rule that only fits some pages becomes silent, until it is missing longer than ever', () => {
    const history = new RuleHistory();
    const reported = [true, false, false, true, false, false, false].map(
      (found, n) => see(history, found, n).length > 0,
    );
    assert.deepEqual(reported, [false, true, true, false, false, false, true]);
  });

  test('is of one user, one site and one definition, wherever the rule stands', () => {
    const history = new RuleHistory();
    see(history, true, 1);
    assert.deepEqual(see(history, false, 2, RULE, 'b.test'), []);
    assert.deepEqual(see(history, false, 2, RULE, 'a.test', 'u2'), []);
    assert.deepEqual(see(history, false, 2, ruleOf('h2')), []);
    assert.deepEqual(see(history, false, 2, { ...RULE, regex: 'x' }), []);
    assert.equal(see(history, false, 2, ruleOf('h1', '/other')).length, 1);
  });

  test('knows nested rules', () => {
    const history = new RuleHistory();
    const inner = ruleOf('b', '/ul/output/b');
    const rules = [{ ...ruleOf('ul'), output: { kind: 'rules', rules: [inner] } as const }];
    const results = (found: boolean) => [
      { pointer: '/ul', found: true },
      { pointer: inner.pointer, found },
    ];
    history.observe('u1', 'a.test', rules, results(true), 1);
    assert.deepEqual(
      history.observe('u1', 'a.test', rules, results(false), 2).map(({ pointer }) => pointer),
      ['/ul/output/b'],
    );
  });

  test('is stored when it changes, and restored', () => {
    const history = new RuleHistory();
    see(history, true, HOUR);
    const [stored] = history.takeChanged(10);
    see(history, true, HOUR + 1);
    assert.deepEqual(history.takeChanged(10), []);
    see(history, true, 3 * HOUR);
    assert.equal(history.takeChanged(10).length, 1);
    const [name, data] = stored!;
    const restored = new RuleHistory();
    restored.restore([
      { name, data },
      { name: 'u1 a.test x', data: '{}' },
    ]);
    assert.deepEqual(see(restored, false, 5), [{ pointer: '/h1', lastFound: HOUR, since: 5 }]);
    restored.takeChanged(10);
    restored.markChanged([name]);
    assert.equal(restored.takeChanged(10)[0]![0], name);
  });

  test('is bounded: a user forgets the rules used least recently, and takes no place of others', () => {
    const history = new RuleHistory();
    see(history, true, 1, RULE, 'a.test', 'quiet');
    const sites = Array.from({ length: 2_001 }, (_, n) => `s${n}.test`);
    for (let n = 0; n < 12; n++) for (const site of sites) see(history, true, 1, RULE, site, `user${n}`);
    assert.ok(history.takeForgotten(100_000).length > 12);
    assert.equal(see(history, false, 2, RULE, 'a.test', 'quiet').length, 1);
    assert.equal(see(history, false, 2, RULE, 's0.test', 'user11').length, 0);
    assert.equal(see(history, false, 2, RULE, 's2000.test', 'user11').length, 1);
  });

  test('takes over what another replica has stored, but not of a rule that has changed here', () => {
    const [here, there] = [new RuleHistory(), new RuleHistory()];
    const stored = () => there.takeChanged(10).map(([name, data]) => ({ name, data }));
    see(there, true, 1);
    here.update(stored());
    assert.deepEqual(see(here, false, 2), [{ pointer: '/h1', lastFound: 1, since: 2 }]);
    see(there, true, 3);
    here.update(stored());
    assert.deepEqual(see(here, false, 4), [{ pointer: '/h1', lastFound: 1, since: 2 }]);
    here.takeChanged(10);
    see(there, false, 5);
    see(there, true, 6);
    here.update(stored());
    assert.deepEqual(see(here, false, 7), [], 'it knows that the rule was missing once before');
  });
});
