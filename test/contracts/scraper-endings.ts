import assert from 'node:assert/strict';
import { MemoryBudget } from '../../src/base/memory-budget.ts';
import { DEADLINE_EXCEEDED, deadlineOf, deadlineUnder } from '../../src/base/time.ts';
import { eventually } from '../helpers/service.ts';
import { fetchWith, LATEST_MS, pageOf, textOf } from './fetch-order.ts';
import type { AddRule } from './scraper-rule.ts';

/** Endings that are none: broken, cut, late, given up; and what is told of every fetch. */
export function endingRules(rule: AddRule): void {
  rule('a body that breaks off is delivered as far as it came', async (scraper, site) => {
    const { page } = await pageOf(scraper, `${site.url}/close-midway`);
    assert.equal(page.body.length, 500);
    assert.equal(page.cut?.code, 'content.incomplete');
  });

  rule('no answer is connect.reset', async (scraper, site) => {
    const fetched = await fetchWith(scraper, `${site.url}/close-at-once`);
    assert.equal(fetched.failure?.code, 'connect.reset');
    assert.equal(fetched.sent, true);
    assert.deepEqual(
      fetched.requestHeaders?.some(([name]) => name === 'user-agent'),
      true,
    );
  });

  rule('content is cut at the limit, counted decoded', async (scraper, site) => {
    for (const path of ['bytes/100000', 'gzip']) {
      const { page } = await pageOf(scraper, `${site.url}/${path}`, { options: { maxContentBytes: 1_000 } });
      assert.deepEqual([page.body.length, page.cut?.code], [1_000, 'content.truncated'], path);
    }
    const whole = await pageOf(scraper, `${site.url}/bytes/1000`, { options: { maxContentBytes: 1_000 } });
    assert.equal(whole.page.cut, null);
  });

  rule(
    'the budget ends everything: timeout.total, or the page as far as it came',
    async (scraper, site, traits) => {
      const began = performance.now();
      // Long enough that the head of the second comes in time, also on a busy machine.
      const timeoutMs = 600 + 200 * traits.pace;
      const silent = await fetchWith(scraper, `${site.url}/hang`, { timeoutMs });
      assert.equal(silent.failure?.code, 'timeout.total');
      const dripping = await pageOf(scraper, `${site.url}/drip?bytes=1000&ms=20`, { timeoutMs });
      assert.equal(dripping.page.cut?.code, 'timeout.total');
      assert.ok(dripping.page.body.length > 0);
      const most = 2 * (timeoutMs + traits.lateMs);
      assert.ok(
        performance.now() - began < most,
        `each at the latest ${traits.lateMs} ms after its deadline`,
      );
    },
  );

  rule('the share of an attempt ends it before the head only', async (scraper, site, { pace }) => {
    using deadline = deadlineOf(LATEST_MS);
    using short = deadlineUnder(150 * pace, deadline.signal);
    const silent = await fetchWith(scraper, `${site.url}/hang`, {}, { deadline, share: short });
    assert.equal(silent.failure?.code, 'timeout.attempt');
    // The head has come by then, also on a busy machine, and the body has not.
    const shareMs = 600 + 240 * pace;
    using share = deadlineUnder(shareMs, deadline.signal);
    const drip = `${site.url}/drip?bytes=5&ms=${shareMs / 3}`;
    const dripping = await pageOf(scraper, drip, {}, { deadline, share });
    assert.deepEqual([dripping.page.body.length, dripping.page.cut], [5, null]);
  });

  rule('a large body asks for room, and waits for it within the deadline', async (scraper, site) => {
    for (const path of ['bytes/600000', 'html/600000']) {
      const budget = new MemoryBudget(16 * 2 ** 20);
      const [other, refused, room] = [budget.open(), budget.open(), budget.open()];
      const all = budget.capacity;
      assert.equal(other.reserve(all, all, new AbortController().signal), null);
      const time = new AbortController();
      using deadline = deadlineOf(LATEST_MS, time);
      const order = { room: refused, deadline };
      const [starved] = await Promise.all([
        fetchWith(scraper, `${site.url}/${path}`, {}, order),
        eventually(() => refused.starved).then(() => time.abort(DEADLINE_EXCEEDED)),
      ]);
      assert.equal(starved.failure?.code, 'service.unavailable');
      refused.close();
      const small = await pageOf(scraper, `${site.url}/bytes/200000`, {}, { room });
      assert.equal(small.page.body.length, 200_000);
      const [late] = await Promise.all([
        pageOf(scraper, `${site.url}/${path}`, {}, { room }),
        eventually(() => room.starved).then(() => other.close()),
      ]);
      assert.equal(late.page.body.length, 600_000);
      assert.ok(room.waitedMs > 0 && budget.inUse >= 600_000);
      room.close();
      assert.equal(budget.inUse, 0);
    }
  });

  rule('a caller who hangs up gets request.cancelled', async (scraper, site, { pace }) => {
    for (const path of ['hang', 'drip?bytes=1000&ms=20']) {
      const caller = new AbortController();
      setTimeout(() => caller.abort(new Error('gone')), 60 * pace);
      using deadline = deadlineUnder(LATEST_MS, caller.signal);
      const fetched = await fetchWith(scraper, `${site.url}/${path}`, {}, { deadline });
      assert.equal(fetched.failure?.code, 'request.cancelled', path);
    }
  });

  rule('times are told', async (scraper, site) => {
    const { timing, remoteIp, bytesIn, bytesOut } = await pageOf(scraper, `${site.url}/delay/60`);
    assert.ok(timing.ttfb !== null && timing.ttfb >= 55, `${timing.ttfb}`);
    assert.ok(timing.download !== null && timing.download >= 0);
    assert.ok(timing.connect !== null && timing.connect >= 0);
    assert.equal(remoteIp, '127.0.0.1');
    assert.ok(bytesIn > 5 && bytesOut > 50);
  });

  rule('TLS is verified', async (scraper, site) => {
    const secure = site.httpsUrl!;
    const fetched = await pageOf(scraper, `${secure}/text`);
    assert.equal(textOf(fetched), 'plain text\n');
    assert.ok(fetched.timing.tls !== null);
    const wrong = await fetchWith(scraper, `${secure.replace('localhost', '127.0.0.2')}/text`);
    assert.deepEqual([wrong.failure?.code, wrong.sent], ['tls.invalid', false]);
  });

  rule('many at once do not mix', async (scraper, site, { many, pace }) => {
    const sizes = Array.from({ length: many }, (_, i) => 500 + i * 37);
    const timeoutMs = LATEST_MS + 2_000 * pace;
    const pages = await Promise.all(
      sizes.map((size) => pageOf(scraper, `${site.url}/html/${size}`, { timeoutMs })),
    );
    assert.deepEqual(
      pages.map(({ page }) => page.body.length),
      sizes,
    );
  });
}
