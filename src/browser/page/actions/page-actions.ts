import { basicAuthFromUrl } from '../../../base/credentials.ts';
import { SMALL_BYTES } from '../../../base/memory-budget.ts';
import { orAborted } from '../../../base/wait.ts';
import { computeMimeType } from '../../../content/charset/mime-type.ts';
import { type Failure, isFailure } from '../../../domain/failure.ts';
import type { ActionOf } from '../../../domain/page-action.ts';
import { READING_MEMORY_FACTOR, type ReadingRequest, readingTargets } from '../../../domain/reading.ts';
import { DEFAULT_SCRAPER_OPTIONS } from '../../../domain/scraper-options.ts';
import { takeBlankScreenshot } from '../blank-page.ts';
import { type DocumentSnapshot, readDocument } from '../read-document.ts';
import type { OriginAuthorization } from '../request-overrides.ts';
import { documentUrl } from '../response.ts';
import { type BoundingBox, takeScreenshot } from '../screenshot.ts';
import type { ActionContext, ActionOutcome } from './action-context.ts';
import { evaluateIsolated } from './isolated-world.ts';

export async function goto({ url }: ActionOf<'goto'>, context: ActionContext): Promise<ActionOutcome> {
  const { mainFrame, page } = context.env;
  const target = new URL(url);
  // `MainFrame` cancels authentication requests, so credentials in the URL are sent with the request.
  mainFrame.credentials = takeUrlCredentials(target);
  try {
    return await navigateWith(context, () =>
      page.goto(target.href, { timeout: context.remainingMs, waitUntil: 'load' }),
    );
  } finally {
    mainFrame.credentials = null;
  }
}

/** Removes the credentials from the URL. */
function takeUrlCredentials(url: URL): OriginAuthorization | null {
  const authorization = basicAuthFromUrl(url);
  if (authorization === null) return null;
  url.username = '';
  url.password = '';
  return { origin: url.origin, authorization };
}

export function reload(_: ActionOf<'reload'>, context: ActionContext): Promise<ActionOutcome> {
  return navigateWith(context, () =>
    context.env.page.reload({ timeout: context.remainingMs, waitUntil: 'load' }),
  );
}

export async function back(_: ActionOf<'back'>, context: ActionContext): Promise<ActionOutcome> {
  const { page, session } = context.env;
  const { currentIndex, entries } = await session.send('Page.getNavigationHistory');
  // The first entry is the empty page that the scrape has started with.
  if (currentIndex === 0 || !/^https?:/.test(entries[currentIndex - 1]!.url))
    return { error: 'there is no page to go back to' };
  return navigateWith(context, () => page.goBack({ timeout: context.remainingMs, waitUntil: 'load' }));
}

/** Runs a navigation and returns its result. If it fails, the document that was shown before stays. */
async function navigateWith(
  { env }: ActionContext,
  navigate: () => Promise<unknown>,
): Promise<ActionOutcome> {
  const { mainFrame, session, page } = env;
  const responseBefore = mainFrame.response;
  const failures: Failure[] = [];
  mainFrame.onNavigationFailed = (reason) => void failures.push(reason);
  try {
    await navigate();
  } catch (error) {
    if (failures.length > 0) return { error: failures[0]!.message };
    if (mainFrame.response === responseBefore) await session.send('Page.stopLoading');
    throw error;
  } finally {
    mainFrame.onNavigationFailed = null;
  }
  const { response } = mainFrame;
  if (response === null) return { result: { url: null, status_code: null } };
  // A navigation to a fragment has no response of its own, and scripts may have changed the URL.
  return { result: { url: documentUrl(page.url(), response), status_code: response.status } };
}

export async function captureScreenshot(
  { name, fullPage, at }: ActionOf<'screenshot'>,
  context: ActionContext,
): Promise<ActionOutcome> {
  const {
    session,
    mainFrameId: frameId,
    setViewportHeight,
    memory,
    screenshotTotal,
    guard,
    mainFrame,
  } = context.env;
  const isSecret = guard.isSecret(mainFrame.response);
  const element = at === null ? context.frameElement : context.locate(at);
  const box = async (): Promise<BoundingBox | null> => {
    await element!.scrollIntoViewIfNeeded({ timeout: context.remainingMs });
    return element!.boundingBox({ timeout: context.remainingMs });
  };
  // If there is no such element, the error is the same as that of other actions.
  if (element !== null) await element.waitFor({ state: 'visible', timeout: context.remainingMs });
  const area = element !== null && !isSecret ? box : fullPage ? 'page' : 'viewport';
  const { signal } = context;
  const request = { area, type: 'image/png', quality: null } as const;
  const take = isSecret ? takeBlankScreenshot : takeScreenshot;
  const taken = await take({ session, frameId, setViewportHeight }, request, {
    signal,
    remainingMs: context.remainingMs,
    memory,
    total: screenshotTotal,
  });
  if (isFailure(taken)) return { error: taken.message };
  const { screenshot, warning } = taken;
  return { screenshot: { ...screenshot, name }, warnings: warning === null ? [] : [warning] };
}

/** Extracts data from the current document, as `scraper_options.extract` does from the delivered page. */
export async function extract(
  { rules }: ActionOf<'extract'>,
  context: ActionContext,
): Promise<ActionOutcome> {
  const { reader, memory } = context.env;
  const { signal } = context;
  const { html, url, type, cut } = await readShownDocument(context);
  const bytes = new Uint8Array(Buffer.from(html));
  const { kind, essence } = computeMimeType([['content-type', `${type}; charset=utf-8`]], bytes);
  if (kind === 'binary') return { error: `the document is ${essence}` };
  const request: ReadingRequest = {
    ...readingTargets({ ...DEFAULT_SCRAPER_OPTIONS, extract: rules }, '/scraper_options'),
    kind,
    essence,
    charset: 'UTF-8',
    url,
    scripting: context.env.scripting,
    frames: [],
    selector: null,
    jsonPath: null,
    finds: null,
  };
  const needed = bytes.length > SMALL_BYTES ? (1 + READING_MEMORY_FACTOR) * bytes.length : 0;
  const release = needed === 0 ? () => {} : await memory.reserveTemporarily(needed, signal);
  if (release === null) throw signal.reason;
  try {
    const reading = await reader.read(bytes, request, { ms: context.remainingMs, signal });
    if (reading === null) throw signal.reason;
    // The only entry is that of `extract`.
    const [, extractedJson] = reading.data[0]!;
    const result: unknown = JSON.parse(extractedJson);
    const failed = reading.failures.find(({ code }) => code === 'extract.failed');
    const truncated = reading.failures.find(({ code }) => code === 'content.truncated');
    return {
      result,
      ...(failed === undefined ? {} : { error: failed.message }),
      ...(cut ? { truncation: 'The document is too long to be read completely.' } : {}),
      ...(truncated === undefined ? {} : { truncation: truncated.message }),
    };
  } finally {
    release();
  }
}

async function readShownDocument(context: ActionContext): Promise<DocumentSnapshot> {
  const { session, mainFrameId, maxContentBytes } = context.env;
  const { signal } = context;
  if (context.frameElement === null)
    return readDocument(session as never, mainFrameId, maxContentBytes, signal);
  const read = evaluateIsolated(context.root, 'readDocument', maxContentBytes, {
    timeout: context.remainingMs,
  });
  return await orAborted(read, signal);
}
