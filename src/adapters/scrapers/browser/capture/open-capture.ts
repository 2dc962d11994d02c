import type { BrowserContext, Page } from 'playwright-core';
import type { FetchOrder } from '../../../../ports/scraper.ts';
import { Capture } from './capture.ts';

/** null: nothing is to be captured. Its session has limits of its own for what the browser keeps. */
export async function openCapture(
  full: { readonly page: Page; readonly context: BrowserContext } | null,
  { job, room }: FetchOrder,
): Promise<Capture | null> {
  const { capture: filters } = job.browser;
  if (filters.length === 0 || full === null) return null;
  const capture = new Capture(await full.context.newCDPSession(full.page), filters, room);
  await capture.begin();
  return capture;
}
