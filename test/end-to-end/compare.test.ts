import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { bare, ordinary } from '../assess/a-page.ts';
import type { ApiOptions } from '../helpers/client.ts';
import { startCountingTarget } from '../helpers/counting-target.ts';
import { type MadeSite, startMadeSite } from '../helpers/made-site.ts';
import { eventually, useOwnService } from '../helpers/service.ts';
import { newUser, signIn } from '../helpers/visitor.ts';
import type { Comparison, Problem, RecordList, ScrapeAnswer } from '../helpers/wire-types.ts';
import { PIXEL } from '../vendors/stand-in.ts';

const WALL = bare(
  'Just a moment...',
  '<form id="challenge-form"></form><script>window._cf_chl_opt = {};</script>',
);
const home = mkdtempSync(join(tmpdir(), 'sluice-compare-'));
after(() => rmSync(home, { recursive: true, force: true }));
writeFileSync(join(home, 'prices.json'), JSON.stringify({ currency: 'EUR', scrapers: { http: 0.0001 } }));
writeFileSync(join(home, 'proxies.json'), JSON.stringify({ pools: [], allow_none: true }));
const service = useOwnService({
  SLUICE_PRICES: join(home, 'prices.json'),
  SLUICE_PROXIES: join(home, 'proxies.json'),
});

let site: MadeSite;
/** Requests to `/hang`, which are never answered. */
const hanging: ServerResponse[] = [];
before(async () => {
  site = await startMadeSite((path, request, response) => {
    switch (path) {
      case '/page':
        return ordinary();
      case '/wall':
        return WALL;
      case '/shell':
        return bare('Shop', '<div id="root"></div><script src="/app.js"></script>');
      case '/picture':
        response.writeHead(200, { 'content-type': 'image/png' }).end(PIXEL);
        return undefined;
      case '/hang':
        hanging.push(response);
        return undefined;
      case '/echo': {
        const chunks: Buffer[] = [];
        request.on('data', (chunk: Buffer) => chunks.push(chunk));
        request.on('end', () =>
          response.writeHead(200, { 'content-type': 'application/json' }).end(Buffer.concat(chunks)),
        );
        return undefined;
      }
      default:
        return null;
    }
  });
});
after(() => site?.[Symbol.asyncDispose]());

const send = <T = Comparison>(request: object, ways: readonly string[], options: ApiOptions = {}) =>
  service.api<T>('POST', '/api/v1/compare/', { body: { request, ways }, ...options });

async function compare(path: string, ways: readonly string[], more: object = {}, options: ApiOptions = {}) {
  const reply = await send({ url: `${site.url}${path}`, ...more }, ways, options);
  assert.equal(reply.status, 200, reply.text);
  assert.deepEqual(
    reply.body.items.map(({ way }) => way),
    ways,
  );
  return reply.body;
}

const outcomesOf = ({ items }: Comparison) => items.map(({ outcome }) => outcome);
const codesOf = ({ items }: Comparison) => items.map(({ errors }) => errors.map(({ code }) => code));

async function newKey(members: object): Promise<string> {
  const made = await service.api<{ key: string }>('POST', '/api/v1/keys/', {
    body: { name: 'compare', ...members },
  });
  return made.body.key;
}

/** Asserts that all permits of the user are free but that of this call. */
const allPermitsFree = () =>
  eventually(async () => {
    const { headers } = await service.api('GET', '/api/v1/scrapers/');
    return headers.get('ratelimit') === '"concurrency";r=49';
  });

