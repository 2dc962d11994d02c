import { basicAuthFromUrl } from '../../../base/credentials.ts';
import { SMALL_BYTES } from '../../../base/memory-budget.ts';
import { orAborted } from '../../../base/wait.ts';
import { computeMimeType } from '../../../content/mime-type.ts';
import { type Failure, isFailure } from '../../../domain/failure.ts';
import type { ActionOf } from '../../../domain/page-action.ts';
import { READING_MEMORY_FACTOR, type ReadingRequest } from '../../../domain/reading.ts';
import { type DocumentSnapshot, readDocument } from '../read-document.ts';
import type { OriginAuthorization } from '../request-overrides.ts';
import { documentUrl } from '../response.ts';
import { type BoundingBox, takeScreenshot } from '../screenshot.ts';
import type { ActionContext, ActionOutcome } from './action-context.ts';
import { evaluateIsolated } from './isolated-world.ts';

export async function goto({ url }: ActionOf<'goto'>, turn: ActionContext): Promise<ActionOutcome> {
  const { mainFrame, page } = turn.env;
  const to = new URL(url);
  // Browsers answer nobody's question for a name and password; those in the URL go out with the request.
  mainFrame.credentials = takeUrlCredentials(to);
  try {
    return await navigateWith(turn, () =>
      page.goto(to.href, { timeout: turn.remainingMs, waitUntil: 'load' }),
    );
  } finally {
    mainFrame.credentials = null;
  }
}

/** Takes them out of the URL. */
function takeUrlCredentials(url: URL): OriginAuthorization | null {
  const authorization = basicAuthFromUrl(url);
  if (authorization === null) return null;
  url.username = '';
  url.password = '';
  return { origin: url.origin, authorization };
}

export function reload(_: ActionOf<'reload'>, turn: ActionContext): Promise<ActionOutcome> {
  return navigateWith(turn, () => turn.env.page.reload({ timeout: turn.remainingMs, waitUntil: 'load' }));
}

export async function back(_: ActionOf<'back'>, turn: ActionContext): Promise<ActionOutcome> {
  const { page, session } = turn.env;
  const { currentIndex, entries } = await session.send('Page.getNavigationHistory');
  // The first entry is the empty page that every tab begins with.
  if (currentIndex === 0 || !/^https?:/.test(entries[currentIndex - 1]!.url))
    return { error: 'there is no page to go back to' };
  return navigateWith(turn, () => page.goBack({ timeout: turn.remainingMs, waitUntil: 'load' }));
}

/** What leads nowhere leaves the document that is shown. */
async function navigateWith({ env }: ActionContext, go: () => Promise<unknown>): Promise<ActionOutcome> {
  const { mainFrame, session, page } = env;
  const before = mainFrame.response;
  const lost: Failure[] = [];
  mainFrame.onLost = (why) => void lost.push(why);
  try {
    await go();
  } catch (error) {
    if (lost.length > 0) return { error: lost[0]!.message };
    if (mainFrame.response === before) await session.send('Page.stopLoading');
    throw error;
  } finally {
    mainFrame.onLost = null;
  }
  const { response } = mainFrame;
  if (response === null) return { result: { url: null, status_code: null } };
  // A place in the same document has no answer of its own, and a page may have changed its address.
  return { result: { url: documentUrl(page.url(), response), status_code: response.status } };
}

export async function captureScreenshot(
  { name, fullPage, at }: ActionOf<'screenshot'>,
  turn: ActionContext,
): Promise<ActionOutcome> {
  const { session, mainFrameId: frameId, setViewportHeight, memory, screenshotTotal } = turn.env;
  const element = at === null ? turn.frameElement : turn.locate(at);
  const box = async (): Promise<BoundingBox | null> => {
    await element!.scrollIntoViewIfNeeded({ timeout: turn.remainingMs });
    return element!.boundingBox({ timeout: turn.remainingMs });
  };
  // So that what is not there is told like with every other action.
  if (element !== null) await element.waitFor({ state: 'visible', timeout: turn.remainingMs });
  const area = element !== null ? box : fullPage ? 'page' : 'viewport';
  const { signal } = turn;
  const ask = { area, type: 'image/png', quality: null } as const;
  const taken = await takeScreenshot({ session, frameId, setViewportHeight }, ask, {
    signal,
    remainingMs: turn.remainingMs,
    memory,
    total: screenshotTotal,
  });
  if (isFailure(taken)) return { error: taken.message };
  const { screenshot, warning } = taken;
  return { screenshot: { ...screenshot, name }, warnings: warning === null ? [] : [warning] };
}

/** Reads data from the document as it stands, as `scraper_options.extract` does from the page that is delivered. */
export async function extract({ rules }: ActionOf<'extract'>, turn: ActionContext): Promise<ActionOutcome> {
  const { reader, memory } = turn.env;
  const { signal } = turn;
  const { html, url, type, cut } = await readShownDocument(turn);
  const bytes = new Uint8Array(Buffer.from(html));
  const { kind, essence } = computeMimeType([['content-type', `${type}; charset=utf-8`]], bytes);
  if (kind === 'binary') return { error: `the document is ${essence}` };
  const ask: ReadingRequest = {
    kind,
    essence,
    charset: 'UTF-8',
    url,
    scripting: turn.env.scripting,
    frames: [],
    formats: [],
    extract: rules,
    selector: null,
    jsonPath: null,
  };
  const needed = bytes.length > SMALL_BYTES ? (1 + READING_MEMORY_FACTOR) * bytes.length : 0;
  const giveBack = needed === 0 ? () => {} : await memory.reserveTemporarily(needed, signal);
  if (giveBack === null) throw signal.reason;
  try {
    const reading = await reader.read(bytes, ask, { ms: turn.remainingMs, signal });
    if (reading === null) throw signal.reason;
    const result: unknown = JSON.parse(reading.data[0]![1]);
    const failed = reading.failures.find(({ code }) => code === 'extract.failed');
    const short = reading.failures.find(({ code }) => code === 'content.truncated');
    return {
      result,
      ...(failed === undefined ? {} : { error: failed.message }),
      ...(cut ? { truncation: 'The document is too long to be read completely.' } : {}),
      ...(short === undefined ? {} : { truncation: short.message }),
    };
  } finally {
    giveBack();
  }
}

async function readShownDocument(turn: ActionContext): Promise<DocumentSnapshot> {
  const { session, mainFrameId, maxContentBytes } = turn.env;
  const { signal } = turn;
  if (turn.frameElement === null) return readDocument(session as never, mainFrameId, maxContentBytes, signal);
  const read = evaluateIsolated(turn.root, 'readDocument', maxContentBytes, { timeout: turn.remainingMs });
  return await orAborted(read, signal);
}
