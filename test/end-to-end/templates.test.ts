import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { eventually, startService, useService } from '../helpers/service.ts';
import { createUser } from '../helpers/users.ts';
import type { Problem } from '../helpers/wire-types.ts';
import { useTarget } from './text-target.ts';

interface Template extends Problem {
  readonly name: string;
  readonly rules: object;
  readonly version: number;
  readonly updated_at: string;
}

describe('templates', () => {
  const service = useService();
  const target = useTarget({ '/page': ['text/html', '<h1>One</h1><p class="price">5,50 EUR</p>'] });
  /** A key of another user. */
  let other = '';
  before(async () => {
    other = (await createUser(service)).key;
  });
  const path = '/api/v1/templates/';
  const create = (name: string, rules: unknown, options: object = {}) =>
    service.api<Template>('POST', path, { body: { name, rules }, ...options });
  const change = (name: string, rules: unknown, options: object = {}) =>
    service.api<Template>('PATCH', `${path}${name}/`, { body: { rules }, ...options });
  const remove = (name: string) => service.api<Problem>('DELETE', `${path}${name}/`);
  const scrape = (extract: unknown, more: object = {}) =>
    service.scrape({ url: `${target.url}/page`, scraper: 'http', scraper_options: { extract }, ...more });
  const dataOf = ({ scraper_data: data }: { scraper_data: unknown }) => data as Record<string, unknown>;

  const PRICE = { price: { selector: '.price', transform: 'number' } };

  test('are created, listed, changed and deleted', async () => {
    const made = await create('product', PRICE);
    assert.equal(made.status, 201, made.text);
    const { updated_at: at, ...rest } = made.body;
    assert.deepEqual(rest, { name: 'product', rules: PRICE, version: 1 });
    assert.match(at, /^\d{4}-\d\d-\d\dT.*Z$/);
    assert.deepEqual((await service.api('GET', `${path}product/`)).body, made.body);
    assert.equal((await create('article', { title: 'h1' })).status, 201);
    const list = await service.api<{ items: Template[] }>('GET', path);
    assert.deepEqual(
      list.body.items.map(({ name }) => name),
      ['article', 'product'],
    );
    const changed = await change('product', { title: '//h1' });
    assert.equal(changed.status, 200);
    assert.deepEqual([changed.body.version, changed.body.rules], [2, { title: '//h1' }]);
    assert.equal((await remove('product')).status, 204);
    assert.equal((await remove('article')).status, 204);
    for (const gone of [await remove('product'), await change('product', PRICE)])
      assert.deepEqual([gone.status, gone.body.code], [404, 'request.not_found']);
    assert.equal((await service.api('GET', `${path}product/`)).status, 404);
  });

  test('what is wrong with them is refused with a pointer', async () => {
    await create('taken', PRICE);
    const WRONG: readonly (readonly [body: object, pointer: string])[] = [
      [{ name: 'taken', rules: PRICE }, '/name'],
      [{ name: '', rules: PRICE }, '/name'],
      [{ name: 'a/b', rules: PRICE }, '/name'],
      [{ name: 'x'.repeat(65), rules: PRICE }, '/name'],
      [{ rules: PRICE }, '/name'],
      [{ name: 'a' }, '/rules'],
      [{ name: 'a', rules: {} }, '/rules'],
      [{ name: 'a', rules: 'template:taken' }, '/rules'],
      [{ name: 'a', rules: { t: 'p[' } }, '/rules/t'],
      [{ name: 'a', rules: { t: { selector: '//p[' } } }, '/rules/t/selector'],
      [{ name: 'a', rules: { t: { selector: 'p', regex: '(' } } }, '/rules/t/regex'],
      [{ name: 'a', rules: PRICE, version: 1 }, '/version'],
      [
        {
          name: 'a',
          rules: Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`r${n}`, `.${'x'.repeat(1800)}`])),
        },
        '/rules',
      ],
    ];
    for (const [body, pointer] of WRONG) {
      const refused = await service.api<Problem>('POST', path, { body });
      assert.equal(refused.status, 400, JSON.stringify(body).slice(0, 100));
      assert.equal(refused.body.errors[0]!.pointer, pointer, refused.text.slice(0, 300));
    }
    const changed = await change('taken', { t: 'p[' });
    assert.deepEqual([changed.status, changed.body.errors[0]!.pointer], [400, '/rules/t']);
    assert.equal((await service.api<Template>('GET', `${path}taken/`)).body.version, 1);
    await remove('taken');
  });

  test('a scrape uses the rules as they are when it is accepted, and names the version', async () => {
    await create('product', PRICE);
    const first = await scrape('template:product');
    assert.equal(first.status, 200);
    assert.deepEqual(dataOf(first.body).extract, { price: 5.5 });
    assert.deepEqual(dataOf(first.body).extract_template, { name: 'product', version: 1 });
    await change('product', { title: 'h1' });
    const second = await scrape('template:product');
    assert.deepEqual(dataOf(second.body).extract, { title: 'One' });
    assert.deepEqual(dataOf(second.body).extract_template, { name: 'product', version: 2 });
    const stored = await service.api<typeof first.body>('GET', `/api/v1/scrape/${first.body.id}/`);
    assert.deepEqual(dataOf(stored.body), dataOf(first.body));
    const sent = await service.api<{ scraper_options: object }>(
      'GET',
      `/api/v1/scrape/${first.body.id}/request/`,
    );
    assert.deepEqual(sent.body.scraper_options, { extract: 'template:product' });
    const again = await service.api<typeof first.body>('POST', `/api/v1/scrape/${first.body.id}/read/`, {
      body: { extract: 'template:product' },
    });
    assert.equal(again.status, 200, again.text);
    assert.deepEqual(dataOf(again.body), {
      extract: { title: 'One' },
      extract_template: { name: 'product', version: 2 },
    });
    assert.equal(dataOf((await scrape({ a: 'h1' })).body).extract_template, undefined);
    await remove('product');
  });

  test('a template that does not exist is 422; a body that is wrong is 400 first', async () => {
    const unknown = await scrape('template:none');
    assert.deepEqual([unknown.status, unknown.body.code], [422, 'template.unknown']);
    assert.equal(unknown.body.errors[0]!.pointer, '/scraper_options/extract');
    const wrong = await scrape('template:none', { timeout_ms: 1 });
    assert.deepEqual([wrong.status, wrong.body.errors[0]!.pointer], [400, '/timeout_ms']);
    for (const text of ['none', 'template:', 'template:a b']) {
      const refused = await scrape(text);
      assert.deepEqual(
        [refused.status, refused.body.errors[0]!.pointer],
        [400, '/scraper_options/extract'],
        text,
      );
    }
    const { body } = await scrape({ a: 'h1' });
    const read = await service.api<Problem>('POST', `/api/v1/scrape/${body.id}/read/`, {
      body: { extract: 'template:none' },
    });
    assert.deepEqual(
      [read.status, read.body.code, read.body.errors[0]!.pointer],
      [422, 'template.unknown', '/extract'],
    );
  });

  test('jobs keep the rules that they were accepted with', async () => {
    await create('product', PRICE);
    const request = {
      url: `${target.url}/page`,
      scraper: 'http',
      scraper_options: { extract: 'template:product' },
    };
    const accepted = await service.api<{ id: string }>('POST', '/api/v1/scrape/', {
      body: request,
      headers: { prefer: 'respond-async' },
    });
    assert.equal(accepted.status, 202, accepted.text);
    const batch = await service.api<{ id: string }>('POST', '/api/v1/batches/', {
      body: { requests: [{ url: request.url }, request], defaults: { ...request, url: undefined } },
    });
    assert.equal(batch.status, 202, batch.text);
    await change('product', { title: 'h1' });
    const scraped = await service.api<{ scraper_data: unknown }>(
      'GET',
      `/api/v1/scrape/${accepted.body.id}/?wait_ms=20000`,
    );
    const expected = { extract: { price: 5.5 }, extract_template: { name: 'product', version: 1 } };
    const { charset: _, ...data } = dataOf(scraped.body);
    assert.deepEqual(data, expected);
    const found = await eventually(async () => {
      const { body } = await service.api<{ items: { id: string }[] }>(
        'GET',
        `/api/v1/scrape/?tag=job:${batch.body.id}`,
      );
      return body.items.length === 2 ? body.items : null;
    });
    for (const { id } of found) {
      const { body } = await service.api<{ scraper_data: unknown }>('GET', `/api/v1/scrape/${id}/`);
      const { charset: _charset, ...ofItem } = dataOf(body);
      assert.deepEqual(ofItem, expected);
    }
    const refused = await service.api<Problem>('POST', '/api/v1/batches/', {
      body: { requests: [{ url: request.url, scraper_options: { extract: 'template:none' } }] },
    });
    assert.deepEqual(
      [refused.status, refused.body.code, refused.body.errors[0]!.pointer],
      [422, 'template.unknown', '/requests/0/scraper_options/extract'],
    );
    await remove('product');
  });

  test('belong to their user, and need the scopes', async () => {
    await create('mine', PRICE);
    const key = other;
    assert.equal((await service.api('GET', `${path}mine/`, { key })).status, 404);
    assert.deepEqual((await service.api<{ items: unknown[] }>('GET', path, { key })).body.items, []);
    const made = await service.api<{ key: string }>('POST', '/api/v1/keys/', {
      body: { name: 'reader', scopes: ['read'] },
    });
    const reader = { key: made.body.key };
    assert.equal((await service.api('GET', `${path}mine/`, reader)).status, 200);
    assert.equal((await create('other', PRICE, reader)).body.code, 'auth.scope');
    assert.equal((await change('mine', PRICE, reader)).body.code, 'auth.scope');
    await remove('mine');
  });

  test('a user has at most 100', async () => {
    const key = other;
    for (let n = 0; n < 100; n++) assert.equal((await create(`t${n}`, PRICE, { key })).status, 201);
    const refused = await create('t100', PRICE, { key });
    assert.deepEqual([refused.status, refused.body.code], [429, 'limit.templates']);
    assert.equal((await change('t5', { a: 'b' }, { key })).status, 200);
    await service.api('DELETE', `${path}t5/`, { key });
    assert.equal((await create('t100', PRICE, { key })).status, 201);
  });

  test('survive the death of the process', async () => {
    await using own = await startService();
    const body = { name: 'kept', rules: PRICE };
    assert.equal((await own.api('POST', path, { body })).status, 201);
    await own.kill9();
    await using again = await startService({}, { dataDir: own.dataDir });
    assert.equal((await again.api<Template>('GET', `${path}kept/`)).body.version, 1);
    await again.stop();
  });
});
