import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { useOwnService } from '../../helpers/service.ts';

/** 4 MiB take some 0.6 to 1.8 s of a processor; 3 s are allowed. */
const PAGE = `<!doctype html><title>Many</title>${'<p>A <a href="/one">word</a> or two.</p>'.repeat(105_000)}`;
/** By the clock, without any processor: more than is allowed of a processor. */
const STOPPED_MS = 3_500;

/** 28 MiB with so many names that parsing them takes more than a second; 15 s are allowed. */
function jsonOfManyNames(): string {
  const parts = ['{"ok":true,"items":{"first":0'];
  for (let n = 0, length = 0; length < 28 * 2 ** 20; n++) {
    const part = `,"k${n}":[${n}]`;
    length += part.length;
    parts.push(part);
  }
  return `${parts.join('')}}}`;
}

describe('the time for reading a page', () => {
  const service = useOwnService();

  test('is for parsing JSON, too, beside the second for the path of the caller', async (t) => {
    const json = jsonOfManyNames();
    const target = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(json);
    });
    target.listen(0, '127.0.0.1');
    await once(target, 'listening');
    t.after(() => void target.close());
    t.after(() => target.closeAllConnections());
    const { body } = await service.scrape({
      url: `http://127.0.0.1:${(target.address() as AddressInfo).port}/`,
      scraper: 'http',
      scraper_options: { max_content_bytes: 50 * 2 ** 20 },
      router: { accept: { json_path: '$.ok' } },
    });
    assert.deepEqual(body.errors, []);
    assert.equal(body.router.outcome, 'ok');
  });

  test('does not run while the machine does not let the service run', async (t) => {
    let sentAt = 0;
    let sent: (() => void) | null = null;
    const target = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end(PAGE, () => {
        sentAt = performance.now();
        sent?.();
      });
    });
    target.listen(0, '127.0.0.1');
    await once(target, 'listening');
    t.after(() => void target.close());
    t.after(() => target.closeAllConnections());
    const url = `http://127.0.0.1:${(target.address() as AddressInfo).port}/`;
    const scrape = () =>
      service.scrape({ url, scraper: 'http', scraper_options: { formats: ['metadata', 'links', 'text'] } });

    const first = await scrape();
    const takes = performance.now() - sentAt;
    assert.deepEqual(first.body.errors, [], JSON.stringify(first.body.errors));

    const whole = new Promise<void>((resolve) => {
      sent = resolve;
    });
    const second = scrape();
    await whole;
    await pause(takes / 3);
    process.kill(service.pid, 'SIGSTOP');
    try {
      await pause(STOPPED_MS);
    } finally {
      process.kill(service.pid, 'SIGCONT');
    }
    const { body } = await second;
    assert.ok(body.router.timing.total! > STOPPED_MS, 'it was stopped on the way');
    assert.deepEqual(body.errors, []);
    assert.equal(body.scraper_data.text, first.body.scraper_data.text);
  });
});
