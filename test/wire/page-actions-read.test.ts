// biome-ignore-all lint/suspicious/noThenProperty: the name in the API; nothing here is awaited.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PageAction } from '../../src/domain/page-action.ts';
import { ACTIONS } from '../../src/wire/request/page-action-schema.ts';
import { parseTask } from '../../src/wire/request/parse-task.ts';
import fc from '../helpers/fast-check.ts';
import { type JsonSchema, valuesOf, withOneChange } from '../helpers/schema-arbitrary.ts';
import { jobOf, problemsOf, refused } from './job-of.ts';

const read = (...page_actions: unknown[]): readonly PageAction[] =>
  jobOf({ page_actions }).browser.pageActions;
const css = (originalText: string, pointer: string) => ({
  selector: `css=${originalText}`,
  nth: null,
  originalText,
  pointer,
});

describe('parsed page actions', () => {
  test('have defaults', () => {
    assert.deepEqual(read({ click: '#a' }), [
      {
        type: 'click',
        at: css('#a', '/page_actions/0/click'),
        button: 'left',
        count: 1,
        all: false,
        index: 0,
        pointer: '/page_actions/0',
        id: null,
        timeoutMs: 5000,
        onError: 'stop',
        frame: null,
        optional: false,
        waitAfterMs: 0,
      },
    ]);
  });

  test('selectors of each kind', () => {
    const selectors = [
      ['#a', 'css=#a'],
      ['css=#a', 'css=#a'],
      ['//a', 'xpath=//a'],
      ['(//a)[1]', 'xpath=(//a)[1]'],
      ['xpath=.//a', 'xpath=.//a'],
      ['text=Buy', 'text=Buy'],
    ] as const;
    for (const [originalText, selector] of selectors) {
      const [action] = read({ hover: originalText });
      assert.deepEqual((action as { at: object }).at, {
        selector,
        nth: null,
        originalText,
        pointer: '/page_actions/0/hover',
      });
    }
    const [action] = read({
      type: 'hover',
      selector: { type: 'text', value: '/a/', nth: 2 },
      frame: '//iframe',
    });
    assert.deepEqual((action as { at: object }).at, {
      selector: 'text=/a/',
      nth: 2,
      originalText: 'text=/a/ (number 2)',
      pointer: '/page_actions/0/selector/value',
    });
    assert.equal(action!.frame?.selector, 'xpath=//iframe');
  });

  test('default timeouts of actions that take longer', () => {
    const timeouts = read(
      { wait: 10 },
      { if: { selector: '#a', then: [] } },
      { type: 'type', text: 'abc', delay_ms: 100 },
      { infinite_scroll: { max_scrolls: 4, delay_ms: 1000 } },
      { infinite_scroll: {} },
      { wait_for_load_state: 'networkidle2' },
      { type: 'wait', ms: 10, timeout_ms: 5 },
    ).map(({ timeoutMs }) => timeoutMs);
    assert.deepEqual(timeouts, [null, 0, 5300, 34_000, 35_000, 15_000, 5]);
  });

  test('branches have the index of their `if`', () => {
    const [, outer] = read(
      { reload: true },
      { if: { status_code: 404, then: [{ wait: 1 }, { if: { selector: '#a', else: [{ back: true }] } }] } },
    );
    assert.ok(outer?.type === 'if' && outer.elseActions === null);
    assert.deepEqual(outer.condition, [404]);
    const [first, inner] = outer.thenActions!;
    assert.deepEqual([first!.index, first!.pointer], [1, '/page_actions/1/then/0']);
    assert.ok(inner?.type === 'if' && inner.thenActions === null);
    assert.deepEqual(
      [inner.elseActions![0]!.index, inner.elseActions![0]!.pointer],
      [1, '/page_actions/1/then/1/else/0'],
    );
  });

  test('members that exclude each other, and invalid patterns', () => {
    const cases: readonly (readonly [action: object, pointer: string, message: RegExp])[] = [
      [{ type: 'click', x: 1, y: 1, all: true }, '/all', /needs `selector`/],
      [{ type: 'click', selector: { type: 'css', value: 'a', nth: 1 }, all: true }, '/all', /`nth`/],
      [{ type: 'click', x: 1, y: 1, strict: true }, '/strict', /needs `selector`/],
      [{ type: 'click', selector: { type: 'css', value: 'a', nth: 1 }, strict: true }, '/strict', /`nth`/],
      [{ type: 'click', selector: 'a', all: true, strict: true }, '/strict', /`all`/],
      [{ type: 'screenshot', frame: 'iframe', full_page: true }, '/full_page', /combined with `frame`/],
      [{ type: 'wait_for_url', url: '{a,{b}}' }, '/url', /not a valid glob/],
      [{ wait_for_response: 'a}' }, '/wait_for_response', /not a valid glob/],
      [{ type: 'goto', url: 'http://a.test/', frame: 'iframe' }, '/frame', /unknown/],
      [{ type: 'wait', ms: 1, frame: 'iframe' }, '/frame', /unknown/],
    ];
    for (const [action, pointer, message] of cases)
      refused({ page_actions: [action] }, `/page_actions/0${pointer}`, message);
  });
});

