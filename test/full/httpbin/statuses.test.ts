import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { NO_HTTPBIN, useStage } from '../../httpbin/stage.ts';

/** Those that httpbin sends on with a Location. */
const REDIRECTED = new Set([301, 302, 303, 305, 307]);

describe('httpbin: every status', { skip: NO_HTTPBIN }, () => {
  const stage = useStage();

  function expected(status: number): { verdict: string; outcome: string } {
    if (status === 429) return { verdict: 'rate', outcome: 'target_error' };
    if (status >= 500) return { verdict: 'error_page', outcome: 'target_error' };
    if (status >= 400) return { verdict: 'ok', outcome: 'target_error' };
    // The answers of /status have no body; 204 and 205 have none by nature.
    const empty = status < 300 && status !== 204 && status !== 205;
    return { verdict: empty ? 'empty' : 'ok', outcome: 'ok' };
  }

  const one = async (status: number): Promise<void> => {
    const { status: ours, body } = await stage.service.scrape({
      url: `${stage.bin}/status/${status}`,
      scraper: 'http',
      allow_redirects: false,
    });
    assert.equal(ours, 200, `${status}: ${JSON.stringify(body)}`);
    assert.equal(body.status_code, status);
    const { verdict, outcome } = expected(status);
    assert.equal(body.router.verdict?.kind, verdict, `verdict of ${status}`);
    assert.deepEqual(body.router.verdict?.signals, ['status']);
    assert.equal(body.router.outcome, outcome, `outcome of ${status}`);
    assert.deepEqual(body.errors, [], `errors of ${status}`);
    assert.equal(typeof body.content, 'string');
    assert.notEqual(body.content_encoding, null);
    const warned = body.router.warnings.some((warning) => warning.code === 'page.empty');
    assert.equal(warned, verdict === 'empty', `warning of ${status}`);
  };

  for (let hundred = 200; hundred < 600; hundred += 100)
    test(`${hundred} to ${hundred + 99}`, async () => {
      const statuses = Array.from({ length: 100 }, (_, n) => hundred + n).filter(
        // 429 slows down whoever comes after it: see below. A firewall alone answers the others.
        (status) => ![429, 461, 468, 493].includes(status),
      );
      const workers = Array.from({ length: 10 }, async () => {
        for (let status = statuses.shift(); status !== undefined; status = statuses.shift())
          await one(status);
      });
      await Promise.all(workers);
    });

  test('a redirecting status is followed', async () => {
    for (const status of REDIRECTED) {
      const { body } = await stage.service.scrape({ url: `${stage.bin}/status/${status}` });
      // 305 is no redirect for Fetch; all others lead to /get over /redirect/1.
      assert.equal(body.status_code, status === 305 ? 305 : 200, String(status));
      if (status !== 305) assert.equal(body.router.redirects[0]?.status_code, status);
    }
  });

  test('429, at the end', () => one(429));
});
