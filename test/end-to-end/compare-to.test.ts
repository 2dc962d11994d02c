import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { describe, test } from 'node:test';
import { useService } from '../helpers/service.ts';
import { article, NOT_THE_PAGE, PARAGRAPH, useChangingSite } from './monitoring.ts';

interface ScrapeChange {
  readonly state: string;
  readonly reason: string | null;
  readonly previous_id: string | null;
  readonly added: number;
  readonly diff: string | null;
  readonly fields: readonly unknown[];
}

interface Answer {
  readonly id: string;
  readonly scraper_data: { readonly change?: ScrapeChange };
  readonly errors: readonly { readonly code: string; readonly pointer?: string; readonly details?: object }[];
}

const page = (text: string): string => article(`${PARAGRAPH}<p>${text}</p>`);

describe('compare_to', () => {
  const site = useChangingSite();
  const service = useService();

  async function scrape(path: string, members: Readonly<Record<string, unknown>> = {}, status = 200) {
    const { router = {}, ...others } = members as { router?: object };
    const body = {
      url: site.url + path,
      scraper: 'http',
      router: { compare_to: { record: 'last' }, ...router },
      ...others,
    };
    const { status: got, body: answer } = await service.api('POST', '/api/v1/scrape/', { body });
    assert.equal(got, status, JSON.stringify(answer));
    return answer as Answer;
  }
  const changeOf = async (...request: Parameters<typeof scrape>): Promise<ScrapeChange> =>
    (await scrape(...request)).scraper_data.change!;

  test('the latest record of the same URL is compared, and the change is stored with the record', async () => {
    site.set('/news', page('The bridge stays closed.'));
    const first = await scrape('/news');
    assert.partialDeepStrictEqual(first.scraper_data.change, {
      state: 'first',
      reason: null,
      previous_id: null,
    });
    const same = await scrape('/news?utm_source=letter');
    assert.partialDeepStrictEqual(same.scraper_data.change, { state: 'same', previous_id: first.id });
    site.set('/news', page('The bridge is open again.'));
    const changed = await scrape('/news');
    const change = changed.scraper_data.change!;
    assert.deepEqual([change.state, change.previous_id, change.added], ['changed', same.id, 1]);
    assert.match(change.diff!, /^-The bridge stays closed\.\n\+The bridge is open again\.$/m);
    const { body } = await service.api('GET', `/api/v1/scrape/${changed.id}/`);
    assert.deepEqual((body as Answer).scraper_data.change, change);
    assert.equal((await changeOf('/news?id=2')).state, 'first', 'another URL');
    const ignored = { compare_to: { record: first.id, ignore: ['/The bridge .*/'] } };
    assert.partialDeepStrictEqual(await changeOf('/news', { router: ignored }), {
      state: 'same',
      previous_id: first.id,
    });
    const ofPart = { compare_to: { record: first.id, selector: 'h1', format: 'text' } };
    assert.equal((await changeOf('/news', { router: ofPart })).state, 'same');
  });

  test('method, country, device and tag must be the same', async () => {
    site.set('/identity', page('One.'));
    const { id } = await scrape('/identity', { router: { tags: { list: 'a' } } });
    const tagged = (tag: string) => ({ router: { compare_to: { record: 'last', tag } } });
    assert.equal((await changeOf('/identity', tagged('list:b'))).state, 'first');
    assert.equal((await changeOf('/identity', tagged('list:a'))).previous_id, id);
    assert.equal((await changeOf('/identity', { method: 'POST', data: 'x' })).state, 'first');
    const refused = async (path: string, members: object) => {
      const { errors } = await scrape(path, members as Readonly<Record<string, unknown>>, 400);
      return [errors[0]!.pointer, JSON.stringify(errors[0])] as const;
    };
    const named = { compare_to: { record: id } };
    for (const [path, members, what] of [
      ['/news', { router: named }, 'URL'],
      ['/identity', { router: named, method: 'POST', data: 'x' }, 'method'],
      ['/identity', { router: { compare_to: { record: id, tag: 'list:b' } } }, 'tag'],
    ] as const) {
      const [pointer, text] = await refused(path, members);
      assert.equal(pointer, '/router/compare_to/record');
      assert.match(text, new RegExp(`another ${what}`));
    }
  });

  test('gone, back, errors, and records without content', async () => {
    site.set('/states', page('There.'));
    const { id } = await scrape('/states');
    site.set('/states', '<title>Error</title><h1>Internal error</h1>', 500);
    const failed = await changeOf('/states');
    assert.deepEqual([failed.state, failed.previous_id], ['error', id]);
    site.remove('/states');
    assert.deepEqual(
      [(await changeOf('/states')).state, (await changeOf('/states')).state],
      ['gone', 'same'],
    );
    site.set('/states', page('There.'));
    const back = await changeOf('/states');
    assert.deepEqual([back.state, back.previous_id], ['back', id]);

    site.set('/bare', page('Bare.'));
    const { id: bare } = await scrape('/bare', { router: { retain: 'metadata' } });
    assert.partialDeepStrictEqual(await changeOf('/bare', { router: { retain: 'metadata' } }), {
      state: 'first',
      reason: 'record.no_content',
      previous_id: null,
    });
    const { errors } = await scrape('/bare', { router: { compare_to: { record: bare } } }, 422);
    assert.partialDeepStrictEqual(errors[0], {
      code: 'record.no_content',
      pointer: '/router/compare_to/record',
      details: { reason: 'retain' },
    });
    const unknown = '01970000-0000-7000-8000-000000000000';
    const missing = await service.api('POST', '/api/v1/scrape/', {
      body: { url: `${site.url}/bare`, router: { compare_to: { record: unknown } } },
    });
    assert.ok([404, 410].includes(missing.status), JSON.stringify(missing.body));
  });

  for (const [what, reason, answerOf] of NOT_THE_PAGE)
    test(`an answer that is ${what} is an error, and never compared with`, async () => {
      const path = `/not-the-page/${encodeURIComponent(what)}`;
      const html = page('It is whole.');
      const router = { max_attempts: 1, compare_to: { record: 'last' } };
      site.set(path, html);
      const { id } = await scrape(path, { router });
      site.answer(path, answerOf(html));
      for (const format of ['markdown', 'text', 'main_html']) {
        const change = await changeOf(path, {
          router: { ...router, compare_to: { record: 'last', format } },
        });
        assert.deepEqual([change.state, change.reason, change.previous_id], ['error', reason, id], format);
      }
      site.set(path, html);
      const again = await changeOf(path, { router });
      assert.deepEqual([again.state, again.previous_id], ['same', id]);
    });

  test('bytes and data of pages that are cut or empty are not compared', async () => {
    const members = {
      scraper_options: { extract: { price: '.price' } },
      router: { max_attempts: 1, compare_to: { record: 'last', format: 'extract' } },
    };
    const bytes = { router: { max_attempts: 1, compare_to: { record: 'last', format: 'bytes' } } };
    for (const [n, [what, reason, answerOf]] of NOT_THE_PAGE.entries()) {
      // A page that ends within its markup is what it is, as bytes.
      if (reason === 'incomplete' || what === 'white space') continue;
      const path = `/raw/${n}`;
      site.set(path, page('<b class="price">40</b>'));
      const { id } = await scrape(path, members);
      site.answer(path, answerOf(page('<b class="price">45</b>')));
      const isHollow = ['a frame without anything', 'waiting for its scripts'].includes(what);
      for (const request of isHollow ? [members] : [members, bytes])
        assert.equal((await changeOf(path, request)).state, 'error', `${what} ${JSON.stringify(request)}`);
      site.set(path, page('<b class="price">45</b>'));
      const change = await changeOf(path, members);
      assert.deepEqual([change.state, change.previous_id], ['changed', id], what);
    }
  });

  test('the part that a request asks for is compared', async () => {
    const part = (text: string) => (response: ServerResponse) =>
      void response
        .writeHead(206, { 'content-type': 'text/plain', 'content-range': 'bytes 0-9/90' })
        .end(text);
    const members = { headers: { Range: 'bytes=0-9' } };
    site.answer('/part', part('the first.'));
    await scrape('/part', members);
    site.answer('/part', part('the other.'));
    assert.equal((await changeOf('/part', members)).state, 'changed');
  });

  test('data is compared by its fields', async () => {
    const members = {
      scraper_options: { extract: { price: '.price' } },
      router: { compare_to: { record: 'last', format: 'extract' } },
    };
    site.set('/price', page('<b class="price">40</b>'));
    await scrape('/price', members);
    site.set('/price', page('<b class="price">45</b>'));
    assert.deepEqual((await changeOf('/price', members)).fields, [
      { path: '/price', before: '40', after: '45' },
    ]);
  });

  test('what cannot be compared is refused', async () => {
    const url = `${site.url}/news`;
    const last = { record: 'last' };
    const cases: readonly [compareTo: object, pointer: string][] = [
      [{}, '/router/compare_to/record'],
      [{ record: 'first' }, '/router/compare_to/record'],
      [{ ...last, format: 'extract' }, '/router/compare_to/format'],
      [{ ...last, format: 'screenshot' }, '/router/compare_to/format'],
      [{ ...last, format: 'bytes', selector: 'p' }, '/router/compare_to/selector'],
      [{ ...last, ignore: ['/(/'] }, '/router/compare_to/ignore/0'],
      [{ ...last, ignore: ['p['] }, '/router/compare_to/ignore/0'],
      [{ ...last, selector: 'p[' }, '/router/compare_to/selector'],
      [{ ...last, tag: 'list' }, '/router/compare_to/tag'],
    ];
    const pointerOf = ({ body }: { body: unknown }) => (body as Answer).errors[0]!.pointer;
    for (const [compareTo, pointer] of cases) {
      const refused = await service.api('POST', '/api/v1/scrape/', {
        body: { url, router: { compare_to: compareTo } },
      });
      assert.equal(refused.status, 400, JSON.stringify(compareTo));
      assert.equal(pointerOf(refused), pointer);
    }
    const request = { url, router: { compare_to: last } };
    const later = await service.api('POST', '/api/v1/scrape/', {
      body: request,
      headers: { prefer: 'respond-async' },
    });
    assert.deepEqual([later.status, pointerOf(later)], [400, '/router/compare_to']);
    const batch = await service.api('POST', '/api/v1/batches/', { body: { requests: [request] } });
    assert.deepEqual([batch.status, pointerOf(batch)], [400, '/requests/0/router/compare_to']);
  });

  test('it needs the scope read', async () => {
    const made = await service.api('POST', '/api/v1/keys/', { body: { name: 'writer', scopes: ['scrape'] } });
    const { key } = made.body as { key: string };
    const refused = await service.api('POST', '/api/v1/scrape/', {
      body: { url: `${site.url}/news`, router: { compare_to: { record: 'last' } } },
      headers: { authorization: `Bearer ${key}` },
    });
    assert.deepEqual([refused.status, (refused.body as Answer).errors[0]!.code], [403, 'auth.scope']);
  });
});