describe('a comparison', () => {
  test('has the scrape of each way, whose record has the content', async () => {
    const { items, best, saved_per_1000, cost_unit } = await compare('/page', ['http', 'http/none']);
    assert.deepEqual([best === 'http' || best === 'http/none', saved_per_1000, cost_unit], [true, 0, 'EUR']);
    for (const { way, outcome, scrape, errors, likeness, duration_ms, cost } of items) {
      assert.deepEqual([outcome, errors, likeness, cost], ['ok', [], 1, 0.0001]);
      assert.deepEqual(
        [scrape!.status_code, scrape!.final_url, scrape!.scraper, scrape!.verdict, scrape!.attempts],
        [200, `${site.url}/page`, 'http', 'ok', 1],
      );
      assert.equal(scrape!.proxy_type, way === 'http' ? 'datacenter' : 'none');
      assert.match(scrape!.explanation, /returned the page/);
      const record = await service.api<ScrapeAnswer>('GET', `/api/v1/scrape/${scrape!.id}/`);
      assert.equal(Buffer.byteLength(record.body.content!), scrape!.content_bytes);
      assert.deepEqual(
        [record.body.router.requested_scraper, record.body.router.request_cost],
        ['http', cost],
      );
      assert.equal(Math.round(record.body.router.timing!.total!), duration_ms);
      const request = await service.api<{ scraper: string }>('GET', `/api/v1/scrape/${scrape!.id}/request/`);
      assert.equal(request.body.scraper, 'http');
    }
    assert.notEqual(items[0]!.scrape!.id, items[1]!.scrape!.id);
  });

  test('a way that is refused is an item with its error; the others go on', async () => {
    const comparison = await compare('/page', ['http/residential', 'http', 'vendor:none', 'browser_stealth']);
    assert.deepEqual(outcomesOf(comparison), ['failed', 'ok', 'failed', 'failed']);
    assert.deepEqual(codesOf(comparison), [
      ['proxy.pool_unconfigured'],
      [],
      ['scraper.unavailable'],
      ['scraper.unavailable'],
    ]);
    const [refused, page] = comparison.items;
    assert.deepEqual(
      [refused!.scrape, refused!.likeness, refused!.duration_ms, refused!.cost],
      [null, null, null, null],
    );
    assert.deepEqual([comparison.best, page!.likeness, comparison.saved_per_1000], ['http', 1, 0]);
  });

  test('a way that cannot do the request names the member', async () => {
    const { items } = await compare('/page', ['http', 'http/none'], { wait_for_selector: 'h1' });
    for (const { errors } of items)
      assert.deepEqual(
        errors.map(({ code, pointer }) => [code, pointer]),
        [['scraper.unsupported_option', '/wait_for_selector']],
      );
  });

  test('there is no best way if none got the page', async () => {
    const missing = await compare('/missing', ['http', 'http/none']);
    assert.deepEqual(outcomesOf(missing), ['target_error', 'target_error']);
    assert.deepEqual([missing.best, missing.saved_per_1000], [null, null]);
    assert.deepEqual(
      missing.items.map(({ likeness }) => likeness),
      [null, null],
    );
    const walls = await compare('/wall', ['http', 'http/none']);
    assert.deepEqual([outcomesOf(walls), walls.best], [['blocked', 'blocked'], null]);
    assert.equal(walls.items[0]!.scrape!.status_code, 200);
    assert.equal(walls.items[0]!.scrape!.verdict, 'challenge');
  });

  test('pictures are compared by their bytes', async () => {
    const { items, best } = await compare('/picture', ['http', 'http/none']);
    assert.deepEqual(
      items.map(({ likeness, scrape }) => [likeness, scrape!.content_bytes]),
      [
        [1, PIXEL.length],
        [1, PIXEL.length],
      ],
    );
    assert.notEqual(best, null);
  });

  test('`auto` is a way, and so is a request without a body to compare', async () => {
    const page = await compare('/page', ['auto', 'http'], { router: { max_attempts: 2 } });
    assert.deepEqual(outcomesOf(page), ['ok', 'ok']);
    const head = await compare('/page', ['http', 'http/none'], { method: 'HEAD' });
    assert.deepEqual(
      head.items.map(({ outcome, likeness }) => [outcome, likeness]),
      [
        ['ok', null],
        ['ok', null],
      ],
    );
    assert.notEqual(head.best, null);
  });

  test('a page without text is the page if it meets the conditions of the caller', async () => {
    const ways = ['http', 'http/none'];
    const shell = await compare('/shell', ways);
    assert.deepEqual([outcomesOf(shell), shell.best], [['ok', 'ok'], null]);
    const accept = { router: { accept: { selector: '#root' } } };
    assert.notEqual((await compare('/shell', ways, accept)).best, null);
  });

  test('what is not retained is compared, too', async () => {
    const { items } = await compare('/page', ['http', 'http/none'], { router: { retain: 'none' } });
    assert.deepEqual(
      items.map(({ likeness }) => likeness),
      [1, 1],
    );
    const { body } = await service.api<ScrapeAnswer>('GET', `/api/v1/scrape/${items[0]!.scrape!.id}/`);
    assert.equal(body.content, null);
  });

  test('each way sends the body, with numbers as they are written', async () => {
    const id = '1234567890123456789';
    const raw = `{"ways":["http","http/none"],"request":{"url":"${site.url}/echo","method":"POST","data":{"id":${id}},"query":{}}}`;
    const { body } = await service.api<Comparison>('POST', '/api/v1/compare/', {
      raw,
      headers: { 'content-type': 'application/json' },
    });
    assert.deepEqual(outcomesOf(body), ['ok', 'ok']);
    for (const { scrape } of body.items) {
      const record = await service.api<ScrapeAnswer>('GET', `/api/v1/scrape/${scrape!.id}/`);
      assert.equal(record.body.content, `{"id":${id}}`);
    }
  });

  test('is there for sessions of the dashboard', async () => {
    const visitor = await signIn(service, (await newUser(service)).email);
    const { status, body } = await visitor.call<Comparison>('POST', '/api/v1/compare/', {
      body: { request: { url: `${site.url}/page` }, ways: ['http', 'http/none'] },
    });
    assert.deepEqual([status, outcomesOf(body)], [200, ['ok', 'ok']]);
  });
});

