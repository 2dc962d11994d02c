/**
 * Measures the frames of the dashboard's history while one scrolls it by wheel in Chromium: slowly, fast to the last record,
 * and there slowly back. `node bench/dashboard-list.ts [records]`
 */
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { openSqliteStore } from '../src/adapters/store/sqlite/open-sqlite-store.ts';
import { buildDashboard } from '../test/dashboard/build-dashboard.ts';
import { ADMIN, launchChromium, newPage, settled } from '../test/dashboard/use-dashboard.ts';
import { startService } from '../test/helpers/service.ts';
import { makeRecords } from './lib/made-history.ts';
import { fixed, provenance, table, whole } from './lib/report.ts';
import { median, quantile } from './lib/statistics.ts';

const total = Number(process.argv[2] ?? 100_000);
const FAST_PX = 1_200;
/** One notch of most wheels. */
const SLOW_PX = 120;
const SLOW_EVENTS = 400;

/** Frame times in ms while `scroll` runs. */
async function frames(page: Page, scroll: () => Promise<void>): Promise<number[]> {
  await page.evaluate(() => {
    const times: number[] = [];
    Object.assign(globalThis, { frameTimes: times });
    const next = (at: number) => {
      times.push(at);
      requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  });
  await scroll();
  const times = await page.evaluate(() =>
    (globalThis as unknown as { frameTimes: number[] }).frameTimes.splice(0),
  );
  return times.slice(1).map((at, n) => at - times[n]!);
}

const lastRow = (page: Page): Promise<number> =>
  page
    .locator('tr[data-index]')
    .last()
    .evaluate((row) => Number((row as HTMLElement).dataset.index));

async function toEnd(page: Page): Promise<void> {
  for (let moved = 0; (await lastRow(page)) < total - 1; moved++) {
    await page.mouse.wheel(0, FAST_PX);
    if (moved > total) throw new Error('the end is not reached');
  }
}

async function slowly(page: Page, px: number): Promise<void> {
  for (let n = 0; n < SLOW_EVENTS; n++) await page.mouse.wheel(0, px);
}

await buildDashboard();
await using service = await startService({
  SLUICE_DASHBOARD: 'true',
  SLUICE_ADMIN_PASSWORD: ADMIN.password,
});
const users = await service.api<{ items: { id: string }[] }>('GET', '/api/v1/users/');
const store = await openSqliteStore({ file: join(service.dataDir, 'sluice.db'), durability: 'normal' });
const seeding = performance.now();
await makeRecords(store, total, users.body.items[0]!.id, Date.now());
await store.close();
const seeded = performance.now() - seeding;
const browser = await launchChromium();
try {
  const page = await newPage(browser, service.base, {}, console.error);
  await page.goto('/history?live=off');
  await settled(page);
  await page.mouse.move(700, 500);
  const rows: string[][] = [];
  for (const [name, scroll] of [
    [`${SLOW_PX} px an event, from the top`, () => slowly(page, SLOW_PX)],
    [`${FAST_PX} px an event, to row ${whole(total)}`, () => toEnd(page)],
    [`${SLOW_PX} px an event, up from the end`, () => slowly(page, -SLOW_PX)],
  ] as const) {
    const times = await frames(page, scroll);
    rows.push([
      name,
      whole(times.length),
      ...[median(times), quantile(times, 0.95), quantile(times, 0.99), Math.max(...times)].map((ms) =>
        fixed(ms, 1),
      ),
      whole(await page.locator('tr[data-index]').count()),
    ]);
  }
  console.log(provenance('node bench/dashboard-list.ts'));
  console.log(
    `${whole(total)} records, stored in ${fixed(seeded / 1000, 1)} s. Chromium ${browser.version()}, 1280 × 800.\n`,
  );
  console.log(table(['Scroll', 'Frames', 'p50 ms', 'p95 ms', 'p99 ms', 'worst ms', 'Rows in the DOM'], rows));
} finally {
  await browser.close();
}
