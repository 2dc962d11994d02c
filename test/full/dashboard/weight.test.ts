import assert from 'node:assert/strict';
import { request } from 'node:http';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { useDashboard } from '../../dashboard/use-dashboard.ts';

interface Load {
  /** Different URLs, including those of the API. On a slow machine, some are polled meanwhile. */
  readonly requests: number;
  /** Bytes of the bodies, as compressed as the service sends them to browsers (over HTTPS with brotli). */
  readonly bytes: number;
}

/** What a page has loaded. */
async function loadOf(page: Page): Promise<Load> {
  const cookies = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
  await page.waitForLoadState('networkidle');
  const urls = await page.evaluate(() =>
    ['navigation', 'resource'].flatMap((type) => performance.getEntriesByType(type).map(({ name }) => name)),
  );
  const different = [...new Set(urls)];
  const sizes = await Promise.all(different.map((url) => sizeOf(url, cookies)));
  return { requests: different.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}

function sizeOf(url: string, cookie: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  request(url, { headers: { 'accept-encoding': 'br', cookie } }, async (response) => {
    resolve(Buffer.concat(await response.toArray()).length);
  })
    .on('error', reject)
    .end();
  return promise;
}

describe('what a first visit loads', () => {
  const dashboard = useDashboard();

  for (const [name, path, as, limit] of [
    ['the sign-in page', '/sign-in', null, 250_000],
    ['the first page after sign-in', '/', undefined, 250_000],
  ] as const)
    test(`${name}: at most ${limit} bytes in 28 requests`, async (t) => {
      const { requests, bytes } = await loadOf(await dashboard.open(path, as === null ? { as } : {}));
      t.diagnostic(`${requests} requests, ${bytes} bytes`);
      assert.ok(bytes > 50_000 && bytes <= limit, `${bytes} bytes`);
      assert.ok(requests > 3 && requests <= 28, `${requests} requests`);
    });
});