describe('a comparison that is refused', () => {
  const url = 'http://127.0.0.1:9/';
  const cases: readonly [string, object, readonly unknown[], readonly string[]][] = [
    ['one way', { url }, ['http'], ['/ways']],
    ['nine ways', { url }, Array(9).fill('http'), ['/ways']],
    [
      'unknown scrapers',
      { url },
      ['htp', 'http/', 'http/none/x', 'vendor:'],
      [0, 1, 2, 3].map((n) => `/ways/${n}`),
    ],
    ['unknown types of proxy', { url }, ['http', 'http/satellite', 'http/custom'], ['/ways/1', '/ways/2']],
    ['a way that is no text', { url }, ['http', 7], ['/ways/1']],
    ['the same way twice', { url }, ['http', 'auto', 'http'], ['/ways/2']],
    ['the same way in two spellings', { url }, ['http', 'http/datacenter'], ['/ways/1']],
    ['without a URL', {}, ['http', 'auto'], ['/request/url']],
    ['an unknown member', { url, way: 1 }, ['http', 'auto'], ['/request/way']],
    [
      'an invalid selector',
      { url, router: { accept: { selector: '::' } } },
      ['http', 'auto'],
      ['/request/router/accept/selector'],
    ],
    ['a scraper', { url, scraper: 'http' }, ['http', 'auto'], ['/request/scraper']],
    ['a type of proxy in both', { url, proxy: 'mobile' }, ['http', 'http/residential'], ['/request/proxy']],
    [
      'another type of proxy in both',
      { url, proxy: { type: 'none', username: 'u' } },
      ['http', 'http/mobile'],
      ['/request/proxy/type', '/request/proxy/username'],
    ],
    [
      'a country without a proxy',
      { url, proxy: { country: 'DE' } },
      ['http', 'http/none'],
      ['/request/proxy/country'],
    ],
    [
      'members that choose the method',
      {
        url,
        router: {
          order: ['http'],
          only: ['http'],
          ignore: ['browser'],
          escalate_proxy: ['mobile'],
          allow_fallbacks: false,
        },
      },
      ['http', 'auto'],
      ['allow_fallbacks', 'escalate_proxy', 'ignore', 'only', 'order'].map(
        (name) => `/request/router/${name}`,
      ),
    ],
    [
      'what needs a single scrape',
      { url, router: { dry_run: true, webhook: 'https://example.com/', compare_to: { record: 'last' } } },
      ['http', 'auto'],
      ['compare_to', 'dry_run', 'webhook'].map((name) => `/request/router/${name}`),
    ],
  ];
  for (const [name, request, ways, pointers] of cases)
    test(name, async () => {
      const { status, body } = await send<Problem>(request, ways as string[]);
      assert.deepEqual([status, body.code], [400, 'request.validation']);
      assert.deepEqual(body.errors.map(({ pointer }) => pointer).sort(), pointers);
      for (const { pointer, message } of body.errors) assert.ok(message.includes(`\`${pointer}`), message);
    });

  test('members with their defaults are no contradiction', async () => {
    const { items } = await compare('/page', ['http', 'http/none'], {
      scraper: null,
      proxy: { type: null },
      router: { only: [], dry_run: false, allow_fallbacks: true, escalate_proxy: false },
    });
    assert.deepEqual(
      items.map(({ outcome }) => outcome),
      ['ok', 'ok'],
    );
  });

  test('a template that does not exist, a domain of the key, a key without the scope, an Idempotency-Key', async () => {
    const request = { url, scraper_options: { extract: 'template:none' } };
    const template = await send<Problem>(request, ['http', 'auto']);
    assert.deepEqual([template.status, template.body.code], [422, 'template.unknown']);
    const elsewhere = await newKey({ domains: ['other.test'] });
    const domain = await send<Problem>({ url }, ['http', 'auto'], { key: elsewhere });
    assert.deepEqual([domain.status, domain.body.code], [403, 'policy.domain']);
    const reader = await newKey({ scopes: ['read'] });
    const scope = await send<Problem>({ url }, ['http', 'auto'], { key: reader });
    assert.deepEqual([scope.status, scope.body.code], [403, 'auth.scope']);
    const once = await send<Problem>({ url }, ['http', 'auto'], { headers: { 'idempotency-key': 'a' } });
    assert.deepEqual([once.status, once.body.code], [400, 'request.validation']);
  });
});

