import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type RawSite, rawSite, reply } from '../adapters/browser/raw-pages.ts';
import { chromiums } from '../adapters/browser/stage.ts';
import { useService } from '../helpers/service.ts';

const skip = (await chromiums()).length === 0 && 'there is no Chromium on this machine';

/** As old libraries do (Prototype.js): `toJSON` on the prototypes, returning JSON text. */
const CHANGED = `<p>here<script>
  for (const kind of [Array, String, Number, Boolean, Object, Date])
    kind.prototype.toJSON = function () { return '"changed"'; };
  const own = () => Object.keys(Array.prototype).join() + (typeof [].toJSON);
</script>`;

/** Replaces every built-in that a script of Sluice might use by one that throws or returns something else. */
const REPLACES = `
  const replaced = () => { throw new Error('replaced by the page'); };
  const all = [Element, HTMLElement, HTMLInputElement, Node, Document, EventTarget, CSSStyleDeclaration, Array, String, Number, Map,
    Set, WeakMap, Date, RegExp, Selection, XMLSerializer, HTMLCanvasElement, TreeWalker, Object]
    .map((one) => [one.prototype, ['constructor', 'toString', 'valueOf']]);
  all.push([Object, []], [Reflect, []], [JSON, []], [Array, []], [Number, ['prototype']], [String, []], [Function.prototype, ['constructor', 'toString']]);
  const own = Object.getOwnPropertyNames;
  const describe = Object.getOwnPropertyDescriptor;
  const { defineProperty } = Object;
  const call = Function.prototype.call.bind(Function.prototype.call);
  const { forEach, includes } = Array.prototype;
  call(forEach, all, ([object, keep]) => call(forEach, own(object), (name) => {
    const { value, configurable, writable } = describe(object, name);
    if (typeof value !== 'function' || call(includes, keep, name) || !(configurable || writable)) return;
    if (/^[A-Z]/.exec(name) === null) object[name] = replaced;
  }));
  JSON.stringify = () => '"replaced by the page"';
  window.scrollTo = window.getSelection = window.scrollBy = window.requestAnimationFrame = window.setTimeout = replaced;
  for (const name of ['Map', 'Set', 'WeakMap', 'Promise', 'MutationObserver', 'XMLSerializer', 'Reflect', 'Symbol', 'eval'])
    window[name] = replaced;
`;
const FRAME = `<script>${REPLACES}</script><p id=in>in the frame</p>`;
const HOSTILE = `<!doctype html><script>${REPLACES}</script><style>#box { height: 50px; overflow: auto }</style>
<p id=shown>here</p><p class=gone>a</p><p class=gone>b</p><p id=hidden>c</p>
<input id=text value=old><input id=date type=date><div id=edited contenteditable>old</div>
<select id=choice><option>1<option>2</select><input id=tick type=checkbox><button id=press>press</button>
<div id=box><div style="height: 900px">tall</div></div>
<iframe id=frame srcdoc="${FRAME.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"></iframe>
<div style="height: 3000px">taller</div>`;

describe('scripts on a page that has changed its built-ins', { skip }, () => {
  const service = useService();
  let site: RawSite;
  before(async () => {
    site = await rawSite({
      '/': reply('200 OK', 'Content-Type: text/html', CHANGED),
      '/hostile': reply('200 OK', 'Content-Type: text/html', HOSTILE),
    });
  });
  after(async () => await site?.[Symbol.asyncDispose]());

  test('return correct results, and do not change the page', async () => {
    const script =
      "({ list: [1, 'a', true, null], object: { a: {} }, date: new Date(0), none: new Date(NaN) })";
    const { body } = await service.scrape({
      url: site.url,
      scraper: 'browser',
      page_actions: [
        { type: 'evaluate', script },
        { type: 'evaluate', script: 'own()' },
        { type: 'evaluate', script: '({ toJSON: () => ({ own: 1 }) })' },
      ],
    });
    assert.deepEqual(
      (body.scraper_data as { actions?: { result: unknown }[] }).actions?.map(({ result }) => result),
      [
        { list: [1, 'a', true, null], object: { a: {} }, date: '1970-01-01T00:00:00.000Z', none: null },
        'toJSONfunction',
        { own: 1 },
      ],
      JSON.stringify(body.errors),
    );
  });

  const ACTIONS: readonly (readonly [action: object, result?: unknown])[] = [
    [{ type: 'remove', selector: '.gone' }, { count: 2 }],
    [{ type: 'hide', selector: '#hidden' }, { count: 1 }],
    [{ type: 'fill', selector: '#text', value: 'new' }],
    [{ type: 'fill', selector: '#text', value: 'er', clear: false }],
    [{ type: 'fill', selector: '#date', value: '2026-01-02' }],
    [{ type: 'fill', selector: '#edited', value: 'er', clear: false }],
    [{ type: 'select', selector: '#choice', label: '2' }, { values: ['2'] }],
    [{ type: 'check', selector: '#tick' }],
    [{ type: 'hover', selector: '#press' }],
    [{ type: 'click', selector: '#press' }],
    [{ type: 'scroll', to: 'bottom', container: '#box' }],
    [{ type: 'scroll', to: 'bottom' }],
    [{ type: 'scroll', x: 0, y: 40 }],
    [{ type: 'wait_for_selector', selector: 'text=here' }],
    [{ type: 'wait_for_function', script: 'true' }],
    [
      { type: 'extract', schema: { gone: '.gone', text: '#shown' } },
      { gone: null, text: 'here' },
    ],
    [{ type: 'extract', schema: { text: '#in' }, frame: '#frame' }, { text: 'in the frame' }],
    [{ type: 'hide', selector: '#in', frame: '#frame' }, { count: 1 }],
    [
      {
        type: 'evaluate',
        script: '({ y: scrollY, box: document.all.box.scrollTop, list: [1, { a: null }] })',
      },
      { y: 40, box: 850, list: [1, { a: null }] },
    ],
    [
      {
        type: 'evaluate',
        script: 'text.value + date.value + edited.textContent + tick.checked + choice.value',
      },
      'newer2026-01-02oldertrue2',
    ],
    [{ type: 'evaluate', script: 'arg.a[0] + arg.b', arg: { a: [1], b: 2 } }, 3],
    [
      { type: 'infinite_scroll', max_scrolls: 1, delay_ms: 0 },
      { scrolls: 1, reason: 'end' },
    ],
  ];

  test('all actions work as on other pages', async () => {
    const { body } = await service.scrape({
      url: `${site.url}/hostile`,
      scraper: 'browser',
      page_actions: ACTIONS.map(([action]) => ({ ...action, on_error: 'continue' })),
    });
    const { actions } = body.scraper_data as {
      actions: { status: string; result?: unknown; error?: unknown }[];
    };
    assert.deepEqual(
      actions.map(({ status, result = null }, at) => [ACTIONS[at]![0], status, result]),
      ACTIONS.map(([action, result = null]) => [action, 'ok', result]),
      JSON.stringify(body.errors, null, 1),
    );
    assert.doesNotMatch(body.content ?? '', /class="?gone/);
    assert.match(body.content ?? '', /id="hidden" style="display: none !important/);
  });
});
