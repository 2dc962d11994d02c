// biome-ignore-all lint/suspicious/noThenProperty: the name in the API; nothing here is awaited.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { jobOf, problemsOf, refused } from './job-of.ts';

const good: readonly object[] = [
  { type: 'click', selector: '#a', button: 'right', click_count: 2, all: true },
  { type: 'click', x: 1, y: 2.5 },
  { type: 'click', selector: { type: 'xpath', value: '//a', nth: 0 }, id: 'first', frame: 'iframe' },
  { type: 'fill', selector: '#a', value: '', clear: true },
  { type: 'type', text: 'abc', selector: '#a', delay_ms: 20 },
  { type: 'press', key: 'Control+A' },
  { type: 'select', selector: 'select', value: 'a' },
  { type: 'select', selector: 'select', values: ['a', 'b'] },
  { type: 'select', selector: 'select', label: 'A' },
  { type: 'check', selector: '#a' },
  { type: 'uncheck', selector: '#a' },
  { type: 'hover', selector: 'text=Menu', optional: true },
  { type: 'scroll', to: 'bottom' },
  { type: 'scroll', selector: '#a', container: '.list' },
  { type: 'scroll', x: 0, y: 100 },
  { type: 'infinite_scroll' },
  { type: 'infinite_scroll', max_scrolls: 100, delay_ms: 0, until_selector: '#a', click_selector: '#b' },
  { type: 'wait', ms: 100 },
  { type: 'wait_for_selector', selector: '#a', state: 'hidden', timeout_ms: 100, on_error: 'fail' },
  { type: 'wait_for_load_state', state: 'networkidle' },
  { type: 'wait_for_url', url: '**/done' },
  { type: 'wait_for_response', url: '**/api', method: 'GET', status: 200, capture: true },
  { type: 'wait_for_function', script: 'window.ready' },
  { type: 'evaluate', script: 'a => a', arg: { deep: [null] } },
  { type: 'goto', url: 'http://other.test/' },
  { type: 'reload', wait_after_ms: 10 },
  { type: 'back', on_error: 'continue' },
  { type: 'hide', selector: '#a' },
  { type: 'remove', selector: '#a' },
  { type: 'screenshot' },
  { type: 'screenshot', name: 'x', full_page: true, selector: '#a' },
  {
    type: 'extract',
    schema: { title: 'h1', links: { selector: 'a', type: 'list', output: { to: 'a@href' } } },
  },
  { type: 'if', selector: '#a', then: [{ type: 'reload' }], else: [{ click: '#b' }] },
  { type: 'if', status_code: [404, 500], then: [{ back: true }] },
];

const shorthand: readonly object[] = [
  { click: '#a' },
  { click: { selector: '#a', all: true } },
  { click: { type: 'css', value: '#a' } },
  { fill: { selector: '#a', value: 'x' } },
  { type: { text: 'abc' } },
  { press: 'Enter' },
  { scroll: 'bottom' },
  { scroll: '#a' },
  { infinite_scroll: 3 },
  { infinite_scroll: {} },
  { wait: 100 },
  { wait_for_selector: '#a' },
  { wait_for_load_state: 'load' },
  { wait_for_url: '**' },
  { wait_for_function: 'true' },
  { evaluate: '1' },
  { goto: 'http://x.test/' },
  { reload: true },
  { reload: null },
  { back: {} },
  { screenshot: true },
  { screenshot: 'name' },
  { extract: { title: 'h1' } },
  { extract: { schema: { title: 'h1' } } },
  { if: { selector: '#a', then: [{ reload: null }] } },
  { action: 'click', selector: '#a' },
];

describe('accepted', () => {
  for (const action of [...good, ...shorthand]) {
    test(JSON.stringify(action), () => {
      assert.deepEqual(jobOf({ page_actions: [action] }).requested, ['/page_actions']);
    });
  }
  test('all of them together, with a null member', () => {
    jobOf({ page_actions: [...good.slice(0, 20), { type: 'click', selector: '#a', button: null }] });
  });
});