describe('limits of a comparison', () => {
  test('each way counts one scrape of the budget', async () => {
    const key = await newKey({ daily_budget: { amount: 3, unit: 'scrapes' }, concurrency: 1 });
    const used = async () =>
      (await service.api<{ requests_today: number }>('GET', '/api/v1/key/', { key })).body.requests_today;
    assert.deepEqual(outcomesOf(await compare('/page', ['http', 'http/none'], {}, { key })), ['ok', 'ok']);
    assert.equal(await used(), 2);
    const more = await compare('/page', ['http', 'http/none'], {}, { key });
    assert.deepEqual(
      [outcomesOf(more), codesOf(more)],
      [
        ['ok', 'failed'],
        [[], ['budget.exhausted']],
      ],
    );
    // A way that is refused counts nothing.
    assert.equal(await used(), 3);
  });

  test('with one permit, the ways run one after the other', async () => {
    await using target = await startCountingTarget(() => 30);
    const key = await newKey({ concurrency: 1 });
    const ways = ['http', 'http/none', 'auto'];
    const { body } = await send({ url: target.url }, ways, { key });
    assert.deepEqual(outcomesOf(body), ['ok', 'ok', 'ok']);
    assert.deepEqual([target.peak(), target.served()], [1, 3]);
    await allPermitsFree();
  });

  test('with more permits, they run beside each other; each has one', async () => {
    hanging.length = 0;
    const key = await newKey({ concurrency: 3 });
    const away = new AbortController();
    const ways = ['http', 'http/none', 'auto'];
    const running = send({ url: `${site.url}/hang` }, ways, { key, signal: away.signal });
    // `auto` may be several attempts.
    await eventually(() => hanging.length >= 3);
    const { status } = await service.api('GET', '/api/v1/scrapers/', { key });
    assert.equal(status, 429);
    away.abort();
    await assert.rejects(running);
    await allPermitsFree();
  });

  test('a caller that hangs up ends all ways; those that have not begun do not begin', async () => {
    hanging.length = 0;
    const key = await newKey({ concurrency: 2 });
    const away = new AbortController();
    const tag = { router: { tags: { run: 'hung up' } } };
    const ways = ['http', 'http/none', 'auto'];
    const running = send({ url: `${site.url}/hang`, ...tag }, ways, { key, signal: away.signal });
    await eventually(() => hanging.length === 2);
    away.abort();
    await assert.rejects(running);
    await allPermitsFree();
    const { body } = await service.api<RecordList>('GET', '/api/v1/scrape/?tag=run:hung%20up');
    assert.deepEqual(
      body.items.map(({ error_code }) => error_code),
      ['request.cancelled', 'request.cancelled'],
    );
    assert.equal(hanging.length, 2);
  });
});
