// biome-ignore-all lint/suspicious/noThenProperty: the name in the API; nothing here is awaited.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { chromiums } from '../../adapters/browser/stage.ts';
import { html, startTarget, type Target } from '../../adapters/browser/target.ts';
import { type Acted, act, done, statuses } from '../../end-to-end/acting.ts';
import { freePort } from '../../helpers/free-port.ts';
import { useService } from '../../helpers/service.ts';

const skip = (await chromiums()).length === 0 && 'there is no Chromium on this machine';
const missing = { type: 'click', selector: '#no', timeout_ms: 120 };
const sees = { evaluate: 'document.title' };

describe('page actions that fail', { skip }, () => {
  const service = useService();
  let target: Target;
  let dead: string;
  before(async () => {
    dead = `http://127.0.0.1:${await freePort()}/`;
    target = await startTarget({
      '/page':
        html(`<title>page</title><p id=p>text</p><button id=off disabled>off</button><button id=hidden style="display:none">h</button>
        <button id=under>under</button><div id=over style="position:fixed;inset:0"></div><select id=s style="position:relative;z-index:2"><option>a<option disabled>b</select>
        <a id=data href=/data style="position:relative;z-index:2">data</a><a id=away href="http://10.0.0.1/" style="position:relative;z-index:2">away</a>`),
      '/data': (_, response) =>
        void response.writeHead(200, { 'content-type': 'application/json' }).end('{"a":1}'),
      '/none': (_, response) => void response.writeHead(204).end(),
      '/file': html('file', 200, { 'content-disposition': 'attachment' }),
      '/to-dead': (_, response) => void response.writeHead(302, { location: dead }).end(),
      '/to-private': (_, response) => void response.writeHead(302, { location: 'http://10.0.0.1/' }).end(),
      '/slow': (_, response) => void setTimeout(() => html('<title>slow</title>')(_, response), 1_500),
      '/empty-404': (_, response) => void response.writeHead(404, { 'content-type': 'text/html' }).end(),
      '/auth': (request, response) =>
        request.headers.authorization === `Basic ${Buffer.from('u:p').toString('base64')}`
          ? html('<title>known</title>')(request, response)
          : void response
              .writeHead(401, { 'www-authenticate': 'Basic realm=a', 'content-type': 'text/html' })
              .end('who?'),
    });
  });
  after(() => target[Symbol.asyncDispose]());

  test('stop: the rest is skipped, the page is delivered with the error', async () => {
    const acted = await act(service, `${target.url}/page`, [
      sees,
      { ...missing, id: 'mine' },
      sees,
      { if: { selector: '#p', then: [sees] } },
    ]);
    const { status, body, content, actions } = acted;
    assert.deepEqual([status, body.router.outcome], [200, 'partial']);
    assert.match(content, /id="p">text/);
    assert.deepEqual(statuses(acted), ['ok', 'failed', 'skipped', 'skipped']);
    const message = 'Page action 1 (click) failed: nothing matches "#no" after 120 ms.';
    assert.deepEqual(actions[1]!.error, { code: 'action.failed', message });
    assert.deepEqual(body.errors, [
      {
        code: 'action.failed',
        message,
        level: 'error',
        source: 'action',
        retryable: false,
        pointer: '/page_actions/1',
        details: { index: 1, type: 'click', id: 'mine' },
      },
    ]);
  });

  test('continue: the next action runs', async () => {
    const acted = await act(service, `${target.url}/page`, [{ ...missing, on_error: 'continue' }, sees]);
    assert.deepEqual(statuses(acted), ['failed', 'ok']);
    assert.deepEqual([acted.status, acted.body.errors.length], [200, 1]);
  });

  test('fail: 502 with every field of the 200', async () => {
    const acted = await act(service, `${target.url}/page`, [
      { ...missing, on_error: 'continue' },
      { type: 'if', selector: '#p', then: [sees, { ...missing, on_error: 'fail' }, sees] },
      sees,
    ]);
    const { status, body, content } = acted;
    assert.deepEqual(
      [status, body.code, body.status_code, body.router.outcome],
      [502, 'action.failed', 200, 'partial'],
    );
    assert.match(content, /id="p">text/);
    assert.equal(body.detail, body.errors[0]!.message);
    assert.deepEqual(
      body.errors.map(({ code, pointer, details }) => [code, pointer, details?.index]),
      [
        ['action.failed', '/page_actions/1/then/1', 1],
        ['action.failed', '/page_actions/0', 0],
      ],
    );
    assert.deepEqual(statuses(acted), ['failed', 'ok', 'ok', 'failed', 'skipped', 'skipped']);
    const stored = await service.api<{ router: { http_status: number }; content: string }>(
      'GET',
      `/api/v1/scrape/${body.id}/`,
    );
    assert.deepEqual([stored.body.router.http_status, stored.body.content], [502, body.content]);
  });

  test('optional: a missing element is skipped without an error', async () => {
    const quick = { timeout_ms: 120, optional: true };
    const acted = await act(service, `${target.url}/page`, [
      { ...missing, optional: true },
      { type: 'click', selector: '#hidden', ...quick, timeout_ms: 1_000 },
      { type: 'remove', selector: '.none', ...quick },
      { type: 'wait_for_selector', selector: '.none', ...quick },
      { type: 'screenshot', selector: '.none', ...quick },
      sees,
      { type: 'click', selector: '#off', ...quick, timeout_ms: 1_000 },
    ]);
    assert.deepEqual(statuses(acted), [
      'skipped',
      'skipped',
      'skipped',
      'skipped',
      'skipped',
      'ok',
      'failed',
    ]);
    assert.deepEqual(
      acted.body.errors.map(({ pointer }) => pointer),
      ['/page_actions/6'],
    );
  });

  test('reasons are short and clear', async () => {
    const cases: readonly (readonly [action: object, why: RegExp])[] = [
      [{ type: 'click', selector: '#off' }, /"#off" is disabled after 2000 ms\.$/],
      [{ type: 'click', selector: '#hidden' }, /"#hidden" is not visible after 2000 ms\.$/],
      // The element must have stood still before it is known what covers it, which takes a busy browser long.
      [
        { type: 'click', selector: '#under', timeout_ms: 6_000 },
        /"#under" is covered by another element after 6000 ms\.$/,
      ],
      [{ type: 'fill', selector: '#p', value: 'x' }, /failed: Element is not an <input>/],
      [{ type: 'select', selector: '#s', value: 'z' }, /"#s" has no such option after 2000 ms\.$/],
      [
        { type: 'select', selector: '#s', value: 'b' },
        /"#s" has that option, but it is disabled after 2000 ms\.$/,
      ],
      [{ type: 'select', selector: '#p', value: 'z' }, /Element is not a <select>/],
      [{ type: 'check', selector: '#p' }, /Not a checkbox or radio button/],
      [{ type: 'press', key: 'Nokey' }, /Unknown key: "Nokey"\.$/],
      [{ type: 'back' }, /no page to go back to\.$/],
      [
        { type: 'click', selector: { type: 'css', value: 'p', nth: 3 } },
        /nothing matches "p \(number 3\)" after 2000 ms\.$/,
      ],
      [
        { type: 'extract', schema: { a: 'h1' }, frame: 'iframe' },
        /nothing matches the frame "iframe" after 2000 ms\.$/,
      ],
    ];
    const acted = await act(
      service,
      `${target.url}/page`,
      cases.map(([action]) => ({ timeout_ms: 2_000, on_error: 'continue', ...action })),
      { timeout_ms: 90_000 },
    );
    for (const [at, [, why]] of cases.entries()) {
      const { message } = acted.actions[at]!.error!;
      assert.match(message, why);
      assert.doesNotMatch(message, /\u001b|Call log|\n|locator\./);
    }
  });

  test('a goto that fails keeps the current page', async () => {
    const to = (url: string) => ({ type: 'goto', url, on_error: 'continue' });
    const acted = await act(service, `${target.url}/page`, [
      to(dead),
      sees,
      to(`${target.url}/to-dead`),
      to(`${target.url}/none`),
      to(`${target.url}/file`),
      { ...to(`${target.url}/slow`), timeout_ms: 200 },
      sees,
    ]);
    assert.equal(acted.status, 200, JSON.stringify(acted.body).slice(0, 500));
    assert.deepEqual(statuses(acted), ['failed', 'ok', 'failed', 'failed', 'failed', 'failed', 'ok']);
    assert.deepEqual([acted.actions[1]!.result, acted.actions[6]!.result], ['page', 'page']);
    assert.deepEqual([acted.body.status_code, acted.body.final_url], [200, `${target.url}/page`]);
    assert.match(acted.content, /id="p">text/);
    assert.match(acted.actions[0]!.error!.message, /ERR_|refused/i);
  });

  test('a forbidden address ends the scrape, whichever action leads there', async () => {
    for (const actions of [
      [sees, { goto: 'http://10.0.0.1/' }],
      [{ type: 'goto', url: `${target.url}/to-private`, on_error: 'continue' }, { wait: 3_000 }],
      [{ click: '#away' }, { wait: 5_000 }],
      [{ evaluate: 'location.href = "http://10.0.0.1/"' }, { wait: 5_000 }],
      [{ goto: 'https://10.0.0.1/' }],
    ]) {
      const { status, body } = await act(service, `${target.url}/page`, actions);
      assert.deepEqual(
        [status, body.code, body.content, body.status_code],
        [403, 'policy.address', null, null],
      );
      assert.deepEqual(body.scraper_data, {});
    }
  });

  test('content that is no document is delivered as its bytes; actions end there, with an error', async () => {
    const last = ({ body }: Acted) => body.errors.map(({ code, pointer }) => `${code} ${pointer}`);
    const url = `${target.url}/page`;
    const acted = await act(service, url, [{ goto: `${target.url}/data` }, sees, sees]);
    assert.deepEqual(
      [acted.status, acted.content, acted.body.final_url, acted.body.router.outcome],
      [200, '{"a":1}', `${target.url}/data`, 'partial'],
    );
    assert.deepEqual(statuses(acted), ['ok', 'skipped', 'skipped']);
    assert.deepEqual(last(acted), ['action.failed /page_actions/1']);
    assert.match(acted.body.errors[0]!.message, /not a document before page action 1 \(evaluate\)/);
    const whole = await done(service, url, [{ goto: `${target.url}/data` }]);
    assert.equal(whole.content, '{"a":1}');
    const clicked = await act(service, url, [{ click: '#data' }, { wait: 5_000 }, sees]);
    assert.equal(clicked.content, '{"a":1}');
    assert.equal(statuses(clicked).at(-1), 'skipped');
    assert.ok(clicked.body.router.timing!.total! < 5_000);
    const never = await act(service, `${target.url}/data`, [sees, { type: 'reload', on_error: 'fail' }]);
    assert.deepEqual(
      [never.status, never.content, statuses(never)],
      [200, '{"a":1}', ['skipped', 'skipped']],
    );
    assert.deepEqual(last(never), ['action.failed /page_actions/0']);
    const fatal = await act(service, `${target.url}/data`, [{ type: 'reload', on_error: 'fail' }]);
    assert.deepEqual([fatal.status, fatal.body.code, fatal.content], [502, 'action.failed', '{"a":1}']);
  });

  test('an empty error page and a user name are followed', async () => {
    const acted = await act(service, `${target.url}/page`, [
      { goto: `${target.url.replace('http://', 'http://u:p@')}/auth` },
      sees,
    ]);
    assert.equal(acted.actions[1]!.result, 'known');
    assert.doesNotMatch(JSON.stringify(acted.body), /u:p@/);
    const stored = await service.api('GET', `/api/v1/scrape/${acted.body.id}/request/`);
    assert.doesNotMatch(JSON.stringify(stored.body), /u:p@/);
  });

  test('domains that the key may not reach', async () => {
    const { body } = await service.api<{ key: string }>('POST', '/api/v1/keys/', {
      body: { name: 'narrow', domains: ['localhost'] },
    });
    const { port } = new URL(target.url);
    const reply = await service.scrape(
      {
        url: `http://localhost:${port}/page`,
        scraper: 'browser',
        page_actions: [{ goto: `${target.url}/page` }],
      },
      { key: body.key },
    );
    assert.deepEqual([reply.status, reply.body.code], [403, 'policy.domain']);
  });

  test('actions end when the time for waits is up', async () => {
    const url = `${target.url}/page`;
    const began = performance.now();
    const acted = await act(
      service,
      url,
      [
        { type: 'wait_for_selector', selector: '#never', timeout_ms: 60_000, on_error: 'continue' },
        sees,
        { if: { selector: '#p', then: [sees] } },
      ],
      { timeout_ms: 6_000 },
    );
    assert.ok(performance.now() - began < 30_000);
    assert.deepEqual([acted.status, statuses(acted)], [200, ['failed', 'skipped', 'skipped']]);
    assert.match(acted.actions[0]!.error!.message, /when the time for waits and actions ran out\.$/);
    assert.deepEqual(
      acted.body.errors.map(({ pointer, message }) => [
        pointer,
        /ran out before page action 1 \(evaluate\)/.test(message),
      ]),
      [
        ['/page_actions/0', false],
        ['/page_actions/1', true],
      ],
    );
    assert.match(acted.content, /id="p">text/);
    const fatal = await act(
      service,
      url,
      [
        { type: 'wait_for_selector', selector: '#never', timeout_ms: 60_000, on_error: 'continue' },
        { type: 'evaluate', script: '1', on_error: 'continue' },
        { type: 'evaluate', script: '1', on_error: 'fail' },
      ],
      { timeout_ms: 4_000 },
    );
    assert.deepEqual(
      [fatal.status, fatal.body.code, fatal.body.errors[0]!.pointer],
      [502, 'action.failed', '/page_actions/2'],
    );
    assert.match(fatal.content, /id="p">text/);
  });

  test('an endless script is stopped, and the page can be read', async () => {
    const loops = (script: string, more = {}) => ({
      type: 'evaluate',
      script,
      timeout_ms: 300,
      on_error: 'continue',
      ...more,
    });
    const acted = await act(service, `${target.url}/page`, [
      loops('for (;;);'),
      sees,
      loops('new Promise(() => {})'),
      sees,
      loops('(() => { for (;;); })()', { type: 'wait_for_function' }),
      sees,
    ]);
    assert.deepEqual(statuses(acted), ['failed', 'ok', 'failed', 'ok', 'failed', 'ok']);
    assert.equal(acted.status, 200);
    assert.match(acted.content, /id="p">text/);
    const began = performance.now();
    const endless = await act(service, `${target.url}/page`, [{ evaluate: 'for (;;);' }], {
      timeout_ms: 2_000,
    });
    assert.ok(performance.now() - began < 15_000);
    assert.ok([200, 504].includes(endless.status), String(endless.status));
    await done(service, `${target.url}/page`, [sees]);
  });
});
