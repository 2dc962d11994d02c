// biome-ignore-all lint/suspicious/noThenProperty: the name in the API; nothing here is awaited.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { chromiums } from '../../adapters/browser/stage.ts';
import { html, startTarget, type Target } from '../../adapters/browser/target.ts';
import { act, results, statuses } from '../../end-to-end/acting.ts';
import { useService } from '../../helpers/service.ts';

const skip = (await chromiums()).length === 0 && 'there is no Chromium on this machine';
// The times that end something are long enough for a busy machine, and shorter than what they end.
const sees = { evaluate: 'document.title' };

describe('page actions: missing elements and finished actions', { skip }, () => {
  const service = useService();
  let target: Target;
  before(async () => {
    const late =
      (ms: number): Parameters<typeof startTarget>[0][string] =>
      (request, response) =>
        void setTimeout(() => html('<title>late</title><p id=d>d')(request, response), ms);
    target = await startTarget({
      '/busy': html(`<title>busy</title><button id=b>b</button><script>
        setTimeout(() => { const began = Date.now(); while (Date.now() - began < 3000); }, 250)</script>`),
      '/handler': html(`<button id=b>b</button><script>
        b.onclick = () => { const began = Date.now(); while (Date.now() - began < 5000); }</script>`),
      '/leads': html(`<title>leads</title><a id=soon href=/soon>soon</a> <a id=slow href=/slow>slow</a>
        <a id=slower href=/slower>slower</a> <form action=/slow><input id=i name=i></form>
        <form action=/soon><input id=j name=j></form> <p id=nf>no frame
        <div id=box><p class=in>in</div>`),
      '/soon': late(300),
      '/slow': late(5_000),
      '/slower': late(6_500),
    });
  });
  after(() => target[Symbol.asyncDispose]());

  test('optional: on a page that is too busy to respond, the action fails and is not skipped', async () => {
    const click = { type: 'click', selector: '#b', timeout_ms: 1_000 };
    for (const optional of [true, false]) {
      const acted = await act(service, `${target.url}/busy`, [{ wait: 250 }, { ...click, optional }]);
      assert.deepEqual([statuses(acted), acted.body.router.outcome], [['ok', 'failed'], 'partial']);
      assert.match(
        acted.actions[1]!.error!.message,
        /failed: (?:the page did not respond|"#b" was not ready|"#b" was clicked, but the page did not respond) after 1000 ms\.$/,
      );
    }
  });

  test('optional: a click that leads to a slow page is ok', async () => {
    const acted = await act(service, `${target.url}/leads`, [
      { type: 'click', selector: '#slow', timeout_ms: 3_000, optional: true },
    ]);
    assert.deepEqual(statuses(acted), ['ok']);
    assert.deepEqual([acted.body.router.outcome, acted.body.final_url], ['ok', `${target.url}/slow`]);
  });

  test('optional: an action in a missing frame is skipped too', async () => {
    const quick = { timeout_ms: 300, optional: true };
    const acted = await act(service, `${target.url}/leads`, [
      { type: 'scroll', selector: '.none', container: '#box', ...quick },
      { type: 'scroll', selector: '.in', container: '#none', ...quick },
      { type: 'scroll', selector: '.in', container: '#none', timeout_ms: 300, on_error: 'continue' },
      { type: 'scroll', selector: '.none', container: '#box', timeout_ms: 300 },
    ]);
    assert.deepEqual(statuses(acted), ['skipped', 'skipped', 'failed', 'failed']);
    assert.match(acted.actions[2]!.error!.message, /nothing matches "#none" after 300 ms\.$/);
    assert.match(acted.actions[3]!.error!.message, /nothing matches ".none" after 300 ms\.$/);
  });

  test('a click whose handler never returns fails with an error that says so', async () => {
    const acted = await act(service, `${target.url}/handler`, [
      { type: 'click', selector: '#b', timeout_ms: 3_000, optional: true },
    ]);
    assert.deepEqual(statuses(acted), ['failed']);
    assert.match(
      acted.actions[0]!.error!.message,
      /"#b" was clicked, but the page did not respond after 3000 ms\.$/,
    );
  });

  test('an action that leads to a slow page is ok, and the next action follows', async () => {
    const url = `${target.url}/leads`;
    const there = { type: 'wait_for_selector', selector: '#d', timeout_ms: 20_000 };
    const clicked = await act(service, url, [{ click: '#slower' }, there, sees]);
    assert.deepEqual(clicked.body.errors, []);
    assert.deepEqual(statuses(clicked), ['ok', 'ok', 'ok']);
    assert.deepEqual(
      [results(clicked)[2], clicked.body.router.outcome, clicked.body.final_url],
      ['late', 'ok', `${target.url}/slower`],
    );
    const pressed = await act(service, url, [
      { type: 'press', selector: '#i', key: 'Enter', timeout_ms: 3_000 },
      there,
      sees,
    ]);
    assert.deepEqual(statuses(pressed), ['ok', 'ok', 'ok']);
    assert.equal(results(pressed)[2], 'late');
    const all = await act(service, url, [
      { type: 'click', selector: '#slow', all: true, timeout_ms: 3_000 },
      there,
    ]);
    assert.deepEqual([statuses(all), results(all)[0]], [['ok', 'ok'], { clicked: 1 }]);
  });

  test('if the page comes in time, the next action runs in it', async () => {
    const acted = await act(service, `${target.url}/leads`, [{ click: '#soon' }, sees]);
    assert.deepEqual([statuses(acted), results(acted)[1]], [['ok', 'ok'], 'late']);
    const pressed = await act(service, `${target.url}/leads`, [
      { type: 'press', selector: '#j', key: 'Enter' },
      sees,
    ]);
    assert.deepEqual([statuses(pressed), results(pressed)[1]], [['ok', 'ok'], 'late']);
  });

  test('every action reports a frame that is not a frame in the same words', async () => {
    const inNone = { frame: '#nf', timeout_ms: 3_000, on_error: 'continue' };
    const acted = await act(service, `${target.url}/leads`, [
      { type: 'evaluate', script: '1', ...inNone },
      { type: 'click', selector: '#b', ...inNone },
      { type: 'fill', selector: '#b', value: 'x', ...inNone },
      { type: 'wait_for_selector', selector: '#b', ...inNone },
      { type: 'if', selector: '#b', then: [sees], frame: '#nf' },
    ]);
    for (const { type, error } of acted.actions)
      assert.match(error?.message ?? '', /failed: the element that #nf matches is not a frame\.$/, type);
  });
});
