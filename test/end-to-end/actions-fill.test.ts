// biome-ignore-all lint/suspicious/noThenProperty: the name in the API; nothing here is awaited.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { chromiums } from '../adapters/browser/stage.ts';
import { html, startTarget, type Target } from '../adapters/browser/target.ts';
import { useService } from '../helpers/service.ts';
import { act, done, results, statuses } from './acting.ts';

const skip = (await chromiums()).length === 0 && 'there is no Chromium on this machine';

describe('page actions: fill', { skip }, () => {
  const service = useService();
  let target: Target;
  before(async () => {
    target = await startTarget({
      '/lines': html(`<div id=lines contenteditable><div>line1</div><div><b>line2</b></div></div>
        <div id=empty contenteditable></div><p id=p>p</p><input id=text value=a><textarea id=area>a</textarea>
        <iframe id=f srcdoc="<div id=in contenteditable><div>one</div><div>two</div></div>"></iframe>`),
      '/secrets': html(`<input id=a type=password><input id=b autocomplete="section-x one-time-code">
        <input id=c autocomplete=cc-number><input id=d name=user_pin><input id=e maxlength=1>
        <label>Secret <input id=f type=password></label><input id=g placeholder="Your password">
        <input id=q name=q><textarea id=t></textarea><div id=h contenteditable></div>
        <div id=host></div><script>host.attachShadow({mode: 'open'}).innerHTML = '<input id=s type=password>';</script>`),
      '/controls':
        html(`<input id=date type=date><input id=time type=time><input id=local type=datetime-local>
        <input id=month type=month><input id=week type=week><input id=number type=number max=5>
        <label>range <input id=range type=range max=5></label><input id=color type=color>
        <input id=mail type=email><input id=mask><textarea id=area></textarea>
        <script>mask.oninput = () => { mask.value = mask.value.replace(/\\D/g, ''); }</script>`),
    });
  });
  after(() => target[Symbol.asyncDispose]());

  test('with clear: false the value is appended, and the existing content does not change', async () => {
    const add = { type: 'fill', value: 'Z', clear: false };
    const acted = await done(service, `${target.url}/lines`, [
      ...['#lines', '#empty', '#text', '#area'].map((selector) => ({ ...add, selector })),
      { ...add, selector: '#in', frame: '#f' },
      { evaluate: '[lines.innerHTML, empty.textContent, text.value, area.value]' },
      { type: 'evaluate', script: 'document.querySelector("#in").innerHTML', frame: '#f' },
    ]);
    assert.deepEqual(results(acted).slice(-2), [
      ['<div>line1</div><div><b>line2Z</b></div>', 'Z', 'aZ', 'aZ'],
      '<div>one</div><div>twoZ</div>',
    ]);
    const none = await act(service, `${target.url}/lines`, [{ ...add, selector: '#p' }]);
    assert.match(none.actions[0]!.error!.message, /failed: Element is not an <input>/);
  });

  test('what goes into fields for secrets is not stored', async () => {
    const fill = (selector: string, value: string) => ({ fill: { selector, value } });
    const secret = 'geheim-4711';
    const { status, body } = await service.scrape({
      url: `${target.url}/secrets`,
      scraper: 'browser',
      page_actions: [
        ...['#a', '#b', '#c', '#d', '#g', 'text=Secret', '#s'].map((selector) => fill(selector, secret)),
        fill('#e', '7'),
        { click: '#a' },
        { type: 'type', text: secret },
        { type: { selector: '#f', text: secret } },
        fill('#q', 'kettle'),
        { click: '#t' },
        { type: 'type', text: 'words' },
        { if: { selector: '#q', then: [fill('#h', 'branch')] } },
      ],
    });
    assert.equal(status, 200);
    assert.deepEqual(body.errors, []);
    const request = await service.api<{ page_actions: readonly unknown[] }>(
      'GET',
      `/api/v1/scrape/${body.id}/request/`,
    );
    assert.deepEqual(request.body.page_actions.slice(-4), [
      fill('#q', 'kettle'),
      { click: '#t' },
      { type: 'type', text: 'words' },
      { if: { selector: '#q', then: [fill('#h', 'branch')] } },
    ]);
    assert.doesNotMatch(JSON.stringify(request.body), /geheim|"7"/);
  });

  test('without a page nothing that was to be typed is stored', async () => {
    const { body } = await service.scrape({
      url: 'http://127.0.0.1:1/',
      scraper: 'browser',
      page_actions: [{ fill: { selector: '#q', value: 'geheim-4712' } }],
    });
    assert.equal(body.router.outcome, 'failed');
    const request = await service.api('GET', `/api/v1/scrape/${body.id}/request/`);
    assert.equal(request.status, 200);
    assert.doesNotMatch(JSON.stringify(request.body), /geheim/);
  });

  test('if a control does not accept a value, the error says what it contains instead', async () => {
    const cases: readonly (readonly [selector: string, value: string, why: RegExp])[] = [
      ['#date', '02.01.2026', /"#date", of type date, does not accept the value; it is empty now\.$/],
      ['#date', '2026-02-30', /is empty now/],
      ['#time', '25:00', /of type time,.* is empty now/],
      ['#local', 'tomorrow', /of type datetime-local,.* is empty now/],
      ['#month', '2026-13', /of type month,.* is empty now/],
      ['#week', '2026', /of type week,.* is empty now/],
      ['#range', '99', /"#range", of type range, does not accept the value; it contains "5" instead\.$/],
      ['text=range', '99', /of type range,.* contains "5" instead/],
      [
        '#color',
        'redd',
        /"#color", of type color, does not accept the value; it contains "#000000" instead\.$/,
      ],
      ['#number', 'abc', /Cannot type text into/],
    ];
    const acted = await act(
      service,
      `${target.url}/controls`,
      cases.map(([selector, value]) => ({ type: 'fill', selector, value, on_error: 'continue' })),
    );
    for (const [at, [selector, value, why]] of cases.entries())
      assert.match(acted.actions[at]!.error?.message ?? '', why, `${selector} ${value}`);
    assert.deepEqual(
      statuses(acted),
      cases.map(() => 'failed'),
    );
  });

  test('it is no error if the control or the page writes the value in another form', async () => {
    const cases: readonly (readonly [selector: string, value: string, taken: string])[] = [
      ['#date', ' 2026-01-02 ', '2026-01-02'],
      ['#date', '', ''],
      ['#time', '12:30', '12:30'],
      ['#local', '2026-01-02 10:00', '2026-01-02T10:00'],
      ['#month', '2026-01', '2026-01'],
      ['#week', '2026-W05', '2026-W05'],
      ['#number', '99', '99'],
      ['#number', '-1.50', '-1.50'],
      ['#range', '3.0', '3'],
      ['#color', '#ABCDEF', '#abcdef'],
      ['#mail', ' a@b.c ', 'a@b.c'],
      ['#mask', '12-34', '1234'],
      ['#area', 'a\r\nb', 'a\nb'],
    ];
    const acted = await done(
      service,
      `${target.url}/controls`,
      cases.flatMap(([selector, value]) => [
        { type: 'fill', selector, value },
        { evaluate: `document.querySelector("${selector}").value` },
      ]),
    );
    assert.deepEqual(
      results(acted).filter((_, at) => at % 2 === 1),
      cases.map(([, , taken]) => taken),
    );
  });
});
