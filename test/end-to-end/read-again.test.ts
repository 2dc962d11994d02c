import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { uuid7 } from '../../src/base/uuid7.ts';
import { eventually, useService } from '../helpers/service.ts';
import { createUser } from '../helpers/users.ts';
import { newUser, signIn } from '../helpers/visitor.ts';
import type { ErrorEntry, Problem, RecordList } from '../helpers/wire-types.ts';
import { READING_PAGES } from './reading-pages.ts';
import { useTarget } from './text-target.ts';

// biome-ignore lint/suspicious/noExplicitAny: the OpenAPI file says what the members are, and the client checks it.
type Data = Record<string, any>;
interface Read extends Problem {
  readonly id: string;
  readonly scraper_data: Data;
  readonly errors: ErrorEntry[];
  readonly warnings: ErrorEntry[];
}

const DAY_MS = 86_400_000;

describe('reading a stored page again', () => {
  const service = useService();
  const target = useTarget({
    ...READING_PAGES,
    '/large': ['text/html', `<title>L</title>${'<p>caf\u00e9</p>\n'.repeat(40_000)}`],
  });
  const scraped = async (path: string, more: object = {}) => {
    const { body } = await service.scrape({ url: target.url + path, scraper: 'http', ...more });
    return body.id!;
  };
  const read = (id: string, body: object, options: object = {}) =>
    service.api<Read>('POST', `/api/v1/scrape/${id}/read/`, { body, ...options });

  const ALL = ['html', 'text', 'links', 'metadata', 'markdown', 'main_html', 'structured', 'images', 'feed'];

  for (const path of [
    '/article',
    '/rss',
    '/json-feed',
    '/json',
    '/plain',
    '/bytes',
    '/sitemap.xml.gz',
    '/framed',
  ])
    test(`${path}: gives what the scrape gave`, async () => {
      const options = { formats: ALL, only_main_content: true, main_content: { exclude: ['.advert'] } };
      const { body } = await service.scrape({
        url: target.url + path,
        scraper: 'http',
        scraper_options: options,
      });
      const { charset: _, ...data } = body.scraper_data as Data;
      const again = await read(body.id!, options);
      assert.equal(again.status, 200, again.text);
      assert.deepEqual(again.body.scraper_data, data);
      assert.deepEqual(again.body.errors, []);
      assert.equal(again.body.id, body.id);
    });

  test('extract, markdown; errors and warnings point into this request', async () => {
    const id = await scraped('/long');
    const { body } = await read(id, { extract: { first: 'p', none: 'h6' }, markdown: { max_chars: 500 } });
    assert.match(body.scraper_data.extract.first, /harbour/);
    assert.equal(body.scraper_data.extract.none, null);
    assert.deepEqual(
      body.warnings.map(({ code, pointer }) => [code, pointer]),
      [['content.more', '/markdown']],
    );
    const json = await read(await scraped('/json'), { extract: { a: 'b' } });
    assert.equal(json.status, 200);
    assert.deepEqual(
      json.body.errors.map(({ code, pointer }) => [code, pointer]),
      [['extract.failed', '/extract']],
    );
  });

  test('a large content, and one that is stored as bytes', async () => {
    const large = await read(await scraped('/large'), { formats: ['text', 'metadata'] });
    assert.equal(large.body.scraper_data.text, Array(40_000).fill('caf\u00e9').join('\n\n'));
    assert.equal(large.body.scraper_data.metadata.charset, 'utf-8');
    const id = await scraped('/article', { scraper_options: { content_encoding: 'base64' } });
    assert.match((await read(id, { formats: ['text'] })).body.scraper_data.text, /find shelter/);
  });

  test('a content that was cut: a warning', async () => {
    const id = await scraped('/article', { scraper_options: { max_content_bytes: 900 } });
    const { body } = await read(id, { formats: ['text'] });
    assert.deepEqual(body.errors, []);
    assert.deepEqual(
      body.warnings.map(({ code, level }) => [code, level]),
      [['content.truncated', 'warning']],
    );
  });

  test('makes no record and changes nothing', async () => {
    const id = await scraped('/article');
    const path = `/api/v1/scrape/${id}/`;
    const before = await service.api<Data>('GET', path);
    const list = async () => (await service.api<RecordList>('GET', '/api/v1/scrape/')).body.items.length;
    const count = await list();
    await read(id, { formats: ['markdown'] });
    assert.equal(await list(), count);
    assert.deepEqual((await service.api<Data>('GET', path)).body, before.body);
  });

  describe('no content: 422 with the reason', () => {
    const refusedFor = async (id: string) => {
      const { status, body } = await read(id, { formats: ['text'] });
      assert.deepEqual([status, body.code], [422, 'record.no_content']);
      return body.errors[0]!.details!.reason;
    };
    for (const retain of ['metadata', 'none'])
      test(`retain: ${retain}`, async () =>
        assert.equal(await refusedFor(await scraped('/article', { router: { retain } })), 'retain'));
    test('no page', async () => {
      const planned = await scraped('/article', { router: { dry_run: true } });
      assert.equal(await refusedFor(planned), 'no_page');
      const { body } = await service.scrape({ url: 'http://127.0.0.1:1/', scraper: 'http' });
      assert.equal(await refusedFor(body.id!), 'no_page');
    });
  });

  test('an expired record: 410; for how long, its id tells', async () => {
    for (const [days, status, code] of [
      [6, 404, 'request.not_found'],
      [8, 410, 'record.expired'],
      [96, 410, 'record.expired'],
      [98, 404, 'request.not_found'],
    ] as const) {
      const { status: got, body } = await read(uuid7(Date.now() - days * DAY_MS), { formats: ['text'] });
      assert.deepEqual([got, body.code], [status, code], `${days} days`);
    }
  });

  test('every other request for an expired record: 410 for 90 days', async () => {
    for (const [method, rest] of [
      ['GET', ''],
      ['DELETE', ''],
      ['GET', 'request/'],
      ['GET', 'content/'],
      ['GET', 'screenshot'],
      ['GET', 'files/0/'],
    ] as const)
      for (const [days, status, code] of [
        [6, 404, 'request.not_found'],
        [8, 410, 'record.expired'],
        [98, 404, 'request.not_found'],
      ] as const) {
        const path = `/api/v1/scrape/${uuid7(Date.now() - days * DAY_MS)}/${rest}`;
        const { status: got, body } = await service.api<Problem>(method, path);
        assert.deepEqual([got, body.code], [status, code], `${method} ${rest} ${days} days`);
      }
  });

  describe('refused, with a pointer', () => {
    const wrong: readonly (readonly [body: object, pointer: string])[] = [
      [{}, ''],
      [{ formats: [], markdown: { html: false } }, ''],
      [{ formats: ['word'] }, '/formats/0'],
      [{ only_main_content: 1 }, '/only_main_content'],
      [{ formats: ['text'], main_content: { include: ['a['] } }, '/main_content/include/0'],
      [{ main_content: { site_boilerplate: true } }, '/main_content/site_boilerplate'],
      [{ markdown: { images: 'x' } }, '/markdown/images'],
      [{ extract: { a: 'b[' } }, '/extract/a'],
      [{ extract: { a: { selector: 'p', output: { b: 'i::' } } } }, '/extract/a/output/b'],
      [{ formats: ['text'], url: 'http://a.test/' }, '/url'],
    ];
    for (const [ask, pointer] of wrong)
      test(JSON.stringify(ask), async () => {
        const { status, body } = await read(await scraped('/plain'), ask);
        assert.deepEqual([status, body.code], [400, 'request.validation']);
        assert.equal(body.errors[0]!.pointer, pointer);
      });
  });

  test('needs the scope read; the record of another user is not there', async () => {
    const id = await scraped('/article');
    const make = async (scopes: string[]) => {
      const body = { name: 'one', scopes };
      return (await service.api<{ key: string }>('POST', '/api/v1/keys/', { body })).body.key;
    };
    const scrapeOnly = await read(id, { formats: ['text'] }, { key: await make(['scrape']) });
    assert.deepEqual([scrapeOnly.status, scrapeOnly.body.code], [403, 'auth.scope']);
    assert.equal((await read(id, { formats: ['text'] }, { key: await make(['read']) })).status, 200);
    const other = await read(id, { formats: ['text'] }, { key: (await createUser(service)).key });
    assert.deepEqual([other.status, other.body.code], [404, 'request.not_found']);
  });

  test('counts as one of the requests in flight, also by session', async () => {
    const { email } = await newUser(service, { concurrency: 1 });
    const visitor = await signIn(service, email);
    const answer = await visitor.call<Data>('POST', '/api/v1/scrape/', {
      body: { url: `${target.url}/large`, scraper: 'http' },
    });
    const ask = () =>
      visitor.call<Read>('POST', `/api/v1/scrape/${answer.body.id}/read/`, { body: { formats: ALL } });
    const replies = await Promise.all([ask(), ask(), ask()]);
    const statuses = replies.map(({ status }) => status);
    assert.ok(statuses.includes(200), String(statuses));
    const refused = replies.find(({ status }) => status !== 200);
    assert.deepEqual([refused?.status, refused?.body.code], [429, 'limit.concurrency']);
    assert.ok(refused!.headers.get('retry-after'));
    await eventually(async () => (await ask()).status === 200);
  });
});
