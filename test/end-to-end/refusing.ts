import assert from 'node:assert/strict';
import type { ApiOptions } from '../helpers/client.ts';
import type { ServiceApi } from '../helpers/service.ts';
import type { KeyObject, Problem } from '../helpers/wire-types.ts';

export const SCRAPE = '/api/v1/scrape/';

/** A body with a wrong media type and invalid JSON. A check that comes before both must refuse it first. */
export const BAD_BODY: ApiOptions = { raw: '{', headers: { 'content-type': 'text/plain' } };

export const post = (body: unknown, options: ApiOptions = {}): ApiOptions => ({ body, ...options });

/** Helpers for the tests of contract §8. */
export function refusing(service: ServiceApi) {
  const newKey = async (members: Record<string, unknown>) => {
    const { status, body } = await service.api<KeyObject>('POST', '/api/v1/keys/', {
      body: { name: 'section 8', ...members },
    });
    assert.equal(status, 201, JSON.stringify(body));
    return { id: body.id, key: body.key! };
  };

  /** Asserts that a request is refused before it becomes a scrape: a complete problem, without id and record. */
  async function refused(
    method: string,
    path: string,
    status: number,
    code: string,
    options: ApiOptions = {},
  ) {
    const reply = await service.api<Problem>(method, path, options);
    assert.equal(reply.status, status, `${code}: ${reply.text}`);
    assert.equal(reply.body.code, code, reply.text);
    assert.match(reply.headers.get('content-type') ?? '', /^application\/problem\+json/);
    assert.equal(reply.body.type, `${service.base}/api/v1/errors/#${code}`);
    assert.equal(reply.body.status, status);
    assert.equal(reply.body.request_id, reply.headers.get('x-request-id'));
    assert.ok(reply.body.title.length > 0 && reply.body.detail.length > 0);
    assert.equal(reply.body.errors[0]?.code, code);
    assert.equal(reply.body.errors[0]?.message, reply.body.detail);
    assert.equal(reply.body.errors[0]?.level, 'error');
    assert.equal(reply.body.retryable, reply.body.errors[0]?.retryable);
    assert.equal(reply.headers.get('x-scrape-id'), null, 'not a scrape yet');
    assert.ok(!('id' in reply.body) && !('router' in reply.body));
    return reply;
  }

  return { newKey, refused };
}
