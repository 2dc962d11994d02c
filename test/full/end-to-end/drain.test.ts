import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually, startService } from '../../helpers/service.ts';
import { useSite } from '../../helpers/use-site.ts';
import type { Problem, ScrapeAnswer } from '../../helpers/wire-types.ts';

describe('SIGTERM', { concurrency: true }, () => {
  const site = useSite();

  test('running scrapes may finish, new ones get 503, then the exit code is 0', async () => {
    await using service = await startService();
    const held: ServerResponse[] = [];
    const target = createServer((_request, response) => held.push(response)).listen(0, '127.0.0.1');
    await once(target, 'listening');
    const { port } = target.address() as AddressInfo;
    const running = service.scrape({ url: `http://127.0.0.1:${port}/` });
    await eventually(() => held.length > 0);
    const exit = service.terminate();
    let tries = 0;
    const refused = await eventually(async () => {
      tries++;
      const reply = await service.api<Problem>('POST', '/api/v1/scrape/', {
        body: { url: `${site.url}/text?late${tries}` },
      });
      return reply.status === 503 && reply;
    });
    assert.equal(refused.body.code, 'service.unavailable');
    assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
    assert.equal(refused.body.retryable, true);
    const ready = await fetch(`${service.base}/readyz`);
    assert.equal(ready.status, 503);
    await ready.arrayBuffer();
    const alive = await fetch(`${service.base}/healthz`);
    assert.equal(alive.status, 200);
    await alive.arrayBuffer();
    held[0]!.end('late');
    const { status, body } = await running;
    target.close();
    assert.equal(status, 200);
    assert.equal(body.content, 'late');
    assert.deepEqual(await exit, { code: 0, signal: null });
    assert.ok(!site.log.some((seen) => seen.url === `/text?late${tries}`));
  });

  test('when the drain time is up, the rest is ended with 503 and a record', async () => {
    await using service = await startService({ SLUICE_DRAIN_SECONDS: '1' });
    const url = `${site.url}/hang?drained`;
    const running = service.scrape({ url });
    await eventually(() => site.log.some((seen) => seen.url === '/hang?drained'));
    const started = performance.now();
    const exit = service.terminate();
    const { status, headers, body } = await running;
    assert.equal(status, 503);
    assert.equal(body.code, 'service.unavailable');
    assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/);
    assert.equal(body.router.outcome, 'failed');
    assert.equal(body.content, null);
    assert.deepEqual(await exit, { code: 0, signal: null });
    const took = performance.now() - started;
    assert.ok(took >= 950 && took < 15_000, `took ${took} ms`);
    await using again = await startService({}, { dataDir: service.dataDir });
    const { body: kept } = await again.api<ScrapeAnswer>('GET', `/api/v1/scrape/${body.id}/`);
    assert.equal(kept.router.http_status, 503);
    assert.equal(kept.errors[0]?.code, 'service.unavailable');
    await again.stop();
  });

  test('a second SIGTERM ends running scrapes and the process at once', async () => {
    await using service = await startService();
    const running = service.scrape({ url: `${site.url}/hang?twice` });
    await eventually(() => site.log.some((seen) => seen.url === '/hang?twice'));
    void service.terminate();
    await eventually(async () => (await service.log()).some(({ msg }) => msg === 'draining'));
    const exit = service.terminate();
    assert.equal((await running).status, 503);
    assert.deepEqual(await exit, { code: 0, signal: null });
    const ended = Date.now();
    const stopped = (await service.log()).find(({ msg }) => msg === 'stopped') ?? assert.fail();
    const late = ended - Date.parse(String(stopped.time));
    assert.ok(late < 5_000, `${late} ms`);
  });

  test('a caller in the middle of its body delays the end at most for the drain time', async () => {
    await using service = await startService({ SLUICE_DRAIN_SECONDS: '1' });
    const head = `POST /api/v1/scrape/ HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n`;
    // The one is answered (401) before its body is there, the other waits for the rest of it.
    const sockets = ['', `Authorization: Api-Key ${service.key}\r\n`].map((line) => {
      const socket = connect(service.port, '127.0.0.1');
      socket.on('error', () => {});
      socket.on('data', () => {});
      socket.write(`${head}${line}\r\n{"url":`);
      return socket;
    });
    await pause(300);
    const started = performance.now();
    const giveUp = setTimeout(() => {
      for (const socket of sockets) socket.destroy();
    }, 20_000);
    await service.stop();
    const took = performance.now() - started;
    clearTimeout(giveUp);
    for (const socket of sockets) socket.destroy();
    assert.ok(took < 15_000, `took ${took} ms`);
  });

  test('idle: at once, also with an idle connection open; SIGINT too', async () => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      await using service = await startService();
      assert.equal((await service.scrape({ url: `${site.url}/text` })).status, 200);
      const started = performance.now();
      assert.deepEqual(await service.terminate(signal), { code: 0, signal: null });
      assert.ok(performance.now() - started < 15_000);
    }
  });
});
