import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer as createHttp, type RequestListener } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { descriptorsOf } from '../../helpers/descriptors.ts';
import { listen } from '../../helpers/free-port.ts';
import { startProxy } from '../../helpers/proxy-server.ts';
import { eventually, startService, TEST_KEY } from '../../helpers/service.ts';
import { selfSigned } from '../../site/certificate.ts';

const COUNT = process.env.LONG === '1' ? 100_000 : 2_000;
const AT_ONCE = 16;

test(`${COUNT} scrapes leave no descriptor behind`, { timeout: 1_500_000 }, async (t) => {
  const page: RequestListener = (_, answer) => {
    answer.setHeader('content-type', 'text/plain');
    answer.end('a page');
  };
  const servers = [createHttp(page), createHttps(selfSigned(), page)] as const;
  const targets = ['http', 'https'].map(async (scheme, n) => {
    const server = servers[n] as Server;
    await listen(server);
    return `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  await using proxy = await startProxy();
  await using service = await startService();
  const ways: { path: string; ask: object }[] = [];
  for (const url of await Promise.all(targets))
    for (const scraper of ['http', 'http_impersonate'])
      for (const way of [{}, { proxy: `http://127.0.0.1:${proxy.port}` }])
        ways.push({ path: url, ask: { url, scraper, ...way, scraper_options: { verify_tls: false } } });
  const headers = { authorization: `Api-Key ${TEST_KEY}`, 'content-type': 'application/json' };
  const scrape = async (ask: object) => {
    const asked = { method: 'POST', headers, body: JSON.stringify(ask) };
    const answer = await fetch(`${service.base}/api/v1/scrape/`, asked);
    const body = (await answer.json()) as { status_code: number; content: string };
    assert.deepEqual([body.status_code, body.content], [200, 'a page'], JSON.stringify({ ask, body }));
  };
  const resident = () =>
    Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${service.pid}/status`, 'utf8'))![1]) / 1024);
  const run = async (count: number) => {
    let left = count;
    const worker = async () => {
      while (left > 0) await scrape(ways[left-- % ways.length]!.ask);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  };
  /** Connections that are kept for the next scrape are ended by the other side, and counted no more. */
  const atRest = async (good: (sockets: number, earlier: number) => boolean) => {
    for (const server of servers) server.closeAllConnections();
    await eventually(() => proxy.open() === 0);
    let earlier = descriptorsOf(service);
    for (let tries = 0; tries < 30; tries++) {
      await pause(1_000);
      const now = descriptorsOf(service);
      if (good(now.sockets, earlier.sockets)) return now;
      earlier = now;
    }
    return earlier;
  };
  try {
    // It waits until browsers have been looked for, and one has been started: that one has descriptors, too.
    await service.api('GET', '/api/v1/scrapers/');
    await run(ways.length * 2 * AT_ONCE);
    const before = await atRest((sockets, earlier) => sockets === earlier);
    t.diagnostic(`before: ${JSON.stringify(before)}, ${resident()} MiB`);
    const began = performance.now();
    for (let tenth = 1; tenth <= 10; tenth++) {
      await run(COUNT / 10);
      const { sockets } = descriptorsOf(service);
      t.diagnostic(`${(COUNT / 10) * tenth} scrapes: ${sockets} sockets in use, ${resident()} MiB`);
    }
    t.diagnostic(`${Math.round((performance.now() - began) / 1000)} s`);
    const after = await atRest((sockets) => sockets <= before.sockets);
    t.diagnostic(`after: ${JSON.stringify(after)}, ${resident()} MiB`);
    assert.ok(after.sockets <= before.sockets, `${before.sockets} sockets before, ${after.sockets} after`);
    const all = (list: Readonly<Record<string, number>>) =>
      Object.values(list).reduce((sum, count) => sum + count, 0);
    // A file of the database may be open in one more connection.
    assert.ok(all(after) <= all(before) + 2, `${all(before)} descriptors before, ${all(after)} after`);
  } finally {
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  }
});
