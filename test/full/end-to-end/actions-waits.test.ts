// biome-ignore-all lint/suspicious/noThenProperty: the name in the API; nothing here is awaited.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { chromiums } from '../../adapters/browser/stage.ts';
import { html, startTarget, type Target } from '../../adapters/browser/target.ts';
import { act, done, results, statuses } from '../../end-to-end/acting.ts';
import { useService } from '../../helpers/service.ts';
import { useSite } from '../../helpers/use-site.ts';

const skip = (await chromiums()).length === 0 && 'there is no Chromium on this machine';
const STRICT = { 'content-security-policy': "default-src 'self'; script-src 'self'" };

describe('page actions: waits, scripts, frames, branches', { skip }, () => {
  const service = useService();
  const site = useSite({ tls: true });
  let target: Target;
  before(async () => {
    target = await startTarget({
      // Late enough that even a busy machine has checked once before.
      '/later': html('<script>setTimeout(() => document.write("<b id=late>late"), 3000)</script>'),
      '/late': html(`<p id=now>now</p><p id=gone>gone</p><script>
        setTimeout(() => { document.body.append(Object.assign(document.createElement("b"), { id: "late" })); late.textContent = "late"; gone.remove(); window.ready = 5; }, 300);
        setTimeout(() => history.pushState(null, "", "/pushed?x=1"), 400);</script>`),
      '/asks': html(`<button id=go>go</button><script>
        fetch("/api/first"); go.onclick = () => { fetch("/api/second", { method: "POST", body: "b", headers: { authorization: "secret" } }); fetch("/api/fails"); };</script>`),
      '/api/first': (_, response) =>
        void response.writeHead(200, { 'content-type': 'application/json' }).end('{"a":"é"}'),
      '/api/second': (_, response) =>
        setTimeout(
          () =>
            response
              .writeHead(201, { 'content-type': 'application/octet-stream' })
              .end(Buffer.from([0, 255])),
          150,
        ),
      '/api/fails': (_, response) => void response.writeHead(500, { 'content-type': 'text/plain' }).end('no'),
      '/api/large': (_, response) =>
        void response.writeHead(200, { 'content-type': 'text/plain' }).end('x'.repeat(2 ** 20 + 5)),
      '/large': html('<script>fetch("/api/large")</script>'),
      '/strict': html('<p id=p>strict</p>', 200, STRICT),
      '/busy': html('<script>fetch("/never")</script><p>busy</p>'),
      '/never': () => {},
      '/frames': html('<iframe id=one src=/inside name=a style="margin:50px"></iframe><p id=p>outside</p>'),
      '/inside':
        html(`<p id=p>inside</p><input id=i><button id=b style="position:absolute;left:20px;top:60px">b</button><pre id=log></pre>
        <script>b.onclick = () => { log.textContent = "clicked"; fetch("/api/first"); }</script>`),
      '/far': (request, response) =>
        html(`<iframe id=one src="http://localhost:${request.headers.host!.split(':')[1]}/inside"></iframe>`)(
          request,
          response,
        ),
      '/status': html('<p id=p>teapot</p>', 418),
      '/plain': html('<title>plain</title><p id=p>plain</p>'),
    });
  });
  after(() => target[Symbol.asyncDispose]());

  test('wait_for_selector in each state', async () => {
    await done(service, `${target.url}/late`, [
      { wait_for_selector: '#late' },
      { type: 'wait_for_selector', selector: '#gone', state: 'detached' },
      { type: 'wait_for_selector', selector: '#late', state: 'attached' },
      { hide: '#late' },
      { type: 'wait_for_selector', selector: '#late', state: 'hidden' },
    ]);
    const late = await act(service, `${target.url}/plain`, [
      { type: 'wait_for_selector', selector: '#no', timeout_ms: 150, on_error: 'continue' },
      { type: 'wait_for_selector', selector: '#p', state: 'hidden', timeout_ms: 150, on_error: 'continue' },
      { type: 'wait_for_selector', selector: '#p', state: 'detached', timeout_ms: 150 },
    ]);
    assert.deepEqual(
      late.actions.map(({ error }) => error?.message),
      [
        'Page action 0 (wait_for_selector) failed: nothing matches "#no" after 150 ms.',
        'Page action 1 (wait_for_selector) failed: "#p" is still visible after 150 ms.',
        'Page action 2 (wait_for_selector) failed: "#p" is still there after 150 ms.',
      ],
    );
  });

  test('wait_for_url, wait_for_function', async () => {
    const acted = await done(service, `${target.url}/late`, [
      { wait_for_url: '**/pushed?x=*' },
      { wait_for_function: 'window.ready' },
      { type: 'wait_for_function', script: '(n) => window.ready === n', arg: 5 },
      { type: 'wait_for_function', script: 'return await Promise.resolve(arg.at(0) < ready)', arg: [1] },
    ]);
    assert.deepEqual(acted.actions[0]!.result, { url: `${target.url}/pushed?x=1` });
    assert.equal(acted.body.final_url, `${target.url}/pushed?x=1`);
    const failed = await act(service, `${target.url}/plain`, [
      { type: 'wait_for_url', url: '**/other', timeout_ms: 120, on_error: 'continue' },
      { type: 'wait_for_function', script: 'false', timeout_ms: 120, on_error: 'continue' },
      { type: 'wait_for_function', script: 'nowhere.at.all' },
    ]);
    assert.deepEqual(
      failed.actions.map(({ error }) => error?.message),
      [
        'Page action 0 (wait_for_url) failed: it did not finish after 120 ms.',
        'Page action 1 (wait_for_function) failed: it did not finish after 120 ms.',
        'Page action 2 (wait_for_function) failed: the script threw ReferenceError: nowhere is not defined.',
      ],
    );
  });

  test('wait_for_load_state', async () => {
    for (const state of ['load', 'domcontentloaded', 'commit', 'complete', 'networkidle', 'networkidle0'])
      await done(service, `${target.url}/plain`, [{ wait_for_load_state: state }]);
    const { body } = await done(service, `${target.url}/busy`, [{ wait_for_load_state: 'networkidle' }]);
    assert.equal(body.router.outcome, 'ok');
  });

  test('wait_for_response: one that came before, by method, status, with its body', async () => {
    const acted = await done(service, `${target.url}/asks`, [
      { type: 'wait_for_response', url: '**/api/first', capture: true },
      { click: '#go' },
      { type: 'wait_for_response', url: '**/api/*', method: 'post', capture: true },
      { click: '#go' },
      { type: 'wait_for_response', url: '**/api/*', status: 500 },
    ]);
    const [first, , second, , third] = results(acted) as Record<string, unknown>[];
    const { headers, request_headers, ...rest } = first!;
    assert.deepEqual(rest, {
      url: `${target.url}/api/first`,
      method: 'GET',
      status: 200,
      resource_type: 'fetch',
      body: '{"a":"é"}',
      body_encoding: 'utf-8',
      truncated: false,
    });
    assert.equal((headers as Record<string, string>)['content-type'], 'application/json');
    assert.equal((second!.request_headers as Record<string, string>).authorization, '***');
    assert.deepEqual([second!.status, second!.body, second!.body_encoding], [201, 'AP8=', 'base64']);
    assert.deepEqual(third, { url: `${target.url}/api/fails`, method: 'GET', status: 500 });
    assert.ok(request_headers);
  });

  test('wait_for_response: an entry like those of network[], over HTTP/1.1 and HTTP/2', async () => {
    for (const base of [site.url, site.httpsUrl]) {
      const { body, actions } = await act(
        service,
        `${base}/html`,
        [
          { evaluate: 'void fetch("/json", { headers: { "x-mine": "1" } })' },
          { type: 'wait_for_response', url: '**/json', capture: true },
        ],
        { scraper_options: { verify_tls: false, capture: [{ url: '**/json', body: true }] } },
      );
      const [entry] = (body.scraper_data as { network: Record<string, unknown>[] }).network;
      const told = entry!.request_headers as Record<string, string>;
      assert.equal(told['x-mine'], '1');
      const connection = base === site.url ? 'keep-alive' : undefined;
      assert.equal(told.connection, connection);
      assert.equal(body.router.request_headers.connection, connection);
      const { started_ms, duration_ms, ...withoutTimes } = entry!;
      assert.deepEqual([typeof started_ms, typeof duration_ms], ['number', 'number']);
      assert.deepEqual(actions[1]!.result, withoutTimes);
    }
  });

  test('wait_for_response: ignores responses before the last action, and ends after its time', async () => {
    const late = await act(service, `${target.url}/asks`, [
      { wait_for_response: '**/api/first' },
      { hover: '#go' },
      { type: 'wait_for_response', url: '**/api/first', timeout_ms: 200 },
    ]);
    assert.deepEqual(statuses(late), ['ok', 'ok', 'failed']);
    const { status, body, actions } = await act(service, `${target.url}/large`, [
      { type: 'wait_for_response', url: '**/api/large', capture: true },
    ]);
    const { body: text, truncated } = actions[0]!.result as { body: string; truncated: boolean };
    assert.deepEqual([status, text.length, truncated], [200, 2 ** 20, true]);
    assert.deepEqual(
      body.errors.map(({ code, pointer }) => [code, pointer]),
      [['content.truncated', '/page_actions/0']],
    );
  });

  test('evaluate: expressions, functions, bodies, their results', async () => {
    const scripts: readonly (readonly [script: string, result: unknown, arg?: unknown])[] = [
      ['1 + 1', 2],
      ['document.title;', 'plain'],
      ['({ a: [1, { b: null }], c: undefined })', { a: [1, { b: null }] }],
      ['{ a: 1 }', { a: 1 }],
      ['return { a: 1 }', { a: 1 }],
      ['const a = 2; return a * arg', 6, 3],
      ['(x) => x.deep.slice(1)', [2], { deep: [1, 2] }],
      ['async () => { await 0; return "ä\u{1f600}\\n" }', 'ä\u{1f600}\n'],
      ['await fetch(location.href).then((answer) => answer.status)', 200],
      ['function named(arg) { return typeof arg; }', 'object'],
      ['undefined', null],
      ['new Date(0)', '1970-01-01T00:00:00.000Z'],
      ['document.body', {}],
      ['new Map([[1, 2]])', {}],
      ['NaN', null],
      ['// a comment\n5 // another', 5],
      ['arg["__proto__"]', 1, JSON.parse('{"__proto__": 1}')],
      ['Symbol("a")', null],
      ['arg', null],
    ];
    for (let at = 0; at < scripts.length; at += 10) {
      const some = scripts.slice(at, at + 10);
      const acted = await done(
        service,
        `${target.url}/plain`,
        some.map(([script, , arg]) => ({ type: 'evaluate', script, ...(arg === undefined ? {} : { arg }) })),
      );
      assert.deepEqual(
        results(acted),
        some.map(([, result]) => result),
      );
    }
  });

  test('evaluate: what fails, what is too long, what changes the page', async () => {
    const long = `"x".repeat(${2 ** 20})`;
    const { actions, body } = await act(
      service,
      `${target.url}/plain`,
      [
        'throw new TypeError("bad\\nthing")',
        'throw "text"',
        'const a = {}; a.a = a; return a',
        '1n',
        'syntax error here',
        'let deep = []; for (let n = 0; n < 300; n++) deep = [deep]; return deep',
        'JSON.stringify = () => "[1"; return 1',
        // The last one, because an action after it might run in either document.
        'location.href = "/late"; await new Promise(() => {})',
      ].map((script) => ({ type: 'evaluate', script, on_error: 'continue' })),
    );
    const messages = actions.map(({ error }) => error?.message ?? '');
    const like = [
      /threw TypeError: bad\nthing\.$/,
      /threw text\.$/,
      /threw TypeError: Converting circular/,
      /threw TypeError: .*BigInt/,
      /SyntaxError/,
      /nested deeper than 200 levels\.$/,
      // Built-ins that the page has replaced have no effect.
      /^$/,
      /navigated to another document meanwhile\.$/,
    ];
    for (const [at, one] of like.entries()) assert.match(messages[at]!, one);
    assert.equal(body.errors.length, 7);
    const cut = await act(service, `${target.url}/plain`, [
      { evaluate: long },
      { evaluate: `${long}.slice(2)` },
    ]);
    assert.deepEqual(statuses(cut), ['ok', 'ok']);
    assert.equal(cut.actions[0]!.result, null);
    assert.equal((cut.actions[1]!.result as string).length, 2 ** 20 - 2);
    assert.deepEqual(
      cut.body.errors.map(({ code, pointer }) => [code, pointer]),
      [['content.truncated', '/page_actions/0']],
    );
  });

  test('all results together are limited', async () => {
    const { body, actions } = await act(
      service,
      `${target.url}/plain`,
      Array(7).fill({ evaluate: `"x".repeat(${2 ** 20 - 2})` }),
    );
    assert.deepEqual(
      actions.map(({ result }) => typeof result),
      [...Array(5).fill('string'), ...Array(2).fill('object')],
    );
    assert.deepEqual(
      body.errors.map(({ code }) => code),
      ['content.truncated', 'content.truncated'],
    );
  });

  test('scripts run on pages whose policy forbids scripts, and on pages without scripts', async () => {
    const actions = [
      { evaluate: 'document.querySelector("#p").textContent' },
      { evaluate: 'setTimeout(() => { window.later = 1 }, 250); 1' },
      { evaluate: 'const a = 1; return a' },
    ];
    const strict = await done(service, `${target.url}/strict`, [
      actions[0],
      actions[2],
      { evaluate: 'void setTimeout(() => { window.later = 1 }, 250)' },
      { wait_for_function: 'window.later === 1' },
    ]);
    assert.deepEqual(results(strict).slice(0, 2), ['strict', 1]);
    const none = await done(service, `${target.url}/plain`, [actions[0]!, actions[2]!], {
      scraper_options: { javascript: false },
    });
    assert.deepEqual(results(none), ['plain', 1]);
  });

  test('frames', async () => {
    const frame = 'iframe#one';
    const acted = await done(service, `${target.url}/frames`, [
      { type: 'evaluate', script: 'document.querySelector("#p").textContent', frame },
      { type: 'extract', schema: { p: '#p' }, frame },
      { type: 'extract', schema: { p: '#p' } },
      { type: 'fill', selector: '#i', value: 'x', frame },
      { type: 'type', selector: '#i', text: 'y', frame },
      { type: 'wait_for_function', script: 'i.value.length === 2', frame },
      { type: 'click', x: 25, y: 65, frame },
      { type: 'evaluate', script: 'log.textContent', frame },
      { type: 'wait_for_selector', selector: 'text=clicked', frame },
      { type: 'wait_for_url', url: '**/inside', frame },
      { type: 'scroll', to: 'bottom', frame },
      { type: 'screenshot', frame, name: 'frame' },
      { type: 'screenshot', frame, selector: '#b' },
      { type: 'if', frame, selector: '#log', then: [{ type: 'hide', selector: '#p', frame }] },
      { type: 'infinite_scroll', frame, delay_ms: 10 },
    ]);
    const [inside, one, two, , , , , log, , , , shot, button, branch] = results(acted);
    assert.deepEqual([inside, one, two, log], ['inside', { p: 'inside' }, { p: 'outside' }, 'clicked']);
    const size = (picture: unknown) => {
      const { width, height } = picture as { width: number; height: number };
      return [width, height];
    };
    assert.deepEqual(size(shot), [304, 154]);
    assert.ok(size(button)[0]! < 60);
    assert.deepEqual(branch, { branch: 'then' });
    const far = await done(service, `${target.url}/far`, [
      { type: 'evaluate', script: 'location.hostname', frame },
      { type: 'click', selector: '#b', frame },
      { type: 'wait_for_function', script: 'log.textContent === "clicked"', frame },
      { type: 'extract', schema: { p: '#p' }, frame },
      { type: 'remove', selector: '#p', frame },
      { type: 'screenshot', selector: '#b', frame },
    ]);
    assert.deepEqual([far.actions[0]!.result, far.actions[3]!.result], ['localhost', { p: 'inside' }]);
    const wrong = await act(service, `${target.url}/frames`, [
      { type: 'click', selector: '#p', frame: '#none', timeout_ms: 700, optional: true },
      { type: 'click', selector: '#p', frame: '#none', timeout_ms: 700, on_error: 'continue' },
      { type: 'evaluate', script: '1', frame: '#p', timeout_ms: 3_000, on_error: 'continue' },
      { type: 'click', selector: '#i', frame: '#p', timeout_ms: 3_000 },
    ]);
    assert.deepEqual(statuses(wrong), ['skipped', 'failed', 'failed', 'failed']);
    assert.match(wrong.actions[1]!.error!.message, /nothing matches the frame "#none" after 700 ms\.$/);
    assert.match(wrong.actions[2]!.error!.message, /the element that #p matches is not a frame\.$/);
  });

  test('if', async () => {
    const { actions } = await done(service, `${target.url}/status`, [
      { if: { selector: '#p', then: [{ evaluate: '1' }, { evaluate: '2' }], else: [{ evaluate: '3' }] } },
      { if: { selector: '#none', then: [{ evaluate: '4' }], else: [{ evaluate: '5' }] } },
      {
        type: 'if',
        id: 'a',
        status_code: 418,
        then: [{ if: { status_code: [200, 404], else: [{ evaluate: '6' }] } }],
      },
      { if: { status_code: 200, then: [{ evaluate: '7' }] } },
      { evaluate: '8' },
    ]);
    assert.deepEqual(
      actions.map(({ index, type, result }) => [index, type, result]),
      [
        [0, 'if', { branch: 'then' }],
        [0, 'evaluate', 1],
        [0, 'evaluate', 2],
        [1, 'if', { branch: 'else' }],
        [1, 'evaluate', 5],
        [2, 'if', { branch: 'then' }],
        [2, 'if', { branch: 'else' }],
        [2, 'evaluate', 6],
        [3, 'if', { branch: null }],
        [4, 'evaluate', 8],
      ],
    );
    const late = await done(service, `${target.url}/later`, [
      { if: { selector: '#late', then: [{ evaluate: '1' }], else: [{ evaluate: '2' }] } },
    ]);
    assert.equal(late.actions[1]!.result, 2);
    const waited = await done(service, `${target.url}/later`, [
      { if: { selector: '#late', timeout_ms: 20_000, then: [{ evaluate: '1' }] } },
    ]);
    assert.equal(waited.actions[1]!.result, 1);
  });
});
