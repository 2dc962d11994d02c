import assert from 'node:assert/strict';
import { request } from 'node:http';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { useDashboard } from '../../dashboard/use-dashboard.ts';

/** Bytes of all responses that the page has loaded, compressed with gzip, including those of the API, without headers. */
async function weightOf(page: Page): Promise<number> {
  const cookies = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
  const urls = await page.evaluate(() =>
    ['navigation', 'resource'].flatMap((type) => performance.getEntriesByType(type).map(({ name }) => name)),
  );
  const sizes = await Promise.all([...new Set(urls)].map((url) => sizeOf(url, cookies)));
  return sizes.reduce((sum, size) => sum + size, 0);
}

function sizeOf(url: string, cookie: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  request(url, { headers: { 'accept-encoding': 'gzip', cookie } }, async (response) => {
    resolve(Buffer.concat(await response.toArray()).length);
  })
    .on('error', reject)
    .end();
  return promise;
}

describe('what a first visit loads, fonts included', () => {
  const dashboard = useDashboard();

  test('the sign-in page: at most 250 KB', async (t) => {
    const weight = await weightOf(await dashboard.open('/sign-in', { as: null }));
    t.diagnostic(`${weight} bytes`);
    assert.ok(weight > 50_000 && weight <= 250_000, `${weight} bytes`);
  });

  test('the first page after sign-in: at most 500 KB', async (t) => {
    const weight = await weightOf(await dashboard.open('/'));
    t.diagnostic(`${weight} bytes`);
    assert.ok(weight > 50_000 && weight <= 500_000, `${weight} bytes`);
  });
});
