import assert from 'node:assert/strict';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { after, before, beforeEach, describe, test } from 'node:test';
import { chromiums } from '../../adapters/browser/stage.ts';
import { html, startTarget, type Target } from '../../adapters/browser/target.ts';
import { useService } from '../../helpers/service.ts';
import type { ScrapeAnswer } from '../../helpers/wire-types.ts';

const skip = (await chromiums()).length === 0 && 'there is no Chromium on this machine';

/** A page that writes the value of the expression into itself, as JSON. */
const tells = (expression: string) =>
  html(
    `<!doctype html><meta name=viewport content="width=device-width"><pre id=out></pre>
<script>(async () => { out.textContent = JSON.stringify(await (async () => (${expression}))()); document.title = 'done'; })()</script>`,
  );
/** What was told is there. */
const MADE = '#out:not(:empty)';
const told = ({ content }: ScrapeAnswer): unknown => {
  const text = /<pre id="out">([^<]*)<\/pre>/.exec(content!)?.[1];
  assert.ok(text, content!);
  return JSON.parse(text.replaceAll('&amp;', '&').replaceAll('&lt;', '<').replaceAll('&gt;', '>'));
};

const SCREEN = `({ width: innerWidth, height: innerHeight, ratio: devicePixelRatio, touch: navigator.maxTouchPoints > 0,
  coarse: matchMedia('(pointer: coarse)').matches, screen: [screen.width, screen.height], agent: navigator.userAgent })`;
const AGENT = `({ agent: navigator.userAgent, platform: navigator.platform, ...navigator.userAgentData.toJSON(),
  ...await navigator.userAgentData.getHighEntropyValues(['platformVersion', 'model', 'fullVersionList']) })`;
const PLACE = `await new Promise((resolve) => navigator.geolocation.getCurrentPosition(
  ({ coords: { latitude, longitude, accuracy } }) => resolve([latitude, longitude, accuracy]),
  ({ code }) => resolve(code)))`;

