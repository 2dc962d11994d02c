import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { MadeSite } from '../../helpers/made-site.ts';
import { eventually, type Service, startService } from '../../helpers/service.ts';
import {
  type McpClient,
  newOverHttp,
  newOverStdio,
  oldOverHttp,
  oldOverStdio,
  stdioEnvironment,
} from './mcp-clients.ts';
import { PARAGRAPHS, startMcpSite } from './mcp-site.ts';

let service: Service;
let site: MadeSite;

before(async () => {
  [service, site] = await Promise.all([startService(), startMcpSite()]);
});
after(async () => {
  await site[Symbol.asyncDispose]();
  await service.end();
});

const remote = () => stdioEnvironment({ SLUICE_URL: service.base, SLUICE_KEY: service.key });

const CONNECTIONS: readonly (readonly [
  name: string,
  protocol: string | undefined,
  () => Promise<McpClient>,
])[] = [
  ['the client of 2026 over HTTP', '2026-07-28', () => newOverHttp(service)],
  ['the client of 2025 over HTTP', '2025-11-25', () => oldOverHttp(service)],
  ['the client of 2026 over stdio', '2026-07-28', () => newOverStdio(remote())],
  ['the client of 2025 over stdio', undefined, () => oldOverStdio(remote())],
];

for (const [name, protocol, connect] of CONNECTIONS) {
  describe(name, () => {
    let client: McpClient;
    before(async () => {
      client = await connect();
    });
    after(() => client[Symbol.asyncDispose]());

    test('lists the tools with their schemas', async () => {
      assert.equal(client.protocol, protocol);
      const tools = await client.tools();
      assert.deepEqual(tools.map((tool) => tool.name).sort(), [
        'act',
        'crawl',
        'explain',
        'job',
        'map',
        'read',
        'scrape',
        'screenshot',
      ]);
      for (const { inputSchema } of tools)
        assert.equal((inputSchema as { additionalProperties?: boolean }).additionalProperties, false);
    });

    test('the pieces of a page together are the page', async () => {
      const url = `${site.url}/article`;
      const visits = site.seen.filter((path) => path === '/article').length;
      const whole = await client.call('scrape', { url, scraper: 'http', max_chars: 200_000 });
      assert.equal(whole.facts.next_offset, null);
      assert.match(whole.page!, /^# The long article/);
      assert.ok(whole.page!.includes(`Paragraph ${PARAGRAPHS} of`));
      assert.ok(!whole.page!.includes('Home'), 'only the main content');
      const first = await client.call('scrape', { url, scraper: 'http', max_chars: 2_000 });
      const pieces = [first.page!];
      let next = first.facts.next_offset as number | null;
      while (next !== null) {
        const piece = await client.call('read', {
          scrape_id: first.facts.scrape_id,
          content_offset: next,
          max_chars: 2_000,
        });
        assert.ok(piece.page!.length <= 2_000);
        pieces.push(piece.page!);
        next = piece.facts.next_offset as number | null;
      }
      assert.ok(pieces.length > 5);
      assert.equal(pieces.join(''), whole.page);
      assert.equal(first.facts.characters, whole.page!.length);
      assert.equal(first.facts.status, 200);
      assert.equal(first.facts.outcome, 'ok');
      assert.equal(first.facts.final_url, url);
      assert.equal(first.facts.from_cache, false);
      assert.equal(
        site.seen.filter((path) => path === '/article').length,
        visits + 2,
        '`read` fetches nothing',
      );
    });

    test('another format, and data by a schema, without fetching', async () => {
      const { facts } = await client.call('scrape', { url: `${site.url}/article`, scraper: 'http' });
      const { scrape_id } = facts;
      const links = await client.call('read', { scrape_id, format: 'links', only_main_content: false });
      assert.deepEqual(
        (JSON.parse(links.page!) as { url: string }[]).map(({ url }) => url),
        [`${site.url}/`],
      );
      const schema = { type: 'object', properties: { title: { type: 'string' } } };
      const data = await client.call('read', { scrape_id, schema });
      assert.deepEqual((JSON.parse(data.page!) as { value: unknown }).value, { title: 'The long article' });
    });

    test('a bot wall is an error without the text of the wall, also when it is read again', async () => {
      const wall = await client.call('scrape', { url: `${site.url}/wall`, scraper: 'http' });
      assert.equal(wall.isError, true);
      assert.equal(wall.facts.error!.code, 'target.blocked');
      assert.equal(wall.facts.verdict, 'challenge');
      assert.equal(wall.page, null);
      const again = await client.call('read', { scrape_id: wall.facts.scrape_id });
      assert.equal(again.isError, true);
      assert.equal(again.facts.error!.code, 'target.blocked');
      assert.equal(again.page, null);
    });

    test('a page that is missing, and a target that is not there', async () => {
      const missing = await client.call('scrape', { url: `${site.url}/missing`, scraper: 'http' });
      assert.equal(missing.isError, true);
      assert.equal(missing.facts.outcome, 'target_error');
      assert.equal(missing.facts.status, 404);
      const closed = await client.call('scrape', { url: 'http://127.0.0.1:1/', scraper: 'http' });
      assert.equal(closed.isError, true);
      assert.equal(closed.facts.error!.code, 'connect.refused');
    });

    test('invalid arguments are an error result; an unknown tool is an error of the protocol', async () => {
      const invalid = await client.call('scrape', { url: 5, deep: true });
      assert.equal(invalid.isError, true);
      assert.equal(invalid.facts.error!.code, 'request.validation');
      const pointers = (invalid.facts.errors as { pointer: string }[]).map(({ pointer }) => pointer);
      assert.deepEqual(pointers.sort(), ['/deep', '/url']);
      const twice = await client.call('scrape', { url: site.url, request: { url: site.url } });
      assert.equal((twice.facts.errors as { pointer: string }[])[0]!.pointer, '/request/url');
      const options = { url: site.url, request: { scraper_options: { formats: ['text'] } } };
      const formats = await client.call('scrape', options);
      assert.equal(
        (formats.facts.errors as { pointer: string }[])[0]!.pointer,
        '/request/scraper_options/formats',
      );
      // Checked by the API.
      const scraper = await client.call('scrape', { url: site.url, scraper: 'telnet' });
      assert.equal(scraper.facts.error!.code, 'request.validation');
      const record = await client.call('read', { scrape_id: '01a216b5-f747-7037-b722-72423c50c398' });
      assert.equal(record.isError, true);
      await assert.rejects(client.call('nothing', {}), /There is no tool "nothing"/);
    });

    test('what may change something at the site is for the tool that says so', async () => {
      const hints = new Map(
        (await client.tools()).map((tool) => [
          tool.name,
          (tool as { annotations?: { readOnlyHint?: boolean } }).annotations?.readOnlyHint,
        ]),
      );
      assert.deepEqual([hints.get('scrape'), hints.get('screenshot'), hints.get('act')], [true, true, false]);
      const url = `${site.url}/article`;
      const acting: readonly (readonly [request: object, pointer: string])[] = [
        [{ method: 'POST' }, '/request/method'],
        [{ method: 'delete' }, '/request/method'],
        [{ data: 'a=1' }, '/request/data'],
        [{ page_actions: [{ type: 'click', selector: 'a' }] }, '/request/page_actions'],
        [{ headers: { 'X-HTTP-Method-Override': 'DELETE' } }, '/request/headers'],
        [{ headers: [['x-http-method', 'PUT']] }, '/request/headers'],
        [{ router: { webhook: { url } } }, '/request/router/webhook'],
      ];
      const { length } = site.seen;
      for (const tool of ['scrape', 'screenshot'])
        for (const [request, pointer] of acting) {
          const refused = await client.call(tool, { url, request });
          assert.equal(refused.isError, true, JSON.stringify(request));
          assert.equal((refused.facts.errors as { pointer: string }[])[0]!.pointer, pointer);
          assert.match(JSON.stringify(refused.facts.error), /use the tool `act`/);
        }
      assert.equal(site.seen.length, length, 'nothing was sent');
      const read = await client.call('scrape', {
        url,
        scraper: 'http',
        request: { method: 'GET', page_actions: [] },
      });
      assert.match(read.page!, /The long article/);
      const acted = await client.call('act', {
        url,
        scraper: 'http',
        request: { method: 'POST', data: 'a=1' },
      });
      assert.match(acted.page!, /The long article/);
      assert.equal(site.seen.length, length + 2);
    });

    test('a picture and an empty page say why there is no text; reading beyond the end is an error', async () => {
      const picture = await client.call('scrape', { url: `${site.url}/picture`, scraper: 'http' });
      assert.equal(picture.page, null);
      assert.match(String(picture.facts.note), /image\/png, which has no text\. The tool screenshot/);
      const bytes = await client.call('scrape', { url: `${site.url}/bytes`, scraper: 'http' });
      assert.match(String(bytes.facts.note), /application\/octet-stream.*\/content\/ gives the bytes/);
      const empty = await client.call('scrape', { url: `${site.url}/empty`, scraper: 'http' });
      assert.equal(empty.page, null);
      assert.match(String(empty.facts.note), /only_main_content: false/);
      const whole = await client.call('scrape', {
        url: `${site.url}/article`,
        scraper: 'http',
        max_chars: 200_000,
      });
      assert.deepEqual(whole.facts.warnings, [], 'nothing about the service in each result');
      assert.equal(whole.facts.direct, true);
      const { scrape_id, characters } = whole.facts as unknown as { scrape_id: string; characters: number };
      for (const content_offset of [characters, characters + 1, 9_999_999]) {
        const beyond = await client.call('read', { scrape_id, content_offset });
        assert.equal(beyond.isError, true);
        assert.equal(beyond.facts.error!.code, 'request.validation');
        assert.match(
          JSON.stringify(beyond.facts.error),
          new RegExp(`beyond the end.*${characters} characters`),
        );
      }
      const last = await client.call('read', { scrape_id, content_offset: characters - 1 });
      assert.equal(last.facts.next_offset, null);
    });

    test('explain plans and fetches nothing', async () => {
      const { length } = site.seen;
      const { facts } = await client.call('explain', { url: `${site.url}/article` });
      assert.equal(typeof (facts.first as { scraper: string }).scraper, 'string');
      assert.ok((facts.candidates as unknown[]).length > 1);
      const none = await client.call('explain', {
        url: site.url,
        scraper: 'http',
        request: { page_actions: [{ click: 'a' }] },
      });
      assert.equal(none.isError, true);
      assert.equal(none.facts.error!.code, 'scraper.unsupported_option');
      assert.equal(site.seen.length, length);
    });

    test('map, crawl with progress, and the pages of a job', async () => {
      const url = `${site.url}/site/`;
      const map = await client.call('map', { url });
      for (const page of ['a', 'b', 'c']) assert.ok(map.page!.includes(`${url}${page}`));
      const told: number[] = [];
      const crawl = await client.call(
        'crawl',
        { url, wait_s: 60, request: { scraper: 'http' } },
        { onprogress: ({ progress }) => told.push(progress) },
      );
      assert.equal(crawl.facts.state, 'done');
      assert.equal((crawl.facts.counts as { ok: number }).ok, 4);
      assert.ok(told.length > 0);
      assert.deepEqual(
        told,
        [...new Set(told)].sort((a, b) => a - b),
      );
      const { job_id } = crawl.facts;
      const urls: string[] = [];
      let cursor: unknown;
      do {
        const page = await client.call('job', {
          job_id,
          action: 'results',
          limit: 3,
          page_chars: 8,
          ...(cursor === undefined ? {} : { cursor }),
        });
        for (const line of page.page!.split('\n').filter((text) => text !== '')) {
          const item = JSON.parse(line) as {
            url: string;
            scrape_id: string;
            state: string;
            markdown: string;
            next_offset: number;
          };
          urls.push(item.url);
          assert.equal(item.state, 'ok');
          const read = await client.call('read', { scrape_id: item.scrape_id });
          assert.equal(read.facts.outcome, 'ok');
          assert.match(read.page!, /Start|Page/);
          assert.ok(item.markdown.length > 0 && item.next_offset === item.markdown.length);
          assert.ok(read.page!.startsWith(item.markdown));
        }
        cursor = page.facts.next_cursor;
      } while (cursor !== null);
      assert.deepEqual(urls.sort(), [url, `${url}a`, `${url}b`, `${url}c`]);
      const purposeless = await client.call('job', { job_id, limit: 3 });
      assert.equal((purposeless.facts.errors as { pointer: string }[])[0]!.pointer, '/limit');
    });

    test('a job that is started can be looked at and cancelled', async () => {
      const started = await client.call('crawl', { url: `${site.url}/slow`, request: { scraper: 'http' } });
      const { job_id } = started.facts;
      const state = await client.call('job', { job_id });
      assert.ok(['queued', 'running'].includes(state.facts.state as string));
      const cancelled = await client.call('job', { job_id, action: 'cancel' });
      assert.equal(cancelled.facts.state, 'cancelled');
    });

    test('cancelling a call that waits for its crawl cancels the job', async () => {
      const cancel = new AbortController();
      const before = site.seen.length;
      const args = { url: `${site.url}/slow`, wait_s: 600, request: { scraper: 'http' } };
      const call = client.call('crawl', args, { signal: cancel.signal });
      await eventually(() => site.seen.slice(before).includes('/slow'));
      cancel.abort();
      await assert.rejects(call);
      await eventually(async () => {
        const { body } = await service.api('GET', '/api/v1/jobs/?limit=1');
        return (body as { items: { state: string }[] }).items[0]!.state === 'cancelled';
      });
    });

    test('progress of a scrape; cancelling the call cancels the scrape', async () => {
      const cancel = new AbortController();
      const told: number[] = [];
      const before = site.seen.length;
      const call = client.call(
        'scrape',
        { url: `${site.url}/slow`, scraper: 'http' },
        { signal: cancel.signal, onprogress: ({ progress }) => told.push(progress) },
      );
      await eventually(() => site.seen.length > before && told.length > 1);
      cancel.abort();
      await assert.rejects(call);
      await eventually(async () => {
        const { body } = await service.api('GET', '/api/v1/scrape/?limit=1');
        const [last] = (body as { items: { url: string; error_code: string | null }[] }).items;
        return last?.url === `${site.url}/slow` && last.error_code === 'request.cancelled';
      });
    });
  });
}
