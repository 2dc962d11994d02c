import type { Request } from 'playwright-core';
import type { Turn } from './turn.ts';

// After a click or a key Playwright waits until the page that it leads to is shown, and fails with a timeout when that takes
// longer than the action has. What was dispatched is done all the same.

/** Settles when a click was done, and the page that it leads to has come or takes too long. */
export async function clicked(clicking: Promise<void>): Promise<void> {
  try {
    await clicking;
  } catch (error) {
    if (!/click action done/.test((error as Error).message)) throw error;
  }
}

/** The same of a key on an element. Playwright's log does not tell when it was done: that the page goes elsewhere does. */
export async function pressed({ stage: { page } }: Turn, press: () => Promise<void>): Promise<void> {
  const leading: Request[] = [];
  const onRequest = (request: Request) => {
    if (request.isNavigationRequest()) leading.push(request);
  };
  page.on('request', onRequest);
  try {
    await press();
  } catch (error) {
    const { name, message } = error as Error;
    const leads = leading.some((request) => request.frame() === page.mainFrame());
    if (!leads || name !== 'TimeoutError' || !message.includes('elementHandle.press')) throw error;
  } finally {
    page.off('request', onRequest);
  }
}