/** One pixel. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

const TELLING = new Set(['/screen', '/agent', '/place', '/time', '/scheme', '/motion', '/state']);

interface Exchange {
  readonly url: string;
  readonly method: string;
  readonly status: number | null;
  readonly resource_type: string;
  readonly request_headers: Record<string, string>;
  readonly headers: Record<string, string>;
  readonly body: string | null;
  readonly body_encoding: string | null;
  readonly truncated: boolean;
}

describe('options of browsers', { skip }, () => {
  const service = useService();
  let target: Target;
  let sent: IncomingHttpHeaders = {};
  before(async () => {
    const noting =
      (route: ReturnType<typeof html>): ReturnType<typeof html> =>
      (request, response) => {
        sent = request.headers;
        route(request, response);
      };
    const mega: ServerResponse[] = [];
    let giant: ServerResponse | undefined;
    // After all are asked for: once the bodies fill the capture, a further request would be left out.
    const sendMega = (...more: ServerResponse[]) => {
      mega.push(...more);
      if (mega.length < 4 || giant === undefined) return;
      for (const response of mega.splice(0))
        response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end('ü'.repeat(1_000_000));
    };
    target = await startTarget({
      '/screen': tells(SCREEN),
      '/agent': noting(tells(AGENT)),
      '/place': tells(PLACE),
      '/time': tells(
        '[Intl.DateTimeFormat().resolvedOptions().timeZone, navigator.language, (1.5).toLocaleString()]',
      ),
      '/scheme': tells(`matchMedia('(prefers-color-scheme: dark)').matches`),
      '/motion': tells(`matchMedia('(prefers-reduced-motion: reduce)').matches`),
      '/script': html(
        '<p id=p>old</p><noscript><b id=no>none</b></noscript><script>p.textContent = 1</script>',
      ),
      '/state': noting(tells('[document.cookie, { ...localStorage }]')),
      '/sets': html('<p>x</p>', 200, { 'set-cookie': ['known=again', 'new=1'] as unknown as string }),
      '/long-address': html(`<img src="/${'a'.repeat(2_000)}">`),
      '/beacon': html(
        `<script>navigator.sendBeacon('/beaconed'); document.write('<img src=/beacon-done>')</script>`,
      ),
      '/loads': html(`<link rel=stylesheet href=/a.css><img src=/a.png><p id=out>no</p>
<script>fetch('/api/one', { method: 'POST', body: 'x', headers: { authorization: 'Bearer abc' } })
.then((r) => r.json()).then((j) => fetch('/moved')).then((r) => r.text())
.then(() => new Promise((resolve) => { const x = new XMLHttpRequest(); x.onload = resolve; x.open('GET', '/api/two'); x.send(); }))
.then(() => fetch('/api/gone').catch(() => {})).then(() => { out.textContent = 'yes'; out.className = 'done'; })</script>`),
      '/a.css': (_, response) => void response.writeHead(200, { 'content-type': 'text/css' }).end('p{}'),
      '/a.png': (_, response) =>
        void response.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.from(PNG, 'base64')),
      '/api/one': (_, response) =>
        void response
          .writeHead(201, { 'content-type': 'application/json', 'set-cookie': 's=1', 'x-a': 'b' })
          .end('{"a":"ü"}'),
      '/moved': (_, response) => void response.writeHead(302, { location: '/api/end' }).end(),
      '/api/end': (_, response) => void response.writeHead(200, { 'content-type': 'text/plain' }).end('end'),
      '/api/two': (_, response) =>
        void response
          .writeHead(200, { 'content-type': 'application/octet-stream' })
          .end(Buffer.from([0, 255])),
      '/api/gone': (_, response) => void response.socket?.destroy(),
      '/many': html(`<p id=out>no</p><script>
const body = (r) => r.arrayBuffer();
const giant = fetch('/giant').then(body);
Promise.all(Array.from({ length: 4 }, (_, n) => fetch('/mega?' + n).then(body)))
.then(() => fetch('/end-giant')).then(() => giant).then(() => { out.className = 'done'; })</script>`),
      '/mega': (_, response) => sendMega(response),
      '/giant': (_, response) => {
        giant = response;
        sendMega();
      },
      '/end-giant': (_, response) => {
        giant!.writeHead(200, { 'content-type': 'text/plain' }).end('x'.repeat(7_000_000));
        giant = undefined;
        response.end();
      },
      '/crowd': html(`<p id=out>no</p><script>
Promise.all(Array.from({ length: 600 }, (_, n) => fetch('/api/end?' + n))).then(() => { out.className = 'done'; })</script>`),
    });
  });
  after(() => target[Symbol.asyncDispose]());
  beforeEach(() => {
    target.asked.length = 0;
  });

  const ask = async (path: string, options: object, more: object = {}) => {
    const url = `${target.url}${path}`;
    const { status, body } = await service.scrape({
      url,
      scraper: 'browser',
      scraper_options: options,
      ...(TELLING.has(path) ? { wait_for_selector: MADE } : {}),
      ...more,
    });
    assert.equal(status, 200, JSON.stringify(body.errors));
    return body;
  };
  const refused = async (options: object, pointer: string, words?: RegExp) => {
    const { status, body } = await service.scrape({ url: target.url, scraper_options: options });
    assert.deepEqual([status, body.errors[0]?.pointer], [400, pointer], JSON.stringify(body.errors));
    if (words !== undefined) assert.match(body.errors[0]!.message, words);
  };

  test('viewport', async () => {
    const plain = told(await ask('/screen', {})) as Record<string, unknown>;
    assert.deepEqual([plain.width, plain.height, plain.ratio, plain.touch], [1280, 720, 1, false]);
    const small = told(
      await ask('/screen', {
        viewport: { width: 500, height: 400, device_scale_factor: 2.5, is_mobile: true },
      }),
    ) as Record<string, unknown>;
    assert.deepEqual(
      [small.width, small.height, small.ratio, small.touch, small.coarse],
      [500, 400, 2.5, true, true],
    );
    await refused({ viewport: { width: 0 } }, '/scraper_options/viewport/width');
  });

  test('device, whose members others win over', async () => {
    const phone = told(await ask('/screen', { device: 'iPhone 13' })) as Record<string, unknown>;
    assert.deepEqual(
      [phone.width, phone.height, phone.ratio, phone.touch, phone.screen],
      [390, 664, 3, true, [390, 844]],
    );
    assert.match(phone.agent as string, /iPhone/);
    const wide = told(
      await ask('/screen', { device: 'iPhone 13', viewport: { width: 700 }, user_agent: 'mine' }),
    ) as Record<string, unknown>;
    assert.deepEqual([wide.width, wide.height, wide.ratio, wide.agent], [700, 664, 3, 'mine']);
    await refused({ device: 'iphone13' }, '/scraper_options/device', /iPhone 13\b/);
    await refused({ device: 'pixel' }, '/scraper_options/device', /Pixel 2/);
  });

  test('a user agent is the same in headers, scripts, frames and workers', async () => {
    const agent =
      'Mozilla/5.0 (Linux; Android 13; Pixel 7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.6099.5 Mobile Safari/537.36';
    for (const more of [{ scraper_options: { user_agent: agent } }, { headers: { 'User-Agent': agent } }]) {
      const facts = told(await ask('/agent', {}, more)) as Record<string, unknown>;
      assert.deepEqual(
        [facts.agent, facts.mobile, facts.platform, facts.platformVersion, facts.model],
        [agent, true, 'Android', '13', 'Pixel 7'],
      );
      const brands = facts.brands as { brand: string; version: string }[];
      assert.ok(brands.some(({ brand, version }) => brand === 'Chromium' && version === '120'));
      assert.deepEqual(
        [sent['user-agent'], sent['sec-ch-ua-mobile'], sent['sec-ch-ua-platform']],
        [agent, '?1', '"Android"'],
      );
      assert.match(sent['sec-ch-ua'] as string, /"Google Chrome";v="120"/);
    }
    const other = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';
    const facts = told(await ask('/agent', { user_agent: other })) as Record<string, unknown>;
    assert.deepEqual([facts.agent, facts.brands], [other, []]);
    assert.doesNotMatch(String(sent['sec-ch-ua']), /Chrom/);
  });

  test('geolocation, also at 0°', async () => {
    const place = { latitude: 52.5, longitude: 13.4, accuracy: 7 };
    assert.deepEqual(told(await ask('/place', { geolocation: place })), [52.5, 13.4, 7]);
    const zero = await service.scrape({
      url: `${target.url}/place`,
      scraper_options: { geolocation: { latitude: 0, longitude: 0 } },
      wait_for_selector: MADE,
    });
    assert.equal(zero.body.router.scraper, 'browser');
    assert.equal(told(await ask('/place', {})), 1, 'nobody else may ask');
    await refused({ geolocation: { latitude: 91, longitude: 0 } }, '/scraper_options/geolocation/latitude');
  });

  test('locale, timezone, colour scheme', async () => {
    const body = await ask('/time', { locale: 'de-DE', timezone: 'Asia/Tokyo' });
    assert.deepEqual(told(body), ['Asia/Tokyo', 'de-DE', '1,5']);
    assert.match(body.router.request_headers['accept-language']!, /^de-DE/);
    const [zone] = told(await ask('/time', { timezone: 'europe/berlin' })) as string[];
    assert.equal(zone, 'Europe/Berlin');
    await refused({ timezone: '+01:00' }, '/scraper_options/timezone');
    await refused({ timezone: 'Mars/Base' }, '/scraper_options/timezone');
    await refused({ locale: 'x' }, '/scraper_options/locale');
    assert.equal(told(await ask('/scheme', { color_scheme: 'dark' })), true);
    assert.equal(told(await ask('/scheme', { color_scheme: 'light' })), false);
  });

  test('reduced motion', async () => {
    assert.equal(told(await ask('/motion', { reduced_motion: 'reduce' })), true);
    assert.equal(told(await ask('/motion', { reduced_motion: 'no-preference' })), false);
    assert.equal(told(await ask('/motion', {})), false);
    await refused({ reduced_motion: 'none' }, '/scraper_options/reduced_motion', /reduce, no-preference/);
  });

  test('without JavaScript', async () => {
    const { content } = await ask('/script', { javascript: false });
    assert.match(content!, /<p id="p">old<\/p>/);
    const shot = await ask('/script', { javascript: false }, { screenshot: true });
    assert.ok(shot.screenshot_url);
  });

  test('storage state: cookies and localStorage, of which no cookie comes back as the target’s', async () => {
    const origin = target.url;
    const cookie = { name: 'known', value: 'before', domain: '127.0.0.1', path: '/' };
    const storage_state = {
      cookies: [cookie, { ...cookie, name: 'secret', httpOnly: true }, { ...cookie, domain: 'other.test' }],
      origins: [
        { origin, localStorage: [{ name: 'a', value: 'ü' }] },
        { origin: 'https://other.test', localStorage: [{ name: 'b', value: '2' }] },
      ],
    };
    const body = await ask('/state', { storage_state });
    assert.deepEqual(told(body), ['known=before', { a: 'ü' }]);
    assert.equal(sent.cookie, 'known=before; secret=before');
    assert.deepEqual(body.cookies, []);
    const request = await service.api('GET', `/api/v1/scrape/${body.id}/request/`);
    assert.doesNotMatch(request.text, /before/);
    assert.deepEqual(told(await ask('/state', {})), ['', {}]);
    assert.equal(target.asked.filter((one) => !one.endsWith('/state')).length, 0, String(target.asked));

    const set = await ask('/sets', { storage_state });
    assert.deepEqual(
      set.cookies.map(({ name, value }) => `${name}=${value}`),
      ['known=again', 'new=1'],
    );
  });

  test('an invalid storage state is refused with its pointer', async () => {
    const at = '/scraper_options/storage_state';
    const good = { name: 'a', value: 'b', domain: 'a.test', path: '/' };
    for (const [cookie, pointer] of [
      [{ ...good, path: 'x' }, '/cookies/0/path'],
      [{ ...good, domain: 'a b' }, '/cookies/0/domain'],
      [{ ...good, value: 'a\nb' }, '/cookies/0'],
      [{ ...good, expires: -5 }, '/cookies/0/expires'],
      [{ ...good, sameSite: 'None' }, '/cookies/0/secure'],
      [{ ...good, name: '__Secure-a' }, '/cookies/0/secure'],
      [{ ...good, name: '__Host-a', secure: true, domain: '.a.test' }, '/cookies/0'],
      [{ ...good, same_site: 'Lax' }, '/cookies/0/same_site'],
    ] as const)
      await refused({ storage_state: { cookies: [cookie] } }, `${at}${pointer}`);
    for (const origin of ['a.test', 'http://a.test/', 'file:///etc', 'http://u@a.test'])
      await refused({ storage_state: { origins: [{ origin, localStorage: [] }] } }, `${at}/origins/0/origin`);
    for (const [member, value, pointer] of [
      ['opfs', [], 'opfs'],
      ['indexedDB', [{ name: 'd', version: 0, stores: [] }], 'indexedDB/0/version'],
    ] as const)
      await refused(
        { storage_state: { origins: [{ origin: 'http://a.test', localStorage: [], [member]: value }] } },
        `${at}/origins/0/${pointer}`,
      );
  });

  test('block: types and patterns', async () => {
    await ask('/loads', { block: { resource_types: ['image'], url_patterns: ['**/*.css'] } });
    assert.deepEqual(
      target.asked.filter((one) => /\.(png|css)$/.test(one)),
      [],
    );
    // What has no type of its own is of the type other, in both drivers.
    for (const options of [{}, { color_scheme: 'light' }]) {
      target.asked.length = 0;
      await ask('/beacon', { ...options, block: { resource_types: ['other'] } });
      assert.deepEqual(target.asked, ['GET /beacon', 'GET /beacon-done']);
    }
    // As a regular expression it would hold up the whole service.
    const slow = `${'**a'.repeat(20)}b`;
    const body = await ask('/long-address', { block: { url_patterns: ['**/aaa*', slow] } });
    assert.equal(body.router.outcome, 'ok');
    assert.equal(
      target.asked.some((one) => one.startsWith('/aaa')),
      false,
    );
    await refused({ block: { ads: true } }, '/scraper_options/block/ads', /not available/);
    await refused({ block: { resource_types: ['document'] } }, '/scraper_options/block/resource_types/0');
    await refused({ block: { url_patterns: ['{a'] } }, '/scraper_options/block/url_patterns/0');
  });

  const captured = async (path: string, capture: object[]) => {
    const body = await ask(path, { capture }, { wait_for_selector: '.done' });
    return { body, network: body.scraper_data.network as Exchange[] };
  };
  const path = ({ url }: Exchange) => url.slice(target.url.length);

  test('capture: what fits a filter, in the order of the page', async () => {
    const { network, body } = await captured('/loads', [
      { url: '**/api/**', body: true },
      { url: '**/moved' },
      { url: '**', resource_type: 'image', body: true },
    ]);
    assert.deepEqual(body.errors, []);
    assert.deepEqual(
      network
        .map((one) => [path(one), one.method, one.status, one.resource_type, one.body, one.body_encoding])
        .sort((a, b) => (a[0]! < b[0]! ? -1 : 1)),
      [
        ['/a.png', 'GET', 200, 'image', PNG, 'base64'],
        ['/api/end', 'GET', 200, 'fetch', 'end', 'utf-8'],
        ['/api/gone', 'GET', null, 'fetch', null, null],
        ['/api/one', 'POST', 201, 'fetch', '{"a":"ü"}', 'utf-8'],
        ['/api/two', 'GET', 200, 'xhr', 'AP8=', 'base64'],
        ['/moved', 'GET', 302, 'fetch', null, null],
      ],
    );
    assert.deepEqual(
      network.map((one) => one.truncated),
      network.map(() => false),
    );
    const one = network.find((exchange) => path(exchange) === '/api/one')!;
    assert.equal(one.request_headers.authorization, '***');
    assert.deepEqual([one.headers['x-a'], one.headers['set-cookie']], ['b', 's=1']);
    const moved = network.find((exchange) => path(exchange) === '/moved')!;
    assert.equal(moved.headers.location, '/api/end');
    const stored = await service.api<ScrapeAnswer>('GET', `/api/v1/scrape/${body.id}/`);
    assert.deepEqual(stored.body.scraper_data.network, network);
  });

  test('capture: by method, without bodies, and the page itself', async () => {
    const { network } = await captured('/loads', [
      { url: '**', method: 'post' },
      { url: `${target.url}/loads`, body: true },
    ]);
    assert.deepEqual(
      network.map((one) => [path(one), one.resource_type, one.body === null]),
      [
        ['/loads', 'document', false],
        ['/api/one', 'fetch', true],
      ],
    );
    assert.match(network[0]!.body!, /XMLHttpRequest/);
    const { network: none } = await captured('/loads', [{ url: 'https://nowhere.test/**' }]);
    assert.deepEqual(none, []);
  });

  test('capture: at most 5 MiB and 500 exchanges; missing ones are reported', async () => {
    const { network, body } = await captured('/many', [{ url: '**/{mega,giant}*', body: true }]);
    const bytes = network.reduce((sum, one) => sum + Buffer.byteLength(one.body ?? ''), 0);
    assert.ok(bytes <= 5 * 2 ** 20 && bytes > 4.5 * 2 ** 20, `${bytes}`);
    const cut = network.filter(({ truncated }) => truncated);
    assert.equal(cut.length, 3);
    assert.equal(
      network.find(({ url }) => url.endsWith('/giant'))!.body,
      null,
      'nothing is left for the last',
    );
    assert.ok(!network.some((one) => one.body?.includes('\ufffd')), 'cut between characters');
    assert.deepEqual(
      body.errors.map(({ code, pointer }) => [code, pointer]),
      [['content.truncated', '/scraper_options/capture']],
    );
    const crowd = await captured('/crowd', [{ url: '**/api/**' }]);
    assert.equal(crowd.network.length, 500);
    assert.deepEqual(
      crowd.body.errors.map(({ code }) => code),
      ['content.truncated'],
    );
  });

  test('capture: invalid filters are refused', async () => {
    await refused({ capture: [{ url: '{a' }] }, '/scraper_options/capture/0/url');
    await refused(
      { capture: [{ url: '**', resource_type: 'sock' }] },
      '/scraper_options/capture/0/resource_type',
    );
    await refused({ capture: Array.from({ length: 11 }, () => ({ url: '**' })) }, '/scraper_options/capture');
    await refused({ capture: [{ body: true }] }, '/scraper_options/capture/0/url');
  });

  test('with retain: metadata, captured exchanges are not in the record', async () => {
    const url = `${target.url}/loads`;
    const { body } = await service.scrape({
      url,
      scraper_options: { capture: [{ url: '**', body: true }] },
      router: { retain: 'metadata' },
    });
    assert.ok((body.scraper_data.network as Exchange[]).length > 0);
    const stored = await service.api<ScrapeAnswer>('GET', `/api/v1/scrape/${body.id}/`);
    assert.equal(stored.body.scraper_data.network, undefined);
  });

  test('an HTTP scraper refuses each of them by name', async () => {
    for (const [name, value] of Object.entries({
      device: 'iPhone 13',
      geolocation: { latitude: 0, longitude: 0 },
      storage_state: { cookies: [{ name: 'a', value: 'b', domain: 'a.test', path: '/' }] },
      capture: [{ url: '**' }],
      block: { resource_types: ['image'] },
      viewport: { width: 5 },
      javascript: false,
      color_scheme: 'dark',
      reduced_motion: 'reduce',
      locale: 'de',
      timezone: 'UTC',
    })) {
      const { status, body } = await service.scrape({
        url: target.url,
        scraper: 'http',
        scraper_options: { [name]: value },
      });
      assert.deepEqual(
        [status, body.code, body.errors[0]?.pointer],
        [422, 'scraper.unsupported_option', `/scraper_options/${name}`],
      );
    }
  });
});
