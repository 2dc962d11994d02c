import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { TEST_LOGIN } from '../../src/test-hosts/answers.ts';
import { useService } from '../helpers/service.ts';
import { useSite } from '../helpers/use-site.ts';

const service = useService();
const site = useSite();

interface KeyReply {
  readonly id: string;
  readonly key: string;
  readonly test: boolean;
  readonly domains: readonly string[];
  readonly requests_today: number;
  readonly errors: readonly { readonly pointer: string }[];
}

interface Expected {
  readonly scraper?: string;
  readonly members?: object;
  readonly status: number;
  /** Status of the page, if it is told. */
  readonly page?: number;
  /** Code of the first error; null: none. */
  readonly code?: string | null;
  readonly kind?: string;
  readonly by?: string;
  readonly content?: RegExp;
}

/** Each test host's page, and what a scrape says of it. Hosts are names of this file, so that counts are its own. */
const PAGES: Readonly<Record<string, Expected>> = {
  'http://pages.sluice.test/': { status: 200, content: /\/redirect\/loop/ },
  'https://pages.sluice.test/ok': { status: 200, content: /It works/ },
  'https://pages.sluice.test./ok': { status: 200, content: /It works/ },
  'https://pages.sluice.test/nowhere': { status: 200, page: 404, content: /No test host has \/nowhere/ },
  'https://pages.sluice.test:8443/ok': { status: 502, code: 'connect.refused' },
  'https://pages.sluice.test/slow?ms=soon': { status: 200, page: 400, content: /ms must be a whole number/ },
  'https://pages.sluice.test/status/404': { status: 200, page: 404 },
  'https://pages.sluice.test/status/503': { status: 200, page: 503, kind: 'error_page' },
  'https://pages.sluice.test/status/429': { status: 200, page: 429, kind: 'rate' },
  'https://pages.sluice.test/captcha': { status: 502, code: 'target.blocked', kind: 'captcha' },
  'https://pages.sluice.test/consent': { status: 502, code: 'target.blocked', kind: 'wall' },
  'https://pages.sluice.test/account': { status: 502, code: 'target.blocked', kind: 'wall' },
  'https://pages.sluice.test/truncated': { status: 200, code: 'content.incomplete' },
  'https://pages.sluice.test/redirect/3': { status: 200, content: /It works/ },
  'https://pages.sluice.test/redirect/loop': { status: 502, code: 'redirect.too_many' },
  'https://pages.sluice.test/redirect/invalid': { status: 502, code: 'redirect.invalid' },
  'https://pages.sluice.test/redirect/private': { status: 403, code: 'policy.address' },
  'http://policy-address.sluice.test/': { status: 403, code: 'policy.address' },
  'https://pages.sluice.test/spa': { status: 200, kind: 'js_shell' },
  'https://pages.sluice.test/empty': { status: 200, kind: 'empty' },
  'https://pages.sluice.test/encoded/br': { status: 200, content: /came as br/ },
  'https://pages.sluice.test/encoded/gzip': { status: 200, content: /came as gzip/ },
  'https://pages.sluice.test/encoded/broken': { status: 200, code: 'content.decode_failed' },
  'https://pages.sluice.test/charset': { status: 200, content: /Café Müller.*1,20 €/s },
  'https://pages.sluice.test/download': { status: 200, content: /^sku,name,price/ },
  'https://pages.sluice.test/shop?page=15': { status: 200, content: /Products 281 to 300 of 300/ },
  'https://pages.sluice.test/shop?page=16': { status: 200, page: 404 },
  'https://pages.sluice.test/shop/SL-300': { status: 200, content: /"price":"\d+\.\d\d"/ },
  'https://pages.sluice.test/shop/SL-301': { status: 200, page: 404 },
  'https://pages.sluice.test/docs/anvil/stand': { status: 200, content: /as high as your knuckles/ },
  'https://pages.sluice.test/reset': { status: 502, code: 'connect.reset' },
  'https://pages.sluice.test/no-http': { status: 502, code: 'http.protocol' },
  'https://pages.sluice.test/slow?ms=60000': {
    members: { timeout_ms: 1_000 },
    status: 504,
    code: 'timeout.total',
  },
  'https://pages.sluice.test/large?bytes=5000': {
    members: { scraper_options: { max_content_bytes: 1_000 } },
    status: 200,
    code: 'content.truncated',
  },
  'https://pages.sluice.test/pdf': {
    members: { scraper_options: { formats: ['text'] } },
    status: 200,
    code: null,
  },
  'https://pages.sluice.test/pdf/broken': {
    members: { scraper_options: { formats: ['text'] } },
    status: 200,
    code: 'document.unreadable',
  },
  'http://dns-not-found.sluice.test/': { status: 502, code: 'dns.not_found' },
  'http://dns-failed.sluice.test/': { status: 502, code: 'dns.failed' },
  'http://connect-refused.sluice.test/': { status: 502, code: 'connect.refused' },
  'http://connect-reset.sluice.test/': { status: 502, code: 'connect.reset' },
  'http://connect-unreachable.sluice.test/': { status: 502, code: 'connect.unreachable' },
  'https://tls-expired.sluice.test/ok': { status: 502, code: 'tls.invalid' },
  'https://tls-hostname.sluice.test/ok': { status: 502, code: 'tls.invalid' },
  'https://tls-untrusted.sluice.test/ok': { status: 502, code: 'tls.invalid' },
  'https://tls-self-signed.sluice.test/ok': { status: 502, code: 'tls.invalid' },
};

