import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { useService } from '../helpers/service.ts';
import type { ErrorEntry, Problem } from '../helpers/wire-types.ts';
import { useTarget } from './text-target.ts';

// biome-ignore lint/suspicious/noExplicitAny: the OpenAPI file says what the members are, and the client checks it.
type Data = Record<string, any>;

const PRODUCT = `<!doctype html><html lang="en"><title>Anvil</title>
<script type="application/ld+json">{"@type":"Product","name":"Anvil","offers":{"price":"99.50","priceCurrency":"EUR"}}</script>
<h1>Anvil</h1><dl><dt>Weight<dd>9 kg</dl></html>`;
const SCHEMA = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    price: { type: 'number' },
    weight: { type: 'number' },
    colour: { type: 'string' },
  },
  required: ['name', 'colour'],
};

describe('the format json, without a model', () => {
  const service = useService();
  const target = useTarget({
    '/product': ['text/html; charset=utf-8', PRODUCT],
    '/api': ['application/json', '{"data":{"product":{"name":"Anvil","price":99.5},"tags":["a","b"]}}'],
    '/text': ['text/plain', 'Name: Anvil\nPrice: 99.50'],
    '/xml': ['application/xml', '<a><name>Anvil</name></a>'],
    '/image': ['image/png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1])],
    '/slow': ['text/html', `<p>Name: ${'a'.repeat(200)}!</p>`],
  });
  const scrape = async (path: string, scraper_options: object) => {
    const { status, body } = await service.scrape({
      url: target.url + path,
      scraper: 'http',
      scraper_options,
    });
    return { status, body, data: body.scraper_data as Data };
  };
  const refused = async (scraper_options: object) => {
    const { status, body } = await scrape('/product', scraper_options);
    return [status, body.code, body.errors?.[0]?.pointer];
  };

  test('the option asks for the format; what is missing is told, and where the rest stands', async () => {
    const { body, data } = await scrape('/product', { json: { schema: SCHEMA } });
    assert.deepEqual(data.json, {
      value: { name: 'Anvil', price: 99.5, weight: 9 },
      valid: false,
      missing: ['/colour'],
      invalid: [],
      sources: {
        '/name': { from: 'json_ld', path: '/json_ld/0/name' },
        '/price': { from: 'json_ld', path: '/json_ld/0/offers/price' },
        '/weight': { from: 'text', selector: 'dd' },
      },
      model: null,
    });
    assert.equal(body.router.outcome, 'ok', 'a page that says nothing of it is no error');
    const named = await scrape('/product', { formats: ['json', 'text'], json: { schema: SCHEMA } });
    assert.deepEqual(named.data.json, data.json);
  });

  test('JSON, text, XML, bytes', async () => {
    const schema = {
      type: 'object',
      properties: {
        product: { type: 'object', properties: { name: { type: 'string' }, price: { type: 'number' } } },
        name: { type: 'string' },
        price: { type: 'number' },
      },
    };
    const ofJson = (await scrape('/api', { json: { schema: { ...schema, properties: { data: schema } } } }))
      .data;
    assert.deepEqual(ofJson.json.value, { data: { product: { name: 'Anvil', price: 99.5 }, price: 99.5 } });
    assert.deepEqual(ofJson.json.sources['/data/product/price'], {
      from: 'text',
      path: '/data/product/price',
    });
    const ofText = (await scrape('/text', { json: { schema } })).data;
    assert.deepEqual(ofText.json.value, { name: 'Anvil', price: 99.5 });
    assert.deepEqual((await scrape('/xml', { json: { schema } })).data.json.value, {});
    assert.equal((await scrape('/image', { json: { schema } })).data.json, null);
  });

  test('what cannot be done is refused, with its pointer', async () => {
    const invalid = (pointer: string) => [400, 'request.validation', pointer];
    assert.deepEqual(await refused({ formats: ['json'] }), invalid('/scraper_options/formats/0'));
    assert.deepEqual(await refused({ json: { from: 'text' } }), invalid('/scraper_options/json'));
    const schemaPointer = '/scraper_options/json/schema';
    for (const schema of [
      { type: 'nothing' },
      { $ref: 'https://site.test/schema.json' },
      { $schema: 'http://json-schema.org/draft-07/schema#' },
      { type: 'string', pattern: '(' },
      { description: 'x'.repeat(40_000) },
      Array.from({ length: 60 }).reduce<object>((items) => ({ items }), {}),
    ])
      assert.deepEqual(
        await refused({ json: { schema } }),
        invalid(schemaPointer),
        JSON.stringify(schema).slice(0, 80),
      );
    const model = [422, 'scraper.unsupported_option', '/scraper_options/json'];
    assert.deepEqual(await refused({ json: { prompt: 'the price' } }), model);
    assert.deepEqual(await refused({ json: { schema: SCHEMA, model: 'always' } }), model);
    assert.deepEqual(
      await refused({ json: { prompt: 'the price', model: 'never' } }),
      invalid('/scraper_options/json/model'),
    );
  });

  test('a pattern that never ends is ended', async () => {
    const schema = { type: 'object', properties: { name: { type: 'string', pattern: '^(a+)+$' } } };
    const { body, data } = await scrape('/slow', { json: { schema } });
    assert.equal(data.json, null);
    assert.deepEqual(
      body.errors?.map(({ code, pointer }) => [code, pointer]),
      [['extract.failed', '/scraper_options/json']],
    );
    assert.equal(body.router.outcome, 'partial');
  });

  test('of a stored page, with the scopes read and scrape', async () => {
    const { body } = await scrape('/product', {});
    const path = `/api/v1/scrape/${body.id}/read/`;
    type Read = Problem & { readonly scraper_data: Data; readonly errors: ErrorEntry[] };
    const read = await service.api<Read>('POST', path, { body: { json: { schema: SCHEMA } } });
    assert.equal(read.status, 200, read.text);
    assert.deepEqual(read.body.scraper_data.json.value, { name: 'Anvil', price: 99.5, weight: 9 });
    const refusedRead = async (json: object) => {
      const { status, body: problem } = await service.api<Read>('POST', path, { body: { json } });
      return [status, problem.code, problem.errors[0]?.pointer];
    };
    assert.deepEqual(await refusedRead({ schema: { type: 1 } }), [400, 'request.validation', '/json/schema']);
    assert.deepEqual(await refusedRead({ prompt: 'x' }), [422, 'scraper.unsupported_option', '/json']);
    const key = await service.api<{ key: string }>('POST', '/api/v1/keys/', {
      body: { name: 'reader', scopes: ['read'] },
    });
    const asReader = { body: { json: { schema: SCHEMA } }, key: key.body.key };
    const { status, body: problem } = await service.api<Read>('POST', path, asReader);
    assert.deepEqual([status, problem.code], [403, 'auth.scope']);
  });
});
