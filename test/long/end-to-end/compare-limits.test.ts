import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { describe, test } from 'node:test';
import { startMadeSite } from '../../helpers/made-site.ts';
import { eventually, startService } from '../../helpers/service.ts';
import type { Comparison, Problem, RecordList } from '../../helpers/wire-types.ts';

const WAYS = ['http', 'http_impersonate', 'auto'];

describe('comparisons at the limits of the service', () => {
  test('large pages wait for memory, and are compared', async () => {
    await using service = await startService({ SLUICE_MEMORY_BYTES: '64MiB' });
    const words = Array.from({ length: 400_000 }, (_, n) => `word${n}`).join(' ');
    const page = `<!doctype html><title>Long</title><main><h1>Long</h1><p>${words}</p></main>`;
    const picture = Buffer.alloc(9 * 2 ** 20, Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]));
    await using site = await startMadeSite((path, _request, response) => {
      if (path === '/page') return page;
      response.writeHead(200, { 'content-type': 'image/png' }).end(picture);
      return undefined;
    });
    for (const path of ['/page', '/picture']) {
      // Two at once, so that their ways together need more memory than there is.
      const replies = await Promise.all(
        [0, 1].map(() =>
          service.api<Comparison>('POST', '/api/v1/compare/', {
            body: { request: { url: `${site.url}${path}` }, ways: WAYS },
          }),
        ),
      );
      for (const { body, text } of replies)
        assert.deepEqual(
          body.items.map(({ outcome, likeness }) => [outcome, likeness]),
          WAYS.map(() => ['ok', 1]),
          text,
        );
    }
    const { body } = await service.api<{ memory: { in_use_bytes: number } }>('GET', '/api/v1/system/');
    assert.ok(body.memory.in_use_bytes < 2 ** 20, String(body.memory.in_use_bytes));
  });

  test('the end of the service ends a comparison, with 503; its scrapes have records', async () => {
    await using service = await startService({ SLUICE_DRAIN_SECONDS: '1' });
    const hanging: ServerResponse[] = [];
    await using site = await startMadeSite((_path, _request, response) => {
      hanging.push(response);
      return undefined;
    });
    const key = await service.api<{ key: string }>('POST', '/api/v1/keys/', {
      body: { name: 'one', concurrency: 1 },
    });
    const running = service.api<Problem>('POST', '/api/v1/compare/', {
      key: key.body.key,
      body: { request: { url: site.url }, ways: ['http', 'http_impersonate'] },
    });
    await eventually(() => hanging.length === 1);
    const ended = service.terminate();
    const { status, body } = await running;
    assert.deepEqual([status, body.code], [503, 'service.unavailable']);
    assert.equal((await ended).code, 0);
    assert.equal(hanging.length, 1, 'the second way did not begin');
    await using again = await startService({}, { dataDir: service.dataDir });
    const { body: list } = await again.api<RecordList>('GET', '/api/v1/scrape/');
    assert.deepEqual(
      list.items.map(({ requested_scraper, outcome }) => [requested_scraper, outcome]),
      [['http', 'failed']],
    );
  });
});
