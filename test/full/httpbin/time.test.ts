import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { NO_HTTPBIN, useStage } from '../../httpbin/stage.ts';

/** What the target takes, in seconds: an answer that leaves before that did not wait for it, however busy the machine is. */
const DELAY_S = 9;

describe('httpbin: time', { skip: NO_HTTPBIN, concurrency: true }, () => {
  const stage = useStage();

  async function timed(path: string, more: Record<string, unknown>) {
    const started = performance.now();
    const reply = await stage.service.scrape({ url: stage.bin + path, ...more });
    return { ...reply, ms: performance.now() - started };
  }

  for (const scraper of ['http', 'auto'])
    test(`/delay beyond the budget is 504 timeout.total (${scraper})`, async () => {
      const { status, body, ms } = await timed(`/delay/${DELAY_S}`, { timeout_ms: 1200, scraper });
      assert.equal(status, 504);
      assert.equal(body.code, 'timeout.total');
      assert.equal(body.retryable, true);
      assert.equal(body.status_code, null);
      assert.equal(body.content, null);
      assert.equal(body.router.outcome, 'failed');
      assert.equal(body.router.attempts.length, 1);
      assert.ok(ms >= 1190, `too early: ${ms}`);
      assert.ok(ms < DELAY_S * 1000, `too late: ${ms}`);
    });

  test('/delay within the budget is waited for', async () => {
    const { body, ms } = await timed('/delay/1', { timeout_ms: 10_000 });
    assert.equal(body.status_code, 200);
    assert.ok(ms >= 1000);
    assert.ok((body.router.timing.ttfb ?? 0) >= 990, JSON.stringify(body.router.timing));
    assert.ok((body.router.timing.total ?? 0) >= 1000);
  });

  test('/drip beyond the budget: 200 with what came, told as partial', async () => {
    const { status, body, ms } = await timed(`/drip?numbytes=10&duration=${DELAY_S}&delay=0`, {
      timeout_ms: 1500,
    });
    assert.equal(status, 200);
    assert.equal(body.status_code, 200);
    assert.equal(body.router.outcome, 'partial');
    assert.equal(body.errors[0]?.code, 'timeout.total');
    const text = Buffer.from(
      body.content!,
      body.content_encoding === 'base64' ? 'base64' : 'utf8',
    ).toString();
    assert.match(text, /^\*{1,9}$/);
    assert.ok(ms < DELAY_S * 1000, `too late: ${ms}`);
  });

  test('/drip within the budget is whole', async () => {
    const { body } = await timed('/drip?numbytes=5&duration=1&delay=0', { timeout_ms: 20_000 });
    const text = Buffer.from(
      body.content!,
      body.content_encoding === 'base64' ? 'base64' : 'utf8',
    ).toString();
    assert.equal(text, '*****');
    assert.equal(body.router.outcome, 'ok');
  });

  test('time runs through redirects', async () => {
    const { status, body, ms } = await timed(`/redirect-to?url=/delay/${DELAY_S}`, { timeout_ms: 1000 });
    assert.equal(status, 504);
    assert.equal(body.code, 'timeout.total');
    assert.equal(body.router.redirects.length, 1);
    assert.ok(ms < DELAY_S * 1000, `too late: ${ms}`);
  });

  test('a fraction of a millisecond is rounded up, bounds are kept', async () => {
    assert.equal((await timed('/get', { timeout_ms: 1000.5 })).status, 200);
    for (const timeout_ms of [999, 300_001, 0, -1, '5000'])
      assert.equal((await timed('/get', { timeout_ms })).body.errors?.[0]?.pointer, '/timeout_ms');
  });
});
