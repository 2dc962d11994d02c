import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { useService } from '../helpers/service.ts';
import { createUser } from '../helpers/users.ts';
import type { Problem } from '../helpers/wire-types.ts';

interface SavedRequest extends Problem {
  readonly id: string;
  readonly name: string;
  readonly request: object;
  readonly updated_at: string;
}

describe('saved requests', () => {
  const service = useService();
  const path = '/api/v1/saved-requests/';
  const save = (name: unknown, request: unknown, options: object = {}) =>
    service.api<SavedRequest>('POST', path, { body: { name, request }, ...options });
  const list = async (options: object = {}) =>
    (await service.api<{ items: SavedRequest[] }>('GET', path, options)).body.items;
  /** A key of another user. */
  let other = '';
  before(async () => {
    other = (await createUser(service)).key;
  });

  test('are saved with masked secrets, listed, replaced and deleted', async () => {
    const request = {
      url: 'https://example.com/prices',
      headers: { Authorization: 'Bearer abc', 'X-Shop': 'two' },
      scraper_options: { formats: ['markdown'] },
      timeout_ms: null,
    };
    const made = await save('Prices / Ä', request);
    assert.equal(made.status, 201, made.text);
    const masked = { ...request, headers: { Authorization: '***', 'X-Shop': 'two' } };
    assert.deepEqual(
      [made.body.name, made.body.request],
      ['Prices / Ä', masked],
      'as it was sent, apart from secrets',
    );
    assert.match(made.body.updated_at, /^\d{4}-\d\d-\d\dT.*Z$/);
    assert.deepEqual(await list(), [made.body]);
    assert.deepEqual(await list({ key: other }), [], 'they belong to their user');

    const again = await save('Prices / Ä', { url: 'https://example.com/' });
    assert.deepEqual([again.status, again.body.id], [201, made.body.id]);
    assert.deepEqual(await list(), [again.body]);

    const remove = (options: object = {}) => service.api('DELETE', `${path}${made.body.id}/`, options);
    assert.equal((await remove({ key: other })).status, 404);
    assert.equal((await remove()).status, 204);
    assert.equal((await remove()).status, 404);
    assert.deepEqual(await list(), []);
  });

  test('invalid ones are refused with a pointer', async () => {
    const url = 'https://example.com/';
    const WRONG: readonly (readonly [name: unknown, request: unknown, pointer: string, code?: string])[] = [
      ['', { url }, '/name'],
      [' a', { url }, '/name'],
      ['a\nb', { url }, '/name'],
      ['a'.repeat(65), { url }, '/name'],
      ['a', undefined, '/request'],
      ['a', [], '/request'],
      ['a', {}, '/request/url'],
      ['a', { url, nonsense: 1 }, '/request/nonsense'],
      ['a', { url, data: 'x'.repeat(262_144), method: 'POST' }, '/request'],
      [
        'a',
        { url, scraper_options: { extract: 'template:none' } },
        '/request/scraper_options/extract',
        'template.unknown',
      ],
    ];
    for (const [name, request, pointer, code = 'request.validation'] of WRONG) {
      const { status, body } = await save(name, request);
      const [first] = body.errors;
      assert.deepEqual([first?.code, first?.pointer], [code, pointer], JSON.stringify([name, status]));
    }
    assert.deepEqual(await list(), []);
  });

  test('a user has at most 200', async () => {
    for (let n = 0; n < 200; n += 1)
      assert.equal((await save(`n${n}`, { url: 'https://example.com/' })).status, 201);
    const { status, body } = await save('another', { url: 'https://example.com/' });
    assert.deepEqual([status, body.code], [429, 'limit.saved_requests']);
    assert.equal((await save('n7', { url: 'https://example.com/7' })).status, 201, 'replacing is allowed');
    assert.equal((await save('another', { url: 'https://example.com/' }, { key: other })).status, 201);
  });
});
