import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { chromiums } from '../adapters/browser/stage.ts';
import { html, startTarget, type Target } from '../adapters/browser/target.ts';
import { useOwnService } from '../helpers/service.ts';

const skip = (await chromiums()).length === 0 && 'there is no Chromium on this machine';

const LANGUAGES =
  'const languages = () => [navigator.languages.join(), Intl.DateTimeFormat().resolvedOptions().locale];';

describe('scrapes in a browser', { skip }, () => {
  const service = useOwnService();
  let target: Target;
  before(async () => {
    target = await startTarget({
      '/script': html(
        '<title>a</title><p id=p>old</p><script>p.textContent = "made by script"</script>',
        200,
        {
          'set-cookie': 'a=1',
        },
      ),
      '/koi8': (_, response) =>
        void response
          .writeHead(200, { 'content-type': 'text/html; charset=koi8-r' })
          .end(Buffer.from('<p>\xf0\xf2\xe9\xf7\xe5\xf4</p>', 'latin1')),
      '/latin': (_, response) =>
        void response
          .writeHead(200, { 'content-type': 'text/html; charset=ISO-8859-1' })
          .end(Buffer.from('<p>caf\xe9</p>', 'latin1')),
      '/meta': (_, response) =>
        void response
          .writeHead(200, { 'content-type': 'text/html' })
          .end(Buffer.from('<meta charset=shift_jis><p>\x93\xfa</p>', 'latin1')),
      '/bytes': (_, response) =>
        void response
          .writeHead(200, { 'content-type': 'application/octet-stream' })
          .end(Buffer.from([0, 255, 1])),
      '/languages': (request, response) =>
        html(`<pre id=sent>${request.headers['accept-language']}</pre><pre id=said></pre><script>
          ${LANGUAGES} const own = languages();
          new Worker('/languages.js').onmessage = ({ data }) => {
            said.textContent = JSON.stringify([...own, ...data]);
            document.body.id = 'done';
          };
        </script>`)(request, response),
      '/languages.js': html(`${LANGUAGES} postMessage(languages())`, 200, {
        'content-type': 'text/javascript',
      }),
    });
  });
  after(() => target[Symbol.asyncDispose]());

  test('run if named, or by auto if a member of the request needs a browser', async () => {
    for (const more of [{ scraper: 'browser' }, { wait_for_selector: '#p' }]) {
      const { status, body } = await service.scrape({ url: `${target.url}/script`, ...more });
      assert.equal(status, 200);
      assert.match(body.content!, /<p id="p">made by script<\/p>/);
      assert.deepEqual([body.status_code, body.content_encoding, body.errors], [200, 'utf-8', []]);
      assert.equal(body.router.scraper, 'browser');
      assert.equal(body.router.outcome, 'ok');
      assert.equal(body.headers['set-cookie'], 'a=1');
      assert.deepEqual(
        body.cookies.map(({ name }) => name),
        ['a'],
      );
      assert.equal(typeof body.router.timing!.queue, 'number');
      const stored = await service.api('GET', `/api/v1/scrape/${body.id}`);
      assert.equal(stored.status, 200);
    }
  });

  test('send and say languages as the browser of a person does, in pages and workers', async () => {
    const swiss = ['de-CH,de;q=0.9,en-US;q=0.8,en;q=0.7', 'de-CH,de,en-US,en', 'de-CH'];
    for (const [more, sent, said, numbers] of [
      [{}, 'en-US,en;q=0.9', 'en-US,en', 'en-US'],
      // By the other driver.
      [{ page_actions: [{ wait: 1 }] }, 'en-US,en;q=0.9', 'en-US,en', 'en-US'],
      [{ scraper_options: { locale: 'de-CH' } }, ...swiss],
      [{ headers: { 'Accept-Language': 'fr;q=0.9' } }, 'fr;q=0.9', 'fr', 'en-US'],
    ] as const) {
      const request = {
        url: `${target.url}/languages`,
        scraper: 'browser',
        wait_for_selector: '#done',
        ...more,
      };
      const { body } = await service.scrape(request);
      const [, field, script] = /<pre id="sent">(.*?)<\/pre><pre id="said">(.*?)<\/pre>/.exec(body.content!)!;
      assert.equal(field, sent);
      assert.deepEqual(JSON.parse(script!), [said, numbers, said, numbers], sent);
    }
  });

  test('the metrics have the duration of each phase', async () => {
    await service.scrape({ url: `${target.url}/script`, scraper: 'browser' });
    const { text } = await service.api<string>('GET', '/metrics');
    const counts = text.matchAll(/^sluice_browser_phase_seconds_count\{phase="(\w+)"\} (\d+)$/gm);
    const phases = [...counts].map(([, phase, count]) => [phase, Number(count) > 0]);
    const all = ['queue', 'context', 'navigate', 'wait', 'read', 'close'];
    assert.deepEqual(
      phases,
      all.map((phase) => [phase, true]),
    );
  });

  test('auto begins with HTTP, and tries a browser if the page does not meet accept', async () => {
    const isHttp = (name: string | null | undefined) => name === 'http' || name === 'http_impersonate';
    const plain = await service.scrape({ url: `${target.url}/script` });
    assert.ok(isHttp(plain.body.router.scraper), JSON.stringify(plain.body.router));
    assert.match(plain.body.content!, /old/);
    const browser = plain.body.router.candidates!.find(({ scraper }) => scraper === 'browser');
    assert.equal(browser?.excluded_by, null);
    assert.ok(browser!.est_cost! > 1 && browser!.est_success! > 0 && !browser!.selected);
    const accept = { contains: '<p id="p">made by script' };
    const { status, body } = await service.scrape({ url: `${target.url}/script`, router: { accept } });
    assert.deepEqual([status, body.router.outcome, body.errors], [200, 'ok', []]);
    assert.match(body.content!, /made by script/);
    const attempts = body.router.attempts!;
    assert.deepEqual([isHttp(attempts[0]?.scraper), attempts[0]?.outcome], [true, 'rejected']);
    assert.deepEqual([attempts.at(-1)?.scraper, attempts.at(-1)?.outcome], ['browser', 'ok']);
    assert.match(attempts.at(-1)!.reason, /^after a page that does not meet the accept conditions: /);
    const dry = await service.scrape({ url: `${target.url}/script`, router: { accept, dry_run: true } });
    assert.equal(dry.body.router.outcome, 'planned');
    assert.equal(dry.body.router.candidates!.filter(({ selected }) => selected).length, 1);
  });

  test('HTML is delivered as UTF-8 whatever its charset was, other content as bytes', async () => {
    const text = await service.scrape({ url: `${target.url}/koi8`, scraper: 'browser' });
    assert.match(text.body.content!, /ПРИВЕТ/);
    assert.equal(text.body.headers['content-type'], 'text/html; charset=koi8-r');
    const charsets = [
      ['/koi8', 'koi8-r', 'http'],
      ['/latin', 'windows-1252', 'http'],
      ['/meta', 'shift_jis', 'meta'],
    ] as const;
    for (const [path, name, source] of charsets)
      for (const scraper of ['browser', 'http']) {
        const { body } = await service.scrape({ url: target.url + path, scraper });
        assert.deepEqual(body.scraper_data.charset, { name, source }, `${scraper} ${path}`);
      }
    const bytes = await service.scrape({ url: `${target.url}/bytes`, scraper: 'browser' });
    assert.deepEqual([bytes.body.content, bytes.body.content_encoding], ['AP8B', 'base64']);
  });

  test('a wait that fails is an error, and the page is delivered', async () => {
    // On a busy machine, the page itself may take the short time.
    for (const timeout_ms of [2_000, 10_000, 40_000]) {
      const ask = { url: `${target.url}/script`, wait_for_selector: '#no', timeout_ms };
      const { status, body } = await service.scrape(ask);
      const errors = body.errors.map(({ code, pointer }) => [code, pointer]);
      if (timeout_ms < 40_000 && errors.some(([code]) => code !== 'wait.selector_timeout')) continue;
      assert.deepEqual([status, body.router.outcome], [200, 'partial']);
      assert.deepEqual(errors, [['wait.selector_timeout', '/wait_for_selector']]);
      break;
    }
  });

  test('without a document, wait_for_selector fails and is reported', async () => {
    const ask = { url: `${target.url}/bytes`, scraper: 'browser', wait_for_selector: 'pre' };
    for (const [state, codes] of [
      ['visible', ['wait.selector_timeout']],
      ['attached', ['wait.selector_timeout']],
      ['hidden', []],
      ['detached', []],
    ] as const) {
      const scraper_options = { wait_for_selector_state: state };
      const { body } = await service.scrape({ ...ask, scraper_options });
      assert.equal(body.status_code, 200);
      assert.equal(body.content, 'AP8B');
      assert.deepEqual(
        body.errors.map(({ code, pointer }) => [code, pointer]),
        codes.map((code) => [code, '/wait_for_selector']),
        state,
      );
      assert.equal(body.router.outcome, codes.length === 0 ? 'ok' : 'partial');
    }
  });

  test('a forbidden address is 403, and nothing of the page is delivered', async () => {
    const { status, body } = await service.scrape({ url: 'http://10.0.0.1/', scraper: 'browser' });
    assert.deepEqual(
      [status, body.code, body.status_code, body.content],
      [403, 'policy.address', null, null],
    );
    const own = await service.scrape({ url: `${service.base}/healthz`, scraper: 'browser' });
    assert.deepEqual([own.status, own.body.code], [403, 'policy.address']);
  });

  test('options and browsers that this version lacks are refused by name', async () => {
    for (const [more, pointer] of [
      [{ scraper_options: { http2: true } }, '/scraper_options/http2'],
      [{ method: 'HEAD' }, '/method'],
    ] as const) {
      const { status, body } = await service.scrape({ url: target.url, scraper: 'browser', ...more });
      assert.deepEqual(
        [status, body.code, body.errors[0]?.pointer],
        [422, 'scraper.unsupported_option', pointer],
      );
    }
    const other = await service.scrape({ url: target.url, browser_type: 'firefox' });
    assert.deepEqual(
      [other.status, other.body.code, other.body.errors[0]?.pointer],
      [422, 'browser.unavailable', '/browser_type'],
    );
  });

  test('it is listed as available', async () => {
    const { body } = await service.api<{ items: { name: string; available: boolean }[] }>(
      'GET',
      '/api/v1/scrapers/',
    );
    assert.equal(body.items.find(({ name }) => name === 'browser')?.available, true);
  });
});