describe('page actions of any kind', () => {
  const find = (): JsonSchema => ({ type: 'string', minLength: 1, maxLength: 5 });
  /** Changes members that the schema allows one by one, so that they also obey the rules between members. */
  const consistent = (type: string, action: Record<string, unknown>): Record<string, unknown> => {
    const { oneOf } = ACTIONS.get(type)!;
    const keep = oneOf.find((group) => group.every((name) => Object.hasOwn(action, name))) ?? oneOf[0] ?? [];
    const others = oneOf.flat().filter((name) => !keep.includes(name));
    const rest = Object.fromEntries(Object.entries(action).filter(([name]) => !others.includes(name)));
    for (const name of keep) rest[name] ??= name === 'x' || name === 'y' ? 1 : name === 'values' ? [] : 'a';
    if (keep[0] === 'to') rest.to = 'top';
    if (keep[0] === 'status_code') rest.status_code = 200;
    if (type === 'if') rest.then = [{ reload: true }];
    if (type === 'if') delete rest.else;
    if (type === 'goto') rest.url = 'http://a.test/';
    if (type === 'extract') rest.schema = { a: 'b' };
    if (type.startsWith('wait_for_') && 'url' in rest) rest.url = '**/a';
    if (type === 'click') delete rest.all;
    if (type === 'screenshot') delete rest.full_page;
    return { ...rest, wait_after_ms: 1, ...(type === 'wait' ? { ms: 5 } : {}) };
  };
  const actions = fc.constantFrom(...ACTIONS.keys()).chain((type) => {
    const schema = ACTIONS.get(type)!.schema as unknown as JsonSchema;
    return valuesOf(schema, find, 2).map((value) => consistent(type, value as Record<string, unknown>));
  });

  test('all ways of writing an action mean the same', () => {
    fc.assert(
      fc.property(actions, (action) => {
        const { type, ...members } = action;
        const withoutPointers = (action: PageAction) =>
          JSON.stringify(action, (name, value) => (name === 'pointer' ? '' : value));
        const [full] = read(action);
        const [aliased] = read({ action: type, ...members });
        const [short] = read({ [type as string]: members });
        assert.equal(withoutPointers(aliased!), withoutPointers(full!));
        assert.equal(withoutPointers(short!), withoutPointers(full!));
      }),
      { numRuns: 600 },
    );
  });

  test('an unknown member is refused with its pointer', () => {
    const name = fc.string({ minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(actions, name, fc.nat(3), (action, extra, before) => {
        fc.pre(!(extra in ACTIONS.get(action.type as string)!.schema.properties) && extra !== '__proto__');
        const page_actions = [...Array(before).fill({ reload: true }), { ...action, [extra]: 1 }];
        const pointer = `/page_actions/${before}/${extra.replaceAll('~', '~0').replaceAll('/', '~1')}`;
        assert.ok(problemsOf({ page_actions }).some((problem) => problem.pointer === pointer));
      }),
      { numRuns: 400 },
    );
  });

  test('a list of actions with one change is read, or refused with pointers to it', () => {
    fc.assert(
      fc.property(withOneChange(fc.array(actions, { minLength: 1, maxLength: 3 })), (page_actions) => {
        const { task, problems } = parseTask({ url: 'http://a.test/', page_actions });
        if (task !== null) {
          for (const action of task.browser.pageActions)
            assert.match(action.pointer, /^\/page_actions\/\d+$/);
        } else {
          assert.ok(problems.length >= 1 && problems.length <= 10);
          for (const { pointer } of problems) assert.match(pointer!, /^\/page_actions/);
        }
      }),
      { numRuns: 1500 },
    );
  });
});