describe('refused', () => {
  const cases: readonly (readonly [action: unknown, pointer: string, message?: RegExp])[] = [
    [5, '', /object/],
    [{}, '/type', /required: one of click/],
    [{ type: 'jump' }, '/type', /one of click.*got "jump"/],
    [{ type: 5 }, '/type'],
    [{ jump: '#a' }, '/type'],
    [{ type: 'click', action: 'click', selector: '#a' }, '/action', /unknown/],
    [{ type: 'click' }, '/selector', /required/],
    [{ click: {} }, '/selector', /required/],
    [{ click: null }, '/selector', /required/],
    [{ click: '' }, '/click', /empty/],
    [{ click: { button: 'left' } }, '/selector', /required/],
    [{ click: { selector: '' } }, '/selector', /empty/],
    [{ wait_for_response: { method: 'GET' } }, '/url', /required/],
    [{ goto: { url: 'ftp://x/' } }, '/url', /http/],
    [{ scroll: 5 }, '/scroll', /a string or an object, got 5/],
    [{ wait: { ms: -1 } }, '/ms', /between/],
    [{ click: 5 }, '/click', /a string or an object, got 5/],
    [{ click: { type: 'fill', selector: '#a' } }, '/type'],
    [{ type: 'click', x: 1 }, '/y', /required too/],
    [{ type: 'click', selector: '#a', x: 1, y: 1 }, '', /not several/],
    [{ type: 'click', selector: '#a', button: 'side' }, '/button'],
    [{ type: 'click', selector: '#a', selctor: '#b' }, '/selctor', /known here are type, selector/],
    [{ type: 'click', selector: { type: 'id', value: 'a' } }, '/selector/type'],
    [{ type: 'click', selector: '' }, '/selector', /empty/],
    [{ type: 'click', selector: 'x'.repeat(2001) }, '/selector'],
    [{ type: 'fill', selector: '#a' }, '/value'],
    [{ fill: '#a' }, '/selector'],
    [{ type: 'select', selector: '#a' }, '/value'],
    [{ type: 'select', selector: '#a', value: 'a', label: 'b' }, '', /not several/],
    [{ type: 'scroll' }, '/to'],
    [{ type: 'scroll', to: 'left' }, '/to'],
    [{ infinite_scroll: 101 }, '/infinite_scroll', /between 1 and 100/],
    [{ type: 'wait' }, '/ms', /required/],
    [{ wait: -1 }, '/wait'],
    [{ wait: '100' }, '/wait', /a number/],
    [{ type: 'wait', ms: 60_001 }, '/ms'],
    [{ wait_for_load_state: 'idle' }, '/wait_for_load_state'],
    [{ type: 'wait_for_response', url: '**', status: 20 }, '/status'],
    [{ goto: 'ftp://x/' }, '/goto', /http/],
    [{ type: 'goto', url: '/relative' }, '/url'],
    [{ reload: 5 }, '/value'],
    [{ extract: { a: 5 } }, '/schema/a'],
    [{ extract: { a: { selektor: 'x' } } }, '/schema/a/selector'],
    [{ type: 'if', selector: '#a' }, '/then', /or `else`/],
    [{ type: 'if', then: [] }, '/selector'],
    [{ type: 'if', selector: '#a', then: {} }, '/then'],
    [{ type: 'if', selector: '#a', then: [{ click: 5 }] }, '/then/0/click'],
    [{ if: { selector: '#a', else: [{ type: 'x' }] } }, '/else/0/type'],
    [{ type: 'reload', on_error: 'ignore' }, '/on_error'],
    [{ type: 'reload', timeout_ms: 0 }, '/timeout_ms'],
    [{ type: 'reload', id: '' }, '/id'],
    [{ type: 'reload', optional: 'yes' }, '/optional'],
  ];
  for (const [action, member, message] of cases) {
    test(JSON.stringify(action).slice(0, 90), () => {
      const page_actions = [{ reload: true }, action];
      const problems = problemsOf({ page_actions });
      assert.equal(problems[0]!.pointer, `/page_actions/1${member}`, JSON.stringify(problems));
      if (message !== undefined) assert.match(problems[0]!.message, message);
    });
  }
  test('not an array', () => refused({ page_actions: { click: '#a' } }, '/page_actions', /an array/));
});

describe('limits', () => {
  test('50 actions, branches included', () => {
    jobOf({ page_actions: Array(50).fill({ reload: true }) });
    refused({ page_actions: Array(51).fill({ reload: true }) }, '/page_actions', /at most 50/);
    const branch = { type: 'if', selector: '#a', then: Array(30).fill({ reload: true }) };
    refused(
      { page_actions: [branch, ...Array(20).fill({ reload: true })] },
      '/page_actions/20',
      /at most 50/,
    );
  });

  test('depth 3', () => {
    const nested = (depth: number): object =>
      depth === 0 ? { reload: true } : { if: { selector: '#a', then: [nested(depth - 1)] } };
    jobOf({ page_actions: [nested(3)] });
    refused({ page_actions: [nested(4)] }, '/page_actions/0/then/0/then/0/then/0/then', /deeper than 3/);
    assert.ok(problemsOf({ page_actions: [nested(200)] }).length > 0);
  });

  test('fixed waits within 60 s and the time of the request', () => {
    const waits = (...ms: number[]) => ms.map((wait) => ({ wait }));
    jobOf({ timeout_ms: 300_000, page_actions: waits(30_000, 30_000) });
    refused({ timeout_ms: 300_000, page_actions: waits(30_000, 30_000, 1) }, '/page_actions/2/wait', /60000/);
    jobOf({ page_actions: waits(30_000, 25_000) });
    refused({ page_actions: waits(30_000, 25_001) }, '/page_actions/1/wait', /55001 ms; at most 55000/);
    refused(
      { page_actions: [{ type: 'wait', ms: 1000, wait_after_ms: 0 }], timeout_ms: 1000 },
      '/page_actions/0/ms',
      /at most 666/,
    );
    refused(
      { timeout_ms: 10_000, page_actions: [{ type: 'reload', wait_after_ms: 9001 }] },
      '/page_actions/0/wait_after_ms',
    );
    refused(
      { timeout_ms: 10_000, wait_for_timeout_ms: 5000, page_actions: waits(4001) },
      '/page_actions/0/wait',
    );
    jobOf({ timeout_ms: 10_000, wait_for_timeout_ms: 5000, page_actions: waits(4000) });
    // The message gives the sum of all waits.
    refused(
      { timeout_ms: 10_000, wait_for_timeout_ms: 8000, page_actions: waits(2000) },
      '/page_actions/0/wait',
      /fixed waits, with wait_for_timeout_ms, 10000 ms; at most 9000 ms/,
    );
    const longWait = { timeout_ms: 1000, wait_for_timeout_ms: 5000 };
    refused({ ...longWait, page_actions: [{ type: 'reload', wait_after_ms: 0 }] }, '/wait_for_timeout_ms');
    jobOf({ timeout_ms: 1000, wait_for_timeout_ms: 666.5, page_actions: waits(0) });
  });

  test('of `if` the larger branch counts', () => {
    const either = { type: 'if', selector: '#a', then: [{ wait: 20_000 }], else: [{ wait: 30_000 }] };
    jobOf({ page_actions: [either, { wait: 25_000 }] });
    refused({ page_actions: [either, { wait: 25_001 }] }, '/page_actions/1/wait');
    refused({ page_actions: [{ wait: 30_000 }, either] }, '/page_actions/1/else/0/wait');
  });
});