/** Who refuses, and with what. */
const WALLS: Readonly<Record<string, string>> = {
  cloudflare: 'challenge',
  datadome: 'captcha',
  human: 'captcha',
  akamai: 'block',
  imperva: 'block',
  kasada: 'challenge',
  'aws-waf': 'challenge',
  f5: 'block',
  queue: 'challenge',
};

describe('test hosts', () => {
  for (const [url, { members = {}, status, page, code = null, kind, content }] of Object.entries(PAGES))
    test(url, async () => {
      const { status: answered, body } = await service.scrape({
        ...{ url, scraper: 'http', timeout_ms: 15_000, router: { on_blocked: 'fail' } },
        ...members,
      });
      assert.equal(answered, status, JSON.stringify(body));
      const told = body as unknown as {
        readonly code?: string;
        readonly errors?: readonly { readonly code: string }[];
      };
      assert.equal(told.errors?.[0]?.code ?? told.code ?? null, code);
      if (page !== undefined) assert.equal(body.status_code, page);
      if (kind !== undefined) assert.equal(body.router.verdict?.kind, kind);
      if (content !== undefined) assert.match(body.content!, content);
    });

  for (const [by, kind] of Object.entries(WALLS))
    test(`a wall by ${by}`, async () => {
      const { body } = await service.scrape({
        ...{ url: `https://walls.sluice.test/block?by=${by}`, scraper: 'http' },
      });
      assert.deepEqual([body.router.outcome, body.router.verdict?.kind], ['blocked', kind]);
      assert.deepEqual(body.router.verdict?.signals.map((signal) => signal.split('/')[0]).slice(0, 1), [by]);
    });

  test('a status that passes after some answers comes again afterwards', async () => {
    const url = 'https://times.sluice.test/status/503?times=2';
    const statuses: number[] = [];
    for (let n = 0; n < 6; n++)
      statuses.push((await service.scrape({ url, scraper: 'http' })).body.status_code!);
    assert.deepEqual(statuses, [503, 503, 200, 503, 503, 200]);
  });

  test('auto goes on to what passes the wall', async () => {
    const { body } = await service.scrape({
      url: 'https://auto.sluice.test/block?by=akamai&passes=http_impersonate',
      router: { order: ['http', 'http_impersonate'] },
    });
    assert.match(body.content!, /The check was passed/);
    assert.deepEqual(
      body.router.attempts.map(({ scraper, verdict }) => [scraper, verdict]),
      [
        ['http', 'block'],
        ['http_impersonate', 'ok'],
      ],
    );
  });

  test('a limit of costs excludes nothing, also without any prices', async () => {
    const { status, body } = await service.scrape({
      ...{ url: 'https://cost.sluice.test/ok', router: { max_cost: 0, max_attempts: 1 } },
    });
    assert.equal(status, 200, JSON.stringify(body));
  });

  test('one logs in, and gets the account', async () => {
    const login = await service.scrape({
      ...{ url: 'https://login.sluice.test/login?next=/account', method: 'POST', scraper: 'http' },
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      data: new URLSearchParams(TEST_LOGIN).toString(),
    });
    assert.match(login.body.content!, /Hello Anna/);
    const wrong = await service.scrape({
      ...{ url: 'https://login.sluice.test/login', method: 'POST', scraper: 'http' },
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      data: 'username=anna&password=x',
    });
    assert.equal(wrong.body.status_code, 401);
    const late = await service.scrape({
      ...{ url: 'https://login.sluice.test/login/token', method: 'POST', scraper: 'http' },
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      data: new URLSearchParams({ ...TEST_LOGIN, token: 'made up' }).toString(),
    });
    assert.equal(late.body.status_code, 403, 'a form counts only with its token');
  });

  test('proxies and vendors are refused by name', async () => {
    const refused: readonly (readonly [object, string])[] = [
      [{ proxy: 'residential' }, '/proxy'],
      [{ proxy: 'http://127.0.0.1:3128' }, '/proxy'],
      [{ proxy: { country: 'DE' } }, '/proxy'],
      [{ router: { escalate_proxy: ['residential'] } }, '/router/escalate_proxy'],
    ];
    for (const [members, pointer] of refused) {
      const { status, body } = await service.scrape({ url: 'https://a.sluice.test/ok', ...members });
      assert.deepEqual([status, body.code, body.errors?.[0]?.pointer], [422, 'test.host', pointer]);
    }
    const vendor = await service.scrape({ url: 'https://a.sluice.test/ok', scraper: 'vendor:any' });
    assert.deepEqual([vendor.status, vendor.body.code], [422, 'test.host']);
  });

  test('a page of a test host leads nowhere else, so that nobody scrapes for free or past the proxies', async () => {
    const ways = {
      navigation: `location.href = '${site.url}/text'`,
      request: `fetch('${site.url}/text', { mode: 'no-cors' }).catch(() => {})`,
      frame: `document.body.append(Object.assign(document.createElement('iframe'), { src: '${site.url}/text' }))`,
      window: `void open('${site.url}/text')`,
    };
    for (const [way, script] of Object.entries(ways)) {
      const { status, text } = await service.scrape({
        ...{ url: 'http://stays.sluice.test/ok', scraper: 'browser', timeout_ms: 20_000 },
        page_actions: [
          { type: 'evaluate', script },
          { type: 'wait', ms: 500 },
        ],
      });
      assert.ok(status < 500 || status === 502, `${way}: ${status} ${text}`);
      assert.deepEqual(site.log, [], way);
    }
  });

  test('hosts whose names only look like it are resolved as others', async () => {
    const { body } = await service.scrape({ url: 'http://sluice.test.invalid/ok', scraper: 'http' });
    assert.equal(body.code, 'dns.not_found');
    const joined = await service.scrape({ url: 'http://notsluice.test/ok', scraper: 'http' });
    assert.match(joined.body.code!, /^dns\./);
  });
});

