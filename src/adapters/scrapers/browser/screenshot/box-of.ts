import type { Locator } from 'playwright-core';
import type { Box } from './take.ts';

/** An element that does not come to rest is taken where it is. */
const RESTING_MS = 2_000;

/** Where the first element that matches lies, scrolled into view; null: there is none. Rejects with the page. */
export async function boxOf(locator: Locator): Promise<Box | null> {
  if ((await locator.count()) === 0) return null;
  const first = locator.first();
  await first.scrollIntoViewIfNeeded({ timeout: RESTING_MS }).catch(() => {});
  return (await first.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
}
