import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openApi } from '../helpers/openapi.ts';
import { eventually, useOwnService } from '../helpers/service.ts';
import { useSite } from '../helpers/use-site.ts';
import { createUser } from '../helpers/users.ts';
import type { RecordLine, RecordList, ScrapeAnswer } from '../helpers/wire-types.ts';

const SCRAPE = '/api/v1/scrape/';
const UUID7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

// biome-ignore lint/suspicious/noExplicitAny: asserted member by member
type Loose = Record<string, any>;

describe('records', () => {
  const site = useSite();
  const service = useOwnService();

  const scrape = async (path: string, more: Record<string, unknown> = {}): Promise<ScrapeAnswer> =>
    (await service.scrape({ url: site.url + path, scraper: 'http', ...more })).body;
  const record = (id: string | null, part = '') => service.api<ScrapeAnswer>('GET', `${SCRAPE}${id}/${part}`);
  const list = async (query = '') => (await service.api<RecordList>('GET', `${SCRAPE}?${query}`)).body;

  test('the record equals the response, and has its time and status', async () => {
    const before = Date.now();
    const answer = await scrape('/html/5000', { router: { tags: { task: 'one' } } });
    assert.match(answer.id!, UUID7);
    const { status, body } = await record(answer.id);
    assert.equal(status, 200);
    const { created_at, http_status, key_id, job_id, monitor, ...router } = body.router;
    assert.deepEqual({ ...body, router }, answer);
    assert.deepEqual([http_status, job_id, monitor], [200, null, null]);
    assert.match(key_id!, /^[A-Za-z0-9]{12}$/);
    assert.match(created_at!, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.ok(Date.parse(created_at!) >= before - 5 && Date.parse(created_at!) <= Date.now() + 5);
  });

  test('without a proxy, `direct` stands beside the proxy type: in the answer, its attempts, the record, lists', async () => {
    const answers = [
      await scrape('/text'),
      await scrape('/text', { router: { trace: false } }),
      await scrape('/text', { router: { retain: 'metadata' } }),
      (await service.scrape({ url: 'http://127.0.0.1:1/', scraper: 'http' })).body,
    ];
    const { items } = (await service.api<{ items: Loose[] }>('GET', `${SCRAPE}?limit=10`)).body;
    for (const { id, router } of answers) {
      const { direct, proxy_type, attempts } = router as Loose;
      assert.deepEqual([direct, proxy_type], [true, 'datacenter']);
      if (attempts !== undefined) assert.equal(attempts[0].direct, true);
      assert.equal(((await record(id)).body.router as Loose).direct, true);
      const item = items.find((one) => one.id === id)!;
      assert.deepEqual([item.direct, item.proxy_type], [true, 'datacenter']);
    }
    const bare = await scrape('/text', { router: { retain: 'none' } });
    assert.equal((bare.router as Loose).direct, true);
    const of = async (id: string) =>
      (await service.api<{ items: Loose[] }>('GET', `${SCRAPE}?limit=1`)).body.items.find(
        (one) => one.id === id,
      )!;
    assert.deepEqual([(await of(bare.id!)).direct, (await of(bare.id!)).proxy_type], [null, null]);
    const planned = await service.scrape({ url: site.url, router: { dry_run: true } });
    assert.equal((planned.body.router as Loose).direct, null);
  });

  test('a failed scrape is stored too; its record is read with 200', async () => {
    const { status, body: answer } = await service.scrape({ url: 'http://127.0.0.1:1/' });
    assert.equal(status, 502);
    const { status: read, headers, body } = await record(answer.id);
    assert.equal(read, 200);
    assert.match(headers.get('content-type') ?? '', /^application\/json/);
    assert.equal(body.router.http_status, 502);
    assert.equal(body.status_code, null);
    assert.equal(body.content, null);
    assert.equal(body.errors[0]?.code, 'connect.refused');
    assert.deepEqual(body.errors, answer.errors);
    assert.equal(body.router.outcome, 'failed');
    assert.ok(!('code' in body), 'the scrape object, not the problem');
  });

  test('every field of the response table is there, on failures too', async () => {
    const fields = [
      'id',
      'status_code',
      'final_url',
      'headers',
      'content',
      'content_encoding',
      'cookies',
      'errors',
      'screenshot_url',
      'scraper_data',
      'router',
    ];
    const failed = (await service.scrape({ url: 'http://127.0.0.1:1/' })).body;
    for (const answer of [
      await scrape('/text'),
      failed,
      await scrape('/text', { router: { dry_run: true } }),
    ])
      for (const field of fields) assert.ok(field in answer, field);
    assert.deepEqual(failed.headers, {});
    assert.deepEqual(failed.cookies, []);
    assert.deepEqual(failed.scraper_data, {});
    for (const field of [
      'status_code',
      'final_url',
      'content',
      'content_encoding',
      'screenshot_url',
    ] as const)
      assert.equal(failed[field], null, field);
  });

  test('a scrape whose caller disconnected is request.cancelled, without a status', async () => {
    const away = new AbortController();
    site.log.length = 0;
    const running = service.scrape({ url: `${site.url}/hang?gone` }, { signal: away.signal });
    await eventually(() => site.log.some((seen) => seen.url === '/hang?gone'));
    away.abort();
    await assert.rejects(running);
    const line = await eventually(async () => (await list('error_code=request.cancelled')).items[0]);
    assert.equal(line.http_status, null);
    assert.equal(line.outcome, 'failed');
    const { body } = await record(line.id);
    assert.equal(body.errors[0]?.code, 'request.cancelled');
    assert.equal(body.router.http_status, null);
    await eventually(() => site.connections() === 0 || site.log.length > 0);
  });

  test('the request is kept with its secrets masked', async () => {
    const secrets = ['s3cret-token', 's3cret-cookie', 's3cret-proxy', 's3cret-key', 's3cret-user'];
    const url = site.url.replace('http://', 'http://me:s3cret-user@');
    const { body: answer } = await service.scrape({
      url: `${url}/text?page=2`,
      method: 'post',
      headers: {
        Authorization: 'Bearer s3cret-token',
        'X-Api-Key': 's3cret-key',
        'X-Plain': 'shown',
        Cookie: 'sid=s3cret-cookie',
      },
      cookies: { session: 's3cret-cookie' },
      data: { hello: 'world' },
    });
    assert.ok(answer.id);
    const { status, text, body } = await service.api<Record<string, unknown>>(
      'GET',
      `${SCRAPE}${answer.id}/request/`,
    );
    assert.equal(status, 200);
    for (const secret of secrets) {
      assert.ok(!text.includes(secret), `the kept request has ${secret}`);
      assert.ok(!JSON.stringify(answer.router).includes(secret), `the answer has ${secret}`);
      assert.ok(!(await service.output()).includes(secret), `the log has ${secret}`);
    }
    assert.match(String(body.url), /\/text\?page=2$/);
    assert.deepEqual(body.data, { hello: 'world' });
    assert.match(text, /shown/);
    const { text: kept } = await record(answer.id);
    for (const secret of secrets) assert.ok(!kept.includes(secret), `the record has ${secret}`);
  });

  test('the list: newest first, every member, pages by cursor', async () => {
    const tag = `list-${process.pid}`;
    const made: string[] = [];
    for (let n = 0; n < 7; n++)
      made.unshift((await scrape(`/text?n=${n}`, { router: { tags: { set: tag } } })).id!);
    const whole = await list(`tag=set:${tag}`);
    assert.deepEqual(
      whole.items.map((item) => item.id),
      made,
    );
    assert.equal(whole.next_cursor, null);
    const paged: string[] = [];
    let cursor: string | null = null;
    let pages = 0;
    do {
      const page: RecordList = await list(
        `tag=set:${tag}&limit=3${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
      );
      assert.ok(page.items.length <= 3);
      paged.push(...page.items.map((item) => item.id));
      cursor = page.next_cursor;
      pages++;
    } while (cursor !== null);
    assert.deepEqual(paged, made);
    assert.equal(pages, 3);
    const line: RecordLine = whole.items[0]!;
    assert.equal(line.url, `${site.url}/text?n=6`);
    assert.equal(line.host, '127.0.0.1');
    assert.equal(line.method, 'GET');
    assert.equal(line.requested_scraper, 'http');
    assert.equal(line.scraper, 'http');
    assert.equal(line.http_status, 200);
    assert.equal(line.status_code, 200);
    assert.equal(line.outcome, 'ok');
    assert.equal(line.error_code, null);
    assert.equal(line.content_bytes, Buffer.byteLength('plain text\n'));
    assert.equal(line.request_cost, null);
    assert.deepEqual(line.tags, { set: tag });
    assert.equal(line.has_screenshot, false);
    assert.ok(line.duration_ms >= 0);
  });

  test('a page that is not the last has X-Searched-To', async () => {
    for (let n = 0; n < 2; n++) await scrape(`/text?far=${n}`, { router: { tags: { set: 'far' } } });
    const first = await service.api<RecordList>('GET', `${SCRAPE}?tag=set:far&limit=1`);
    assert.equal(first.headers.get('x-searched-to'), first.body.items[0]!.created_at);
    const last = await service.api<RecordList>('GET', `${SCRAPE}?tag=set:far`);
    assert.equal(last.headers.get('x-searched-to'), null);
    const { responses } = openApi().paths[SCRAPE]!.get!;
    assert.ok(responses['200']!.headers?.['X-Searched-To'], 'the description of the API has it too');
  });

  test('each filter alone, and together', async () => {
    const tags = { tags: { set: 'filters', 'odd name': 'a:b', 'odd:name': 'c' } };
    const from = new Date(Date.now() - 1).toISOString();
    const ok = (await scrape('/text', { router: tags, scraper: 'http' })).id!;
    const missing = (await scrape('/status/404', { router: tags })).id!;
    const failed = (await service.scrape({ url: 'http://127.0.0.1:1/', scraper: 'http', router: tags })).body
      .id!;
    const ids = async (query: string) =>
      (await list(`tag=set:filters&${query}`)).items.map((item) => item.id);
    assert.deepEqual(await ids(''), [failed, missing, ok]);
    assert.deepEqual(await ids('status=404'), [missing]);
    assert.deepEqual(await ids('outcome=ok'), [ok]);
    assert.deepEqual(await ids('outcome=target_error'), [missing]);
    assert.deepEqual(await ids('error_code=connect.refused'), [failed]);
    assert.deepEqual(await ids('scraper=http'), [failed, missing, ok]);
    assert.deepEqual(await ids('host=127.0.0.1'), [failed, missing, ok]);
    assert.deepEqual(await ids('host=127.1'), [failed, missing, ok], 'as the URL parser reads it');
    assert.deepEqual(await ids(`host=${new URL(site.url).host}`), [missing, ok], 'a port is that port');
    assert.deepEqual(await ids('host=127.0.0.1:1'), [failed]);
    assert.deepEqual(await ids('host=127.0.0.1:80'), []);
    assert.deepEqual(await ids('host=example.com'), []);
    assert.deepEqual(await ids('path=/Status'), [missing], 'in any case');
    assert.deepEqual(await ids('path=404'), [missing]);
    assert.deepEqual(await ids('path=127.0'), [], 'not of the host');
    assert.deepEqual(await ids(`ids=${ok},${failed.toUpperCase()}`), [failed, ok]);
    assert.deepEqual(await ids(`from=${from}`), [failed, missing, ok]);
    assert.deepEqual(await ids(`to=${from}`), []);
    assert.deepEqual(await ids(`from=${new Date(Date.now() + 60_000).toISOString()}`), []);
    assert.deepEqual(await ids('outcome=ok&status=404'), []);
    const { key_id } = (await list('tag=set:filters')).items[0]!;
    assert.deepEqual(await ids(`key_id=${key_id}`), [failed, missing, ok]);
    assert.deepEqual(await ids('key_id=nobody'), []);
    const odd = await list(`tag=${encodeURIComponent('odd name:a:b')}`);
    assert.equal(odd.items.length, 3);
    assert.equal((await list('tag=odd:name:c')).items.length, 3, 'a name may have a colon, too');
  });

  test('totals of what a filter matches, over time, and exported by id', async () => {
    const tags = { tags: { set: 'totals' } };
    await scrape('/text', { router: tags });
    await scrape('/text?2', { router: tags });
    const failed = (await service.scrape({ url: 'http://127.0.0.1:1/', router: tags })).body.id!;
    const totals = async (query: string) =>
      (await service.api<Loose>('GET', `${SCRAPE}totals/?${query}`)).body;
    const all = await totals('tag=set:totals');
    assert.deepEqual(
      [all.scrapes, all.outcomes.ok, all.outcomes.failed, all.content_bytes, all.cost, all.unpriced],
      [3, 2, 1, 22, null, 3],
    );
    assert.deepEqual([all.cost_unit, all.searched_to, all.next_cursor], ['effort', null, null]);
    const inSteps = (all.steps as { outcomes: { ok: number } }[]).map(({ outcomes }) => outcomes.ok);
    assert.deepEqual([all.step_seconds, inSteps.reduce((a, b) => a + b, 0)], [60, 2]);
    assert.equal((await totals('tag=set:totals&path=?2')).scrapes, 1);
    assert.equal((await totals('tag=set:nothing')).scrapes, 0);
    assert.equal((await totals('cursor=x')).code, 'request.validation');
    const lines = await service.api('GET', `${SCRAPE}export/?format=csv&ids=${failed}`);
    assert.equal(lines.text.trim().split('\r\n').length, 2);
  });

  test('the pages of two records are compared by lines, without fetching', async () => {
    const [a, b] = [await scrape('/echo?one'), await scrape('/echo?two')];
    const compared = async (id: string, query: string) =>
      await service.api<Loose>('GET', `${SCRAPE}${id}/compare/?${query}`);
    const { body } = await compared(b.id!, `before=${a.id}`);
    assert.equal(body.state, 'changed');
    assert.equal(body.previous_id, a.id);
    assert.match(body.diff, /^-.*one.*$/m);
    assert.match(body.diff, /^\+.*two.*$/m);
    assert.equal((await compared(a.id!, `before=${a.id}`)).body.state, 'same');
    const { id } = (await service.scrape({ url: 'http://127.0.0.1:1/' })).body;
    const none = (await compared(id!, `before=${a.id}&format=markdown`)).body;
    assert.deepEqual([none.state, none.reason], ['error', 'no_content']);
    for (const query of ['', 'before=x', `before=${a.id}&format=screenshot`])
      assert.ok([400, 404].includes((await compared(b.id!, query)).status), query);
    const other = { key: (await createUser(service, { email: 'compares@example.com' })).key };
    const path = `${SCRAPE}${b.id}/compare/?before=${a.id}`;
    assert.equal((await service.api('GET', path, other)).status, 404);
  });

  test('wrong queries are refused with a pointer or a name', async () => {
    for (const query of [
      'limit=0',
      'limit=201',
      'limit=x',
      'cursor=nonsense',
      'from=yesterday',
      'status=abc',
      'host=http://site.test/',
      'unknown=1',
      'tag=notag',
      'ids=x',
      `path=${'x'.repeat(501)}`,
    ]) {
      const { status, body } = await service.api<{ code: string; detail: string }>(
        'GET',
        `${SCRAPE}?${query}`,
      );
      assert.equal(status, 400, query);
      assert.equal(body.code, 'request.validation');
    }
  });

  test('delete: 204, then 404 everywhere; unknown and malformed ids are 404', async () => {
    const { id } = await scrape('/html/400000');
    assert.equal((await service.api('DELETE', `${SCRAPE}${id}/`)).status, 204);
    for (const [method, part] of [
      ['GET', ''],
      ['GET', 'request/'],
      ['DELETE', ''],
    ] as const)
      assert.equal((await service.api(method, `${SCRAPE}${id}/${part}`)).status, 404, `${method} ${part}`);
    assert.ok(!(await list('limit=200')).items.some((item) => item.id === id));
    for (const other of ['0190a000-0000-7000-8000-000000000000', 'x', `${id}x`, '..%2f'])
      assert.equal((await service.api('GET', `${SCRAPE}${other}/`)).status, 404, other);
  });

  test('records of other users are 404, also for a key with every scope', async () => {
    const { key } = await createUser(service, { email: 'other@example.com', role: 'admin' });
    const mine = await scrape('/text');
    for (const [method, part] of [
      ['GET', ''],
      ['GET', 'request/'],
      ['DELETE', ''],
    ] as const) {
      const reply = await service.api(method, `${SCRAPE}${mine.id}/${part}`, { key });
      assert.equal(reply.status, 404, `${method} ${part}`);
    }
    assert.deepEqual((await service.api<RecordList>('GET', SCRAPE, { key })).body.items, []);
    assert.equal((await record(mine.id)).status, 200, 'and it is still there');
  });
});
