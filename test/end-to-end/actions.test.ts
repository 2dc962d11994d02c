import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { chromiums } from '../adapters/browser/stage.ts';
import { html, startTarget, type Target } from '../adapters/browser/target.ts';
import { useService } from '../helpers/service.ts';
import { act, done, results, textIn } from './acting.ts';

const skip = (await chromiums()).length === 0 && 'there is no Chromium on this machine';

/** A page that writes each event into `#log`. */
const LOGS = `<pre id=log></pre><script>
  const say = (text) => { log.textContent += text + ";"; };
  const on = (name, tell) => addEventListener(name, (event) => { if (event.isTrusted) say(name + " " + tell(event)); }, true);
</script>`;

describe('page actions: what each does', { skip }, () => {
  const service = useService();
  let target: Target;
  before(async () => {
    target = await startTarget({
      '/clicks':
        html(`${LOGS}<button id=a class=b>a</button><button class=b>beta</button><button class=b hidden>c</button>
        <p class=item onclick="this.remove()">x<p class=item onclick="this.remove()">x<p class=item onclick="this.remove()">x
        <div id=spot style="position:absolute;left:300px;top:200px;width:10px;height:10px"></div>
        <script>for (const name of ["click", "dblclick", "auxclick", "contextmenu"]) on(name, ({ target, button, detail }) => (target.id || target.textContent || target.tagName) + button + detail);</script>`),
      '/fields':
        html(`${LOGS}<input id=a value=old><textarea id=t>one\n</textarea><div id=e contenteditable>ed</div>
        <input type=checkbox id=c><input type=checkbox id=d checked><input type=radio id=r>
        <select id=s><option value=1>One<option value=2>Two</select><select id=m multiple><option value=1>One<option value=2>Two<option value=3>Three</select>
        <script>on("keydown", ({ key, ctrlKey }) => (ctrlKey ? "C-" : "") + key); on("mouseover", ({ target }) => target.id);
        const state = () => JSON.stringify([a.value, t.value, e.textContent, c.checked, d.checked, r.checked, s.value, [...m.selectedOptions].map((one) => one.value)]);</script><p id=hov>hover me</p>`),
      '/long':
        html(`<style>body { margin: 0 } #box { width: 100px; height: 100px; overflow: auto }</style><div style="height:5000px;width:3000px">top</div>
        <div id=box><div style="height:900px;width:900px">in</div><i id=inner>i</i></div><p id=end>end</p>`),
      '/feed': html(`<div id=list></div><script>
        let n = 0;
        const more = () => { for (let k = 0; k < 20 && n < 60; k++) { const p = document.createElement("p"); p.style.height = "100px"; p.textContent = "item" + ++n; p.className = "item"; p.id = "i" + n; list.append(p); } };
        more(); addEventListener("scroll", () => { if (innerHeight + scrollY >= document.body.scrollHeight - 5) more(); });</script>`),
      '/more': html(`<div id=list></div><button id=more>more</button><script>
        let n = 0; more.onclick = () => { const p = document.createElement("p"); p.textContent = "page" + ++n; list.append(p); if (n === 3) more.remove(); };</script>`),
      '/ads': html('<p class=ad>1</p><p class=ad style="display:block">2</p><p id=keep>3</p>'),
      '/form': html(
        '<form id=f><button name=remove>x</button><select name=style></select><b id=in>in</b></form><svg id=v></svg><math id=m></math>',
      ),
      '/one': html(
        '<title>one</title><a id=to href=/two>two</a><p id=n></p><script>n.textContent = Math.random()</script>',
      ),
      '/two': html('<title>two</title><p>second</p>', 201),
    });
  });
  after(() => target[Symbol.asyncDispose]());

  test('click', async () => {
    const { content, actions } = await done(service, `${target.url}/clicks`, [
      { type: 'click', selector: '#a', id: 'first' },
      { click: '#a' },
      { type: 'click', selector: '#a', button: 'right' },
      { type: 'click', selector: '#a', button: 'middle' },
      { type: 'click', selector: '#a', click_count: 2 },
      { type: 'click', selector: { type: 'css', value: '.b', nth: 1 } },
      { type: 'click', selector: 'xpath=//button[2]' },
      { type: 'click', selector: '//button[2]' },
      { type: 'click', selector: 'text="beta"' },
      { type: 'click', x: 305, y: 205 },
    ]);
    const told = textIn(content, 'log').split(';').slice(0, -1);
    assert.deepEqual(told.slice(0, 2), ['click a01', 'click a01']);
    assert.deepEqual(told.slice(-5), [
      'click beta01',
      'click beta01',
      'click beta01',
      'click beta01',
      'click spot01',
    ]);
    assert.match(textIn(content, 'log'), /contextmenu a2/);
    assert.match(textIn(content, 'log'), /auxclick a1/);
    assert.match(textIn(content, 'log'), /dblclick a02/);
    assert.deepEqual(actions.map(({ index, id, type }) => [index, id, type]).slice(0, 2), [
      [0, 'first', 'click'],
      [1, null, 'click'],
    ]);
  });

  test('click on one of several matches says so; with `strict` it fails', async () => {
    const { content, actions } = await done(service, `${target.url}/clicks`, [
      { click: '.b' },
      { click: '#a' },
      { click: { selector: { type: 'css', value: '.b', nth: 1 } } },
      { click: { selector: '#a', strict: true } },
    ]);
    const note = '3 elements match; the first, «a», was clicked';
    assert.deepEqual(
      actions.map(({ result }) => result ?? null),
      [{ clicked: 1, matches: 3, text: 'a', note }, null, null, null],
    );
    assert.match(textIn(content, 'log'), /^click a01;/);
    const strict = await act(service, `${target.url}/clicks`, [{ click: { selector: '.b', strict: true } }]);
    assert.equal(strict.actions[0]!.status, 'failed');
    assert.match(
      strict.actions[0]!.error!.message,
      /3 elements match "\.b", and `strict` wants one; the first is «a»/,
    );
    assert.doesNotMatch(textIn(strict.content, 'log'), /click/);
  });

  test('click with all: true clicks every visible match', async () => {
    const { content, actions } = await done(service, `${target.url}/clicks`, [
      { click: { selector: '.b', all: true } },
      { click: { selector: '.item', all: true } },
    ]);
    assert.deepEqual(
      actions.map(({ result }) => result),
      [{ clicked: 2 }, { clicked: 3 }],
    );
    assert.doesNotMatch(content, /class="item"|class=item/);
  });

  test('fill, type, press', async () => {
    const { actions } = await done(service, `${target.url}/fields`, [
      { type: 'fill', selector: '#a', value: 'new' },
      { type: 'fill', selector: '#a', value: 'er', clear: false },
      { type: 'fill', selector: '#t', value: 'two', clear: false },
      { type: 'fill', selector: '#e', value: '!', clear: false },
      { evaluate: 'state()' },
      { type: 'type', text: 'xy', selector: '#a' },
      { type: 'press', key: 'End' },
      { type: 'type', text: 'ä😀', delay_ms: 20 },
      { evaluate: 'a.value' },
      { type: 'press', key: 'Control+A', selector: '#a' },
      { type: 'type', text: 'z' },
      { evaluate: 'a.value' },
      { evaluate: 'log.textContent' },
    ]);
    const of = (at: number) => actions[at]!.result;
    assert.deepEqual(JSON.parse(of(4) as string).slice(0, 3), ['newer', 'one\ntwo', 'ed!']);
    assert.match(of(8) as string, /^(?:xynewer|newerxy)ä😀$/);
    assert.equal(of(11), 'z');
    assert.match(of(12) as string, /keydown x;keydown y;keydown End;.*keydown C-A;keydown z;/);
    assert.ok(actions[7]!.duration_ms >= 30);
  });

  test('select, check, uncheck, hover', async () => {
    const acted = await done(service, `${target.url}/fields`, [
      { type: 'select', selector: '#s', value: '2' },
      { type: 'select', selector: '#m', values: ['1', '3'] },
      { evaluate: 'state()' },
      { type: 'select', selector: '#s', label: 'One' },
      { type: 'select', selector: '#m', values: [] },
      { check: '#c' },
      { uncheck: '#d' },
      { check: '#r' },
      { evaluate: 'state()' },
      { hover: '#hov' },
      { evaluate: 'log.textContent' },
    ]);
    const [one, two, first, three, none, , , , last, , log] = results(acted);
    assert.deepEqual([one, two], [{ values: ['2'] }, { values: ['1', '3'] }]);
    assert.deepEqual(JSON.parse(first as string).slice(6), ['2', ['1', '3']]);
    assert.deepEqual([three, none], [{ values: ['1'] }, { values: [] }]);
    assert.deepEqual(JSON.parse(last as string).slice(3), [true, false, true, '1', []]);
    assert.match(log as string, /mouseover hov;/);
  });

  test('scroll', async () => {
    const at = { evaluate: '[scrollX, scrollY, innerHeight, document.body.scrollHeight]' };
    const acted = await done(service, `${target.url}/long`, [
      { scroll: 'bottom' },
      at,
      { scroll: 'top' },
      at,
      { type: 'scroll', x: 100, y: 250 },
      at,
      { scroll: '#end' },
      at,
      { type: 'scroll', to: 'bottom', container: '#box' },
      { evaluate: '[box.scrollLeft, box.scrollTop]' },
      { type: 'scroll', x: 30, y: 40, container: '#box' },
      { evaluate: '[box.scrollLeft, box.scrollTop]' },
      { type: 'scroll', selector: '#inner', container: '#box' },
      { evaluate: 'inner.getBoundingClientRect().bottom <= box.getBoundingClientRect().bottom' },
    ]);
    const [, bottom, , top, , place, , seen, , boxEnd, , boxPlace, , inner] = results(acted) as number[][];
    assert.equal(bottom![1]! + bottom![2]!, bottom![3]);
    assert.deepEqual(top!.slice(0, 2), [0, 0]);
    assert.deepEqual(place!.slice(0, 2), [100, 250]);
    assert.ok(seen![1]! > 3_000);
    assert.ok(boxEnd![1]! > 700);
    assert.deepEqual(boxPlace, [30, 40]);
    assert.equal(inner, true);
  });

  test('infinite_scroll', async () => {
    const url = `${target.url}/feed`;
    const count = { evaluate: 'document.querySelectorAll(".item").length' };
    const all = await done(service, url, [{ infinite_scroll: { delay_ms: 150 } }, count]);
    const [scrolled, items] = results(all);
    assert.equal((scrolled as { reason: string }).reason, 'end');
    assert.equal(items, 60);
    const few = await done(service, url, [{ type: 'infinite_scroll', max_scrolls: 1, delay_ms: 150 }, count]);
    assert.deepEqual(results(few), [{ scrolls: 1, reason: 'max_scrolls' }, 40]);
    const until = await done(service, url, [
      { type: 'infinite_scroll', delay_ms: 150, until_selector: '#i25' },
      count,
    ]);
    assert.deepEqual(results(until), [{ scrolls: 1, reason: 'until_selector' }, 40]);
    const clicked = await done(service, `${target.url}/more`, [
      { type: 'infinite_scroll', delay_ms: 20, click_selector: '#more' },
    ]);
    assert.deepEqual(results(clicked), [{ scrolls: 3, reason: 'end' }]);
    assert.match(clicked.content, /page3/);
  });

  test('wait, wait_after_ms, timing', async () => {
    const acted = await done(service, `${target.url}/one`, [{ wait: 120 }, { hover: '#to' }]);
    assert.ok(acted.actions[0]!.duration_ms >= 119);
    const { body } = await done(service, `${target.url}/one`, [
      { type: 'wait', ms: 10 },
      { type: 'hover', selector: '#to', wait_after_ms: 200 },
    ]);
    assert.ok(body.router.timing!.actions! >= 209);
  });

  test('goto, reload and back: the document shown at the end is delivered', async () => {
    const { actions, body, content } = await done(service, `${target.url}/one`, [
      { evaluate: 'n.textContent' },
      { reload: true },
      { evaluate: 'n.textContent' },
      { goto: `${target.url}/two#part` },
      { back: true },
      { click: '#to' },
    ]);
    assert.notEqual(actions[0]!.result, actions[2]!.result);
    assert.deepEqual(actions[3]!.result, { url: `${target.url}/two#part`, status_code: 201 });
    assert.deepEqual(actions[4]!.result, { url: `${target.url}/one`, status_code: 200 });
    assert.deepEqual([body.status_code, body.final_url], [201, `${target.url}/two`]);
    assert.match(content, /second/);
  });

  test('hide and remove', async () => {
    const { actions, content } = await done(service, `${target.url}/ads`, [
      { hide: '.ad' },
      { evaluate: '[...document.querySelectorAll(".ad")].map((one) => getComputedStyle(one).display)' },
      { remove: { type: 'css', value: '.ad', nth: 1 } },
      { evaluate: 'document.querySelectorAll(".ad").length' },
      { remove: '.ad' },
    ]);
    assert.deepEqual(
      actions.map(({ result }) => result),
      [{ count: 2 }, ['none', 'none'], { count: 1 }, 1, { count: 1 }],
    );
    assert.doesNotMatch(content, /class="ad"/);
    assert.match(content, /id="keep"/);
  });

  test('hide and remove: forms with fields named like methods of forms, and elements that are not HTML', async () => {
    const shown = '["f", "v", "m"].map((id) => getComputedStyle(document.getElementById(id)).display)';
    const { actions, content } = await done(service, `${target.url}/form`, [
      { hide: '#f, #v, #m' },
      { evaluate: shown },
      { remove: '#f' },
    ]);
    assert.deepEqual(
      actions.map(({ result }) => result),
      [{ count: 3 }, ['none', 'none', 'none'], { count: 1 }],
    );
    assert.doesNotMatch(content, /<form/);
  });

  test('extract reads the current state of the page', async () => {
    const schema = { title: 'title', to: 'a@href' };
    const { actions, body } = await done(
      service,
      `${target.url}/one`,
      [{ extract: schema }, { evaluate: 'document.title = "changed"' }, { extract: { title: 'title' } }],
      { scraper_options: { extract: schema } },
    );
    assert.deepEqual(actions[0]!.result, { title: 'one', to: `${target.url}/two` });
    assert.deepEqual(actions[2]!.result, { title: 'changed' });
    assert.deepEqual((body.scraper_data as { extract: unknown }).extract, {
      title: 'changed',
      to: `${target.url}/two`,
    });
  });

  test('screenshot', async () => {
    // Without a graphics card, an image of 3,000 pixels takes seconds on a busy machine.
    const timeout_ms = 30_000;
    const acted = await done(service, `${target.url}/long`, [
      { screenshot: true },
      { screenshot: 'whole' },
      { type: 'screenshot', full_page: true, name: 'all', timeout_ms },
      { type: 'screenshot', selector: '#box', timeout_ms },
    ]);
    const pictures = results(acted) as {
      name: string;
      url: string;
      width: number;
      height: number;
      type: string;
    }[];
    assert.deepEqual(
      pictures.map(({ name, width, height, type }) => [name, width, height > 5_000, type]),
      [
        [null, 1280, false, 'image/png'],
        ['whole', 1280, false, 'image/png'],
        ['all', 3000, true, 'image/png'],
        [null, 100, false, 'image/png'],
      ],
    );
    for (const { url, width } of pictures) {
      const picture = Buffer.from(await (await fetch(url)).arrayBuffer());
      assert.equal(picture.readUInt32BE(16), width);
    }
  });

  test('the record has the same actions as the response', async () => {
    const { body, actions } = await done(service, `${target.url}/one`, [{ evaluate: '({ a: [1, null] })' }]);
    const stored = await service.api<{ scraper_data: unknown }>('GET', `/api/v1/scrape/${body.id}/`);
    assert.deepEqual((stored.body.scraper_data as { actions: unknown }).actions, actions);
    const bare = await act(service, `${target.url}/one`, [{ evaluate: '"secret"' }], {
      router: { retain: 'metadata' },
    });
    assert.equal(bare.actions[0]!.result, 'secret');
    const kept = await service.api<{ scraper_data: { actions: { status: string }[] } }>(
      'GET',
      `/api/v1/scrape/${bare.body.id}/`,
    );
    const [first] = kept.body.scraper_data.actions;
    assert.equal(first!.status, 'ok');
    assert.ok(!('result' in first!));
  });
});
