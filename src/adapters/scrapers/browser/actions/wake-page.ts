import { setTimeout as pause } from 'node:timers/promises';
import type { CDPSession } from 'playwright-core';

/** What a page that does nothing endless answers in. */
const ANSWER_MS = 150;

/**
 * Ends a script of the page that does not end by itself, so that the page can be read. A page that answers is left alone:
 * there the next script would be the one that ends.
 */
export async function wakePage(session: Pick<CDPSession, 'send'>): Promise<void> {
  const answers = session.send('Page.getLayoutMetrics').then(
    () => true,
    () => true,
  );
  if (await Promise.race([answers, pause(ANSWER_MS, false)])) return;
  await Promise.race([session.send('Runtime.terminateExecution').catch(() => {}), pause(ANSWER_MS)]);
}
