import assert from 'node:assert/strict';
import type { ServiceApi } from '../helpers/service.ts';
import type { Problem, ScrapeAnswer } from '../helpers/wire-types.ts';

/** A function that asserts how a scrape without a page ends. */
export function failing(running: () => ServiceApi) {
  /** Asserts that a scrape ends with this problem, which has every field of a response, and that its record is equal. */
  return async function fails(
    request: Record<string, unknown>,
    status: number,
    code: string,
    retryable: boolean,
  ): Promise<ScrapeAnswer & Partial<Problem>> {
    const service = running();
    const reply = await service.scrape(request);
    const { body } = reply;
    assert.equal(reply.status, status, reply.text);
    assert.equal(body.code, code, reply.text);
    assert.match(reply.headers.get('content-type') ?? '', /^application\/problem\+json/);
    assert.equal(body.type, `${service.base}/api/v1/errors/#${code}`);
    assert.equal(body.errors[0]?.code, code);
    assert.equal(body.errors[0]?.message, body.detail);
    assert.equal(body.errors[0]?.level, 'error');
    assert.equal(body.errors[0]?.retryable, retryable);
    assert.equal(body.retryable, retryable);
    assert.equal(body.status_code, null);
    assert.equal(body.content, null);
    assert.equal(body.content_encoding, null);
    assert.equal(body.final_url, null);
    assert.equal(body.router.outcome, 'failed');
    assert.equal(body.router.proxy_type, 'datacenter');
    assert.ok(body.router.attempts.length >= 1);
    assert.equal(body.router.attempts.at(-1)?.error_code, code);
    assert.equal(reply.headers.get('x-scrape-id'), body.id);
    if (status === 503) assert.ok(reply.headers.get('retry-after'));
    const record = await service.api<ScrapeAnswer>('GET', `/api/v1/scrape/${body.id}/`);
    assert.deepEqual(record.body.errors, body.errors);
    assert.equal(record.body.router.http_status, status);
    return body;
  };
}
