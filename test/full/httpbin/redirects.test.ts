import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Echo, NO_HTTPBIN, useStage } from '../../httpbin/stage.ts';

describe('httpbin: redirects', { skip: NO_HTTPBIN }, () => {
  const stage = useStage();
  const scrape = (path: string, more: Record<string, unknown> = {}) =>
    stage.service.scrape({ url: stage.bin + path, ...more });

  for (const kind of ['redirect', 'absolute-redirect', 'relative-redirect'])
    test(`/${kind}/5 is followed to its end`, async () => {
      const { status, body } = await scrape(`/${kind}/5`);
      assert.equal(status, 200);
      assert.equal(body.status_code, 200);
      assert.equal(body.final_url, `${stage.bin}/get`);
      assert.equal(body.router.redirects.length, 5);
      assert.equal(body.router.redirects[0]?.url, `${stage.bin}/${kind}/5`);
      assert.ok(body.router.redirects.every((hop) => hop.status_code === 302));
      assert.equal(body.router.outcome, 'ok');
    });

  test('20 redirects are followed by default, 21 are too many', async () => {
    const last = await scrape('/relative-redirect/20');
    assert.equal(last.body.status_code, 200);
    const { status, body } = await scrape('/relative-redirect/21');
    assert.equal(status, 502);
    assert.equal(body.code, 'redirect.too_many');
    assert.equal(body.errors[0]?.code, 'redirect.too_many');
    assert.equal(body.retryable, false);
    assert.equal(body.status_code, null);
    assert.equal(body.content, null);
    assert.equal(body.router.outcome, 'failed');
    assert.equal(body.router.redirects.length, 21);
  });

  test('max_redirects', async () => {
    const few = await scrape('/redirect/3', { scraper_options: { max_redirects: 2 } });
    assert.equal(few.body.code, 'redirect.too_many');
    const none = await scrape('/redirect/1', { scraper_options: { max_redirects: 0 } });
    assert.equal(none.body.code, 'redirect.too_many');
    const enough = await scrape('/redirect/3', { scraper_options: { max_redirects: 3 } });
    assert.equal(enough.body.status_code, 200);
  });

  test('allow_redirects: false gives the 3xx itself', async () => {
    const { status, body } = await scrape('/redirect/2', { allow_redirects: false });
    assert.equal(status, 200);
    assert.equal(body.status_code, 302);
    assert.equal(body.headers.location, '/relative-redirect/1');
    assert.equal(body.final_url, `${stage.bin}/redirect/2`);
    assert.match(body.content!, /Redirecting/);
    assert.equal(body.router.verdict?.kind, 'ok');
    assert.equal(body.router.outcome, 'ok');
  });

  const keeps = (status: number, method: string): string => {
    // Fetch, HTTP-redirect fetch step 12.
    if ((status === 301 || status === 302) && method === 'POST') return 'GET';
    if (status === 303 && method !== 'GET' && method !== 'HEAD') return 'GET';
    return method;
  };
  for (const status of [301, 302, 303, 307, 308])
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])
      test(`${status} after ${method} → ${keeps(status, method)}`, async () => {
        const bodily = method !== 'GET' && method !== 'HEAD';
        const { body } = await scrape(`/redirect-to?url=/anything/end&status_code=${status}`, {
          method,
          headers: { 'X-Own': 'kept' },
          ...(bodily ? { data: { a: 1 } } : {}),
        });
        assert.equal(body.status_code, 200);
        assert.equal(body.final_url, `${stage.bin}/anything/end`);
        assert.deepEqual(
          body.router.redirects.map((hop) => hop.status_code),
          [status],
        );
        if (method === 'HEAD') {
          assert.equal(body.content, '');
          return;
        }
        const seen = JSON.parse(body.content!) as Echo;
        const expected = keeps(status, method);
        assert.equal(seen.method, expected);
        assert.equal(seen.headers['X-Own'], 'kept');
        if (bodily && expected === method) assert.deepEqual(seen.json, { a: 1 });
        else {
          assert.equal(seen.data, '');
          assert.equal(seen.headers['Content-Type'], undefined, 'headers of the body go with it');
        }
      });

  for (const status of [300, 304, 305, 306, 399])
    test(`${status} with a Location is no redirect`, async () => {
      const { body } = await scrape(`/redirect-to?url=/get&status_code=${status}`);
      assert.equal(body.status_code, status);
      assert.equal(body.final_url, `${stage.bin}/redirect-to?url=/get&status_code=${status}`);
      assert.deepEqual(body.errors, []);
    });

  for (const location of [
    'ftp://127.0.0.1/x',
    'javascript:alert(1)',
    'http://',
    'http://[',
    'file:///etc/passwd',
  ])
    test(`a redirect to ${location} is invalid`, async () => {
      const { status, body } = await scrape(`/redirect-to?url=${encodeURIComponent(location)}`);
      assert.equal(status, 502);
      assert.equal(body.code, 'redirect.invalid');
      assert.equal(body.router.outcome, 'failed');
      assert.equal(body.content, null);
      assert.equal(body.router.redirects.length, 1);
    });

  test('the fragment is inherited, a new one wins', async () => {
    const inherited = await scrape('/redirect-to?url=/get#mine');
    assert.equal(inherited.body.final_url, `${stage.bin}/get#mine`);
    const own = await scrape(`/redirect-to?url=${encodeURIComponent('/get#theirs')}#mine`);
    assert.equal(own.body.final_url, `${stage.bin}/get#theirs`);
  });

  test('Authorization stays behind when the port changes', async () => {
    const { body } = await scrape(`/redirect-to?url=${encodeURIComponent(`${stage.service.base}/healthz`)}`, {
      headers: { Authorization: 'Bearer hidden' },
    });
    // The service's own listener is never reached, so the hop ends there; what counts is that nothing was sent.
    assert.equal(body.code, 'policy.address');
    assert.equal(body.status_code, null);
    assert.equal(body.final_url, null);
    assert.equal(body.router.redirects.length, 1);
  });
});