describe('test keys', () => {
  let key = '';
  before(async () => {
    const { body } = await service.api<KeyReply>('POST', '/api/v1/keys/', {
      body: { name: 'for tests', test: true },
    });
    assert.equal(body.test, true);
    assert.deepEqual(body.domains, ['sluice.test']);
    key = body.key;
    assert.match(key, /^slc_test_/);
  });

  test('scrape test hosts, and nothing else', async () => {
    const ok = await service.scrape({ url: 'https://k.sluice.test/ok' }, { key });
    assert.equal(ok.body.status_code, 200);
    const other = await service.scrape({ url: 'https://example.com/' }, { key });
    assert.deepEqual(
      [other.status, other.body.code, other.body.errors?.[0]?.pointer],
      [422, 'test.host', '/url'],
    );
  });

  test('keep their domains, and give test keys when they are rotated', async () => {
    const made = await service.api<KeyReply>('POST', '/api/v1/keys/', {
      body: { name: 'rotated', test: true },
    });
    const id = made.body.id;
    const changed = await service.api<KeyReply>('PATCH', `/api/v1/keys/${id}/`, {
      body: { domains: ['example.com'] },
    });
    assert.deepEqual([changed.status, changed.body.errors[0]?.pointer], [400, '/domains']);
    const both = await service.api<KeyReply>('POST', '/api/v1/keys/', {
      body: { name: 'both', test: true, domains: ['example.com'] },
    });
    assert.deepEqual([both.status, both.body.errors[0]?.pointer], [400, '/domains']);
    const rotated = await service.api<KeyReply>('POST', `/api/v1/keys/${id}/rotate/`);
    assert.match(rotated.body.key, /^slc_test_/);
    assert.equal(rotated.body.test, true);
  });
});

test('other keys with domains may scrape test hosts, which count in no budget', async () => {
  const { body } = await service.api<KeyReply>('POST', '/api/v1/keys/', {
    body: { name: 'narrow', domains: ['example.com'], daily_budget: { amount: 1, unit: 'scrapes' } },
  });
  const key = body.key;
  for (const url of ['https://n.sluice.test/ok', 'https://N.SLUICE.TEST/ok', 'https://n.sluice.test./ok']) {
    const { status } = await service.scrape({ url, scraper: 'http' }, { key });
    assert.equal(status, 200);
  }
  const { body: read } = await service.api<KeyReply>('GET', `/api/v1/keys/${body.id}/`);
  assert.equal(read.requests_today, 0);
});
