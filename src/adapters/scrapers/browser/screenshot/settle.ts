import { setTimeout as pause } from 'node:timers/promises';
import { orAborted } from '../visit/raw-body.ts';
import type { ShownPage } from './shown-page.ts';

/** A font that has not come by then is drawn as the one in its place. */
const FONTS_MS = 1_000;

export interface Screen {
  /** Pixels of a picture for each of the page. */
  readonly scale: number;
  /** It is one to be touched. */
  readonly touch: boolean;
}

const SCREEN = "({ scale: devicePixelRatio, touch: matchMedia('(pointer: coarse)').matches })";

/**
 * Waits for the fonts that the page wants to be drawn with; animations go on. All in a world of its own, in which the page
 * has changed nothing. Rejects with the signal, or with the page.
 */
export async function settle({ session, frameId }: ShownPage, signal: AbortSignal): Promise<Screen> {
  const { executionContextId: contextId } = await orAborted(
    session.send('Page.createIsolatedWorld', { frameId, worldName: 'picture' }),
    signal,
  );
  const inPage = (expression: string, awaitPromise: boolean) =>
    orAborted(
      session.send('Runtime.evaluate', { expression, contextId, awaitPromise, returnByValue: true }),
      signal,
    );
  const late = new AbortController();
  const fonts = inPage('document.fonts?.ready.then(() => null)', true);
  try {
    await Promise.race([fonts, pause(FONTS_MS, null, { signal: late.signal }).catch(() => null)]);
  } finally {
    late.abort();
  }
  const { result } = await inPage(SCREEN, false);
  return result.value as Screen;
}
