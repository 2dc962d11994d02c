import assert from 'node:assert/strict';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { listen } from '../helpers/free-port.ts';
import { eventually, useOwnService } from '../helpers/service.ts';

describe('SLUICE_SITE_CONCURRENCY', () => {
  const service = useOwnService({ SLUICE_SITE_CONCURRENCY: '2' });
  let server: Server;
  let url = '';
  /** Requests that wait for their response. */
  const held: ServerResponse[] = [];
  let most = 0;
  before(async () => {
    server = createServer((_, response) => {
      held.push(response);
      most = Math.max(most, held.length);
    });
    await listen(server);
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  const scrape = (more: object = {}) => service.scrape({ url, scraper: 'http', ...more });
  const release = () => {
    for (const response of held.splice(0)) response.end('page');
  };

  test('limits the attempts at one host; the wait is in timing.queue, and ends with the time limit', async () => {
    const first = [scrape(), scrape()];
    await eventually(async () => held.length === 2);
    const late = await scrape({ timeout_ms: 1_000 });
    assert.equal(late.status, 503);
    assert.equal(late.body.code, 'service.unavailable');
    assert.deepEqual(late.body.router.attempts, []);
    assert.ok(late.body.router.timing!.queue! >= 900);

    const waiting = [scrape(), scrape(), scrape()];
    await eventually(async () => {
      const { body } = await service.api<{ in_flight: { now: number } }>('GET', '/api/v1/stats/?window=1h');
      return body.in_flight.now >= 5;
    });
    await new Promise((resolve) => setTimeout(resolve, 300));
    let ended = false;
    const all = Promise.all([...first, ...waiting]).finally(() => {
      ended = true;
    });
    while (!ended) {
      release();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    for (const { status, text } of await all) assert.equal(status, 200, text);
    assert.equal(most, 2);
    assert.ok((await all).slice(2).every(({ body }) => body.router.timing!.queue! > 0));
    assert.ok((await all).slice(0, 2).every(({ body }) => body.router.timing!.queue === null));
  });
});
