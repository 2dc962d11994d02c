import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { chromiums } from '../../adapters/browser/stage.ts';
import { html, startTarget, type Target } from '../../adapters/browser/target.ts';
import { readPng } from '../../helpers/png.ts';
import { startService, useOwnService } from '../../helpers/service.ts';
import { createUser } from '../../helpers/users.ts';
import type { RecordLine, ScrapeAnswer } from '../../helpers/wire-types.ts';

const skip = (await chromiums()).length === 0 && 'there is no Chromium on this machine';

const RED = '#ff0000';
const GREEN = '#008000';
const BLUE = '#0000ff';
const page = (body: string, style = '') =>
  html(`<!doctype html><style>body{margin:0}${style}</style>${body}`);
/** 900 pixels of red, 400 of green. */
const TALL = page(
  '<div style="background:red;height:900px"></div><div id=green style="background:green;height:400px;width:300px"></div>',
);

interface Got {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
}

async function get(url: string, init: RequestInit = {}): Promise<Got> {
  const answer = await fetch(url, init);
  return { status: answer.status, headers: answer.headers, bytes: await answer.bytes() };
}
const withKey = (key: string) => ({ headers: { authorization: `Api-Key ${key}` } });

describe('screenshots', { skip }, () => {
  const service = useOwnService();
  let target: Target;
  before(async () => {
    target = await startTarget({
      '/tall': TALL,
      '/huge': page('<div style="height:40000px;background:red"></div>'),
      '/wide': page('<div style="height:9000px;width:9000px;background:red"></div>'),
      '/data': (_, response) =>
        void response.writeHead(200, { 'content-type': 'application/json' }).end('{"a":1}'),
      '/later': page(
        '<div id=inner style="width:0;height:0"></div><div id=gone hidden>x</div><p id=text>words</p>',
      ),
      '/dark': page('', '@media (prefers-color-scheme: dark) { body { background: blue } }'),
      '/traps': html(
        '<div style="height:3000px"></div><p id=green>x</p><script>onscroll = () => { for (;;); }</script>',
      ),
      '/fonts': page('<p>a</p>', '@font-face{font-family:x;src:url(/never)}p{font-family:x}'),
      '/never': () => {},
    });
  });
  after(() => target[Symbol.asyncDispose]());

  const shoot = async (path: string, options: object = {}, more: object = {}) => {
    const { status, body } = await service.scrape({
      url: `${target.url}${path}`,
      screenshot: true,
      scraper_options: { screenshot: options },
      ...more,
    });
    assert.equal(status, 200);
    return body;
  };
  const pictureOf = async ({ screenshot_url: url }: ScrapeAnswer) => {
    assert.ok(url, 'there is a screenshot');
    return get(url);
  };

  test('a PNG of what is to be seen, behind a signed link that needs no key', async () => {
    const body = await shoot('/tall');
    assert.deepEqual([body.errors, body.router.outcome, body.router.warnings.length], [[], 'ok', 1]);
    const link = new URL(body.screenshot_url!);
    assert.equal(link.origin, service.base);
    const left = Number(link.searchParams.get('expires')) - Date.now() / 1_000;
    assert.ok(left > 86_300 && left <= 86_401, `${left}`);
    const { status, headers, bytes } = await pictureOf(body);
    assert.equal(status, 200);
    assert.deepEqual(
      ['content-type', 'x-content-type-options', 'content-length'].map((name) => headers.get(name)),
      ['image/png', 'nosniff', String(bytes.length)],
    );
    assert.match(headers.get('content-security-policy')!, /^sandbox; default-src 'none'/);
    assert.match(headers.get('cache-control')!, /\bprivate\b/);
    const picture = readPng(bytes);
    assert.deepEqual([picture.width, picture.height], [1280, 720]);
    assert.deepEqual([picture.at(0, 0), picture.at(1279, 719)], [RED, RED]);
  });

  test('the whole page, an element, and other types', async () => {
    const whole = readPng((await pictureOf(await shoot('/tall', { full_page: true }))).bytes);
    assert.deepEqual([whole.width, whole.height], [1280, 1300]);
    assert.deepEqual([whole.at(5, 899), whole.at(5, 901), whole.at(301, 901)], [RED, GREEN, '#ffffff']);
    for (const selector of ['#green', 'css=#green', 'xpath=//div[2]', '//div[2]']) {
      const element = readPng((await pictureOf(await shoot('/tall', { selector }))).bytes);
      assert.deepEqual([element.width, element.height, element.at(299, 399)], [300, 400, GREEN], selector);
    }
    const jpeg = await pictureOf(await shoot('/tall', { type: 'jpeg', quality: 10 }));
    assert.equal(jpeg.headers.get('content-type'), 'image/jpeg');
    assert.deepEqual([...jpeg.bytes.subarray(0, 3)], [0xff, 0xd8, 0xff]);
    const webp = await pictureOf(await shoot('/tall', { type: 'webp', full_page: true }));
    assert.equal(webp.headers.get('content-type'), 'image/webp');
    assert.equal(Buffer.from(webp.bytes).toString('latin1', 8, 12), 'WEBP');
  });

  test('pixels of the device, and the page after its waits', async () => {
    const body = await shoot(
      '/tall',
      { selector: '#green' },
      {
        scraper_options: {
          screenshot: { selector: '#green' },
          viewport: { width: 400, height: 300, device_scale_factor: 2.5 },
        },
      },
    );
    const { width, height } = readPng((await pictureOf(body)).bytes);
    assert.deepEqual([width, height], [750, 1000]);
    const dark = await shoot('/dark', {}, { scraper_options: { color_scheme: 'dark' } });
    assert.equal(readPng((await pictureOf(dark)).bytes).at(9, 9), BLUE);
  });

  test('what is larger than allowed is cut, and a warning tells it', async () => {
    for (const [path, options, asked, given] of [
      ['/huge', { type: 'png' }, { width: 1280, height: 40_000 }, { width: 1280, height: 16_384 }],
      ['/huge', { type: 'webp' }, { width: 1280, height: 40_000 }, { width: 1280, height: 16_383 }],
      ['/wide', { type: 'jpeg' }, { width: 9_000, height: 9_000 }, { width: 9_000, height: 5_555 }],
    ] as const) {
      const body = await shoot(path, { full_page: true, ...options });
      const warning = body.router.warnings.find(({ code }) => code === 'screenshot.clamped');
      assert.deepEqual(warning?.details, { asked, given }, JSON.stringify(body.errors));
      assert.deepEqual([body.errors, body.router.outcome], [[], 'ok']);
      const { bytes, headers } = await pictureOf(body);
      if (headers.get('content-type') === 'image/png')
        assert.deepEqual([readPng(bytes).width, readPng(bytes).height], [1280, 16_384]);
    }
  });

  test('if the screenshot fails, the page is delivered with an error', async () => {
    for (const [path, options, pointer, words] of [
      ['/data', {}, '/screenshot', /browser does not display this response/],
      ['/later', { selector: '#no' }, '/scraper_options/screenshot/selector', /matches nothing/],
      ['/later', { selector: '#inner' }, '/scraper_options/screenshot/selector', /has no size/],
      ['/later', { selector: '#gone' }, '/scraper_options/screenshot/selector', /has no size/],
    ] as const) {
      const body = await shoot(path, options);
      assert.deepEqual(
        body.errors.map(({ code, pointer: at, source }) => [code, at, source]),
        [['screenshot.failed', pointer, 'browser']],
      );
      assert.match(body.errors[0]!.message, words);
      assert.deepEqual([body.router.outcome, body.screenshot_url], ['partial', null]);
      assert.ok(body.content);
      const again = await service.api<ScrapeAnswer>('GET', `/api/v1/scrape/${body.id}/`);
      assert.equal(again.body.screenshot_url, null);
      const none = await get(`${service.base}/api/v1/scrape/${body.id}/screenshot`, withKey(service.key));
      assert.equal(none.status, 404);
    }
  });

  test('a page that hangs while its picture is taken is delivered without, in time', async () => {
    const began = performance.now();
    const body = await shoot('/traps', { selector: '#green' }, { timeout_ms: 6_000 });
    assert.ok(performance.now() - began < 20_000);
    assert.match(body.content!, /id="green"/);
    assert.equal(body.errors.at(-1)?.code, 'screenshot.failed');
    const next = await shoot('/tall');
    assert.deepEqual(next.errors, []);
  });

  test('a font that never comes is not waited for', async () => {
    const body = await shoot('/fonts', {}, { wait_for_load_state: 'domcontentloaded' });
    assert.deepEqual(body.errors, []);
    assert.equal((await pictureOf(body)).status, 200);
  });

  test('options that could have no effect are refused', async () => {
    for (const [more, pointer] of [
      [
        { screenshot: false, scraper_options: { screenshot: { full_page: true } } },
        '/scraper_options/screenshot',
      ],
      [
        { screenshot: true, scraper_options: { screenshot: { quality: 5 } } },
        '/scraper_options/screenshot/quality',
      ],
      [
        { screenshot: true, scraper_options: { screenshot: { full_page: true, selector: 'p' } } },
        '/scraper_options/screenshot/selector',
      ],
      [
        { screenshot: true, scraper_options: { screenshot: { typ: 'png' } } },
        '/scraper_options/screenshot/typ',
      ],
    ] as const) {
      const { status, body } = await service.scrape({ url: `${target.url}/tall`, ...more });
      assert.deepEqual([status, body.errors[0]?.pointer], [400, pointer]);
    }
    const empty = await service.scrape({
      url: `${target.url}/tall`,
      scraper: 'http',
      scraper_options: { screenshot: { full_page: false } },
    });
    assert.deepEqual([empty.status, empty.body.router.scraper], [200, 'http']);
    const implied = await service.scrape({
      url: `${target.url}/tall`,
      scraper_options: { screenshot: { full_page: true } },
    });
    assert.equal(readPng((await pictureOf(implied.body)).bytes).height, 1300);
  });

  test('the endpoint needs a key; the record and lists mention the screenshot; deleting the record removes it', async () => {
    const body = await shoot('/tall');
    const place = `/api/v1/scrape/${body.id}/screenshot`;
    const url = `${service.base}${place}`;
    const good = await get(url, withKey(service.key));
    assert.equal(good.status, 200);
    assert.equal(good.headers.get('cross-origin-resource-policy'), 'same-origin');
    assert.deepEqual(good.bytes, (await pictureOf(body)).bytes);
    const etag = good.headers.get('etag')!;
    const kept = await fetch(url, { headers: { ...withKey(service.key).headers, 'if-none-match': etag } });
    assert.deepEqual([kept.status, (await kept.bytes()).length], [304, 0]);
    const head = await get(url, { method: 'HEAD', ...withKey(service.key) });
    assert.deepEqual(
      [head.status, head.headers.get('content-type'), head.headers.get('content-length'), head.bytes.length],
      [200, 'image/png', String(good.bytes.length), 0],
    );
    assert.equal((await get(url)).status, 401);
    assert.equal((await get(`${url}/1`, withKey(service.key))).status, 404);
    const { body: list } = await service.api<{ items: (RecordLine & { screenshot_bytes: number })[] }>(
      'GET',
      '/api/v1/scrape/?limit=1',
    );
    const { id, has_screenshot, screenshot_bytes } = list.items[0]!;
    assert.deepEqual([id, has_screenshot, screenshot_bytes], [body.id, true, good.bytes.length]);
    const { body: again } = await service.api<ScrapeAnswer>('GET', `/api/v1/scrape/${body.id}/`);
    assert.deepEqual((await pictureOf(again)).bytes, good.bytes);

    assert.equal((await service.api('DELETE', `/api/v1/scrape/${body.id}/`)).status, 204);
    for (const one of [body.screenshot_url!, url])
      assert.equal((await get(one, withKey(service.key))).status, 404);
  });

  test('a picture of somebody else is not there; whoever has its link sees it', async () => {
    const { key } = await createUser(service);
    const body = await shoot('/tall');
    const url = `${service.base}/api/v1/scrape/${body.id}/screenshot`;
    assert.equal((await get(url, withKey(key))).status, 404);
    assert.equal((await get(body.screenshot_url!)).status, 200);
  });

  test('a link that was changed is wrong, and says no more than that', async () => {
    const body = await shoot('/tall');
    const other = await shoot('/tall');
    const changed = (change: (url: URL) => void) => {
      const url = new URL(body.screenshot_url!);
      change(url);
      return url.href;
    };
    for (const url of [
      changed((link) => link.searchParams.set('expires', '99999999999')),
      changed((link) => link.searchParams.delete('expires')),
      changed((link) => link.searchParams.set('signature', '')),
      changed((link) => link.searchParams.append('signature', 'x')),
      changed((link) => {
        link.pathname += '/0';
        link.searchParams.set('signature', `${link.searchParams.get('signature')!.slice(1)}A`);
      }),
      changed((link) => {
        link.pathname = new URL(other.screenshot_url!).pathname;
      }),
    ]) {
      const { status, bytes } = await get(url);
      assert.equal(status, 404, url);
      assert.equal(JSON.parse(Buffer.from(bytes).toString()).code, 'request.not_found');
    }
    assert.ok(!(await service.output()).includes('signature='), 'no link stands in the log');
  });

  test('with retain: metadata or none, the screenshot is only in the response', async () => {
    for (const retain of ['metadata', 'none']) {
      const body = await shoot('/tall', { type: 'jpeg' }, { router: { retain } });
      assert.match(body.screenshot_url!, /^data:image\/jpeg;base64,\/9j\//);
      const url = `${service.base}/api/v1/scrape/${body.id}/screenshot`;
      assert.equal((await get(url, withKey(service.key))).status, 404);
      const { body: again } = await service.api<ScrapeAnswer>('GET', `/api/v1/scrape/${body.id}/`);
      assert.equal(again.screenshot_url, null);
    }
  });

  test('pictures of actions have links of the same kind', async () => {
    const { status, body } = await service.scrape({
      url: `${target.url}/tall`,
      screenshot: true,
      page_actions: [
        { type: 'evaluate', script: '"picture:x:1"' },
        { type: 'screenshot', name: 'one', selector: '#green' },
        { type: 'screenshot', full_page: true },
      ],
    });
    assert.equal(status, 200, JSON.stringify(body.errors));
    const results = (body.scraper_data.actions as { result: Record<string, unknown> }[]).map(
      ({ result }) => result,
    );
    assert.equal(results[0], 'picture:x:1');
    const { url, ...rest } = results[1]!;
    assert.deepEqual(rest, { name: 'one', width: 300, height: 400, type: 'image/png' });
    const picture = await get(url as string);
    assert.deepEqual([picture.status, picture.headers.get('content-type')], [200, 'image/png']);
    assert.equal(readPng(picture.bytes).at(0, 0), GREEN);
    assert.equal(readPng((await get(results[2]!.url as string)).bytes).height, 1300);
    const byKey = await get(`${service.base}/api/v1/scrape/${body.id}/screenshot/1`, withKey(service.key));
    assert.deepEqual(byKey.bytes, picture.bytes);
    assert.equal(readPng((await pictureOf(body)).bytes).height, 720);
  });
});

describe('links to screenshots', { skip }, () => {
  test('expire when the operator says, and a record that is read again has a fresh one', async (t) => {
    const target = await startTarget({ '/': TALL });
    t.after(() => target[Symbol.asyncDispose]());
    const service = await startService({ SLUICE_SCREENSHOT_HOURS: '0.0004' });
    t.after(() => service.end());
    const { body } = await service.scrape({ url: target.url, screenshot: true });
    assert.equal((await get(body.screenshot_url!)).status, 200);
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    const late = await get(body.screenshot_url!);
    assert.equal(late.status, 410);
    assert.equal(JSON.parse(Buffer.from(late.bytes).toString()).code, 'screenshot.expired');
    const { body: again } = await service.api<ScrapeAnswer>('GET', `/api/v1/scrape/${body.id}/`);
    assert.equal((await get(again.screenshot_url!)).status, 200);
  });

  test('pictures survive the death of the service, and stand in a backup', async (t) => {
    const target = await startTarget({ '/': TALL });
    t.after(() => target[Symbol.asyncDispose]());
    const secret = { SLUICE_SECRET: 'a secret of some length' };
    const service = await startService(secret);
    t.after(() => service[Symbol.asyncDispose]());
    const { body } = await service.scrape({ url: target.url, screenshot: true });
    const before = await get(body.screenshot_url!);
    await service.kill9();
    const file = `${service.dataDir}-backup`;
    const saved = await service.cli(['backup', file]);
    assert.equal(saved.code, 0, saved.stderr);
    const dataDir = `${service.dataDir}-2`;
    const restored = await service.cli(['restore', file], { env: { SLUICE_DATA_DIR: dataDir } });
    assert.equal(restored.code, 0, restored.stderr);
    for (const dir of [service.dataDir, dataDir]) {
      await using again = await startService(secret, { dataDir: dir, port: service.port });
      const after = await get(`${again.base}/api/v1/scrape/${body.id}/screenshot`, withKey(again.key));
      assert.deepEqual([after.status, after.bytes], [200, before.bytes], dir);
      assert.equal((await get(body.screenshot_url!)).status, 200);
      await again.stop();
    }
  });
});
