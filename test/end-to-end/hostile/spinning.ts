import { type Kind, later, PAGE_OR_CRASH, PAGE_OR_TIME, page, script } from './kind.ts';

/** Pages whose scripts block their main thread for ever. */
export const SPINNING: readonly Kind[] = [
  { name: 'loops while it is parsed', page: script('for (;;);'), answers: PAGE_OR_TIME },
  {
    name: 'loops at its load',
    long: true,
    page: script('onload = () => { for (;;); }'),
    answers: PAGE_OR_TIME,
  },
  { name: 'loops in a timer', page: script('setTimeout(() => { for (;;); }, 50)'), answers: PAGE_OR_TIME },
  {
    name: 'loops when it is left',
    long: true,
    page: script(
      "for (const at of ['unload', 'beforeunload', 'pagehide']) addEventListener(at, () => { for (;;); })",
    ),
  },
  {
    name: 'loops when it is left, and leaves',
    long: true,
    page: script(
      "for (const at of ['unload', 'beforeunload', 'pagehide']) addEventListener(at, () => { for (;;); }); setTimeout(() => { location = '/other' }, 50)",
    ),
    answers: PAGE_OR_TIME,
  },
  {
    name: 'promises that never end',
    long: true,
    page: script('(function f() { Promise.resolve().then(f) })()'),
    answers: PAGE_OR_TIME,
  },
  {
    name: 'a regular expression',
    long: true,
    page: script("/^(a+)+$/.test('a'.repeat(60) + '!')"),
    answers: PAGE_OR_TIME,
  },
  {
    name: 'a request that its thread waits for',
    page: script("const x = new XMLHttpRequest(); x.open('GET', '/never', false); x.send()"),
    answers: PAGE_OR_TIME,
  },
  {
    name: 'loops, and a selector is waited for',
    long: true,
    page: later('for (;;);'),
    ask: { wait_for_selector: '#never' },
    answers: PAGE_OR_TIME,
  },
  {
    name: 'loops, and a picture is wanted',
    page: later('for (;;);', 30),
    ask: { screenshot: true, wait_for_timeout_ms: 200 },
    answers: PAGE_OR_TIME,
  },
  {
    name: 'a script of the caller that loops',
    page: page(''),
    ask: { page_actions: [{ type: 'evaluate', script: 'for (;;);' }] },
    answers: PAGE_OR_TIME,
  },
  {
    name: 'a selector that takes for ever',
    long: true,
    page: page(
      `${'<div><b>'.repeat(200)}<script>for (let n = 0; n < 3e4; n++) document.body.append(document.createElement('i'))</script>`,
    ),
    ask: { wait_for_selector: 'xpath=//*[count(//*[count(//*[count(//i) > 1]) > 2]) > 1e9]' },
    answers: PAGE_OR_TIME,
  },
  {
    name: 'elements that are moved for ever',
    page: script(
      "customElements.define('x-y', class extends HTMLElement { connectedCallback() { document.body.append(this) } }); setInterval(() => document.body.append(document.createElement('x-y')), 0)",
    ),
    answers: PAGE_OR_CRASH,
  },
  {
    name: 'content that is watched and grows by it',
    long: true,
    page: script(
      "const box = document.createElement('div'); document.body.append(box); new MutationObserver(() => box.append('x')).observe(box, { childList: true }); box.append('x')",
    ),
    answers: PAGE_OR_TIME,
  },
  { name: 'a debugger that nobody has', long: true, page: script('setInterval(() => { debugger }, 0)') },
];
