import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { useOwnService } from '../helpers/service.ts';
import type { Problem } from '../helpers/wire-types.ts';

const APP = 'https://app.example';

describe('SLUICE_CORS_ORIGINS', () => {
  const service = useOwnService({ SLUICE_CORS_ORIGINS: APP });
  const ask = async (method: string, path: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(service.base + path, { method, headers });
    await answer.arrayBuffer();
    return { status: answer.status, headers: answer.headers };
  };
  const preflight = (origin: string) =>
    ask('OPTIONS', '/api/v1/scrape/', {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type',
    });

  test('a page of that origin may send scrapes, without cookies', async () => {
    const { status, headers } = await preflight(APP);
    assert.equal(status, 204);
    assert.equal(headers.get('access-control-allow-origin'), APP);
    assert.match(headers.get('access-control-allow-methods') ?? '', /POST/);
    assert.match(
      headers.get('access-control-allow-headers') ?? '',
      /authorization.*content-type.*last-event-id/i,
    );
    assert.equal(headers.get('access-control-allow-credentials'), null);
  });

  test('others may not', async () => {
    assert.equal((await preflight('https://evil.example')).headers.get('access-control-allow-origin'), null);
  });

  test('the page can also read refusals and response headers', async () => {
    for (const [method, path, status] of [
      ['GET', '/api/v1/scrape/', 401],
      ['GET', '/api/v1/nothing/', 404],
      ['PUT', '/api/v1/scrape/', 405],
    ] as const) {
      const answer = await ask(method, path, { origin: APP });
      assert.equal(answer.status, status, path);
      assert.equal(answer.headers.get('access-control-allow-origin'), APP, path);
      assert.match(answer.headers.get('access-control-expose-headers') ?? '', /X-Scrape-Id/);
    }
  });

  test('OPTIONS that is no preflight is refused as any method is, and its page may read that', async () => {
    for (const [path, status, code] of [
      ['/api/v1/scrape/', 405, 'request.method'],
      ['/healthz', 405, 'request.method'],
      ['/api/v1/nothing/', 404, 'request.not_found'],
    ] as const)
      for (const headers of [{}, { origin: APP }, { 'access-control-request-method': 'POST' }]) {
        const answer = await service.api<Problem>('OPTIONS', path, { key: null, headers });
        assert.deepEqual([path, answer.status, answer.body.code], [path, status, code]);
        assert.match(answer.headers.get('content-type') ?? '', /^application\/problem\+json/);
        assert.equal(answer.headers.has('allow'), status === 405, path);
        assert.equal(answer.headers.get('access-control-allow-methods'), null);
        if ('origin' in headers) assert.equal(answer.headers.get('access-control-allow-origin'), APP);
      }
  });

  test('a preflight has a max-age and no body', async () => {
    const { headers } = await preflight(APP);
    assert.equal(headers.get('access-control-max-age'), '600');
    assert.equal(headers.get('content-length'), '0');
    assert.equal(headers.get('vary'), 'Origin');
  });

  test('a path that is not there is a 404 for every method', async () => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const { status, headers } = await ask(method, '/api/v1/nothing/');
      assert.deepEqual([method, status, headers.get('allow')], [method, 404, null]);
    }
  });
});
