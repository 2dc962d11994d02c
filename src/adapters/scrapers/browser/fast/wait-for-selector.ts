import { setTimeout as pause } from 'node:timers/promises';
import type { BrowserAsk } from '../../../../domain/browser-ask.ts';
import type { FastPage } from './fast-page.ts';
import type { SimpleSelector } from './simple-selector.ts';
import { waitInPage } from './wait-in-page.ts';

/** Another document is there at the latest then, or the same one again. */
const ANEW_MS = 20;

/** See `Tab.waitFor`. Goes on in the next document when the page moves on. */
export async function waitForSelector(
  { session, mainFrame, lost }: Pick<FastPage, 'session' | 'mainFrame' | 'lost'>,
  selector: SimpleSelector,
  state: BrowserAsk['selectorState'],
): Promise<void> {
  const expression = `(${waitInPage})(${JSON.stringify(selector)}, ${JSON.stringify(state)})`;
  for (;;) {
    try {
      const { executionContextId: contextId } = await session.send('Page.createIsolatedWorld', {
        frameId: mainFrame,
        worldName: 'waiter',
      });
      const { exceptionDetails } = await session.send('Runtime.evaluate', {
        expression,
        contextId,
        awaitPromise: true,
        returnByValue: true,
      });
      if (exceptionDetails === undefined) return;
    } catch (error) {
      if (lost.aborted) throw error;
    }
    await pause(ANEW_MS);
  }
}
