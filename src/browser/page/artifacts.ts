import type { Page } from 'playwright-core';
import { type Failure, failure, isFailure, type Warning } from '../../domain/failure.ts';
import type { Page as TargetPage } from '../../domain/fetch-result.ts';
import { wantsMainContent } from '../../domain/reading.ts';
import type { FetchRequest } from '../../ports/scraper.ts';
import { printBlankPage, takeBlankScreenshot } from './blank-page.ts';
import { type Downloads, filesLimit } from './downloads.ts';
import type { NetworkCapture } from './network-capture.ts';
import { pdfFailure, printPage } from './print.ts';
import { PAGE_CRASHED } from './scrape-failure.ts';
import type { ScreenshotTarget } from './screenshot.ts';
import { locateBox, takeScreenshot } from './screenshot.ts';

/** The screenshot, the files and the captured exchanges of a page. */
export interface PageArtifacts {
  readonly fields: Pick<TargetPage, 'screenshot' | 'elementBoxes' | 'pdf' | 'downloads' | 'network'>;
  /** Why something that the caller requested is missing or incomplete. */
  readonly failures: readonly Failure[];
  readonly warnings: readonly Warning[];
}

export interface ArtifactOptions {
  /** Playwright's page, for screenshots of an element; null: the driver is `cdp`, which is not used for them. */
  readonly page: Page | null;
  /** null: the browser does not show the response. */
  readonly target: ScreenshotTarget | null;
  readonly capture: NetworkCapture | null;
  /** null: the page cannot save files. */
  readonly downloads: Downloads | null;
  /** When the last action ended that may have saved a file, by `performance.now()`. */
  readonly lastEffectAt: number;
  /** The page shows what `login` has typed: pictures of it are blank. */
  readonly isSecret: boolean;
  /** Bytes of all screenshots so far. */
  readonly screenshotTotal: { bytes: number };
}

const SCREENSHOT_POINTER = '/screenshot';
const SELECTOR_POINTER = '/scraper_options/screenshot/selector';

type ArtifactFields = { -readonly [K in keyof PageArtifacts['fields']]: PageArtifacts['fields'][K] };

/** What is gathered of a page, until it is complete. */
interface Gathered {
  readonly fields: ArtifactFields;
  readonly failures: Failure[];
  readonly warnings: Warning[];
}

/**
 * Takes the screenshot, prints the page, and collects captured exchanges and downloads. The content was read before, so no error
 * here can lose it.
 */
export async function collectArtifacts(
  request: FetchRequest,
  options: ArtifactOptions,
  signal: AbortSignal,
): Promise<PageArtifacts> {
  const { task } = request;
  const gathered: Gathered = { fields: {}, failures: [], warnings: [] };
  if (options.capture !== null) {
    const { network, failure: cut } = await options.capture.finish(signal);
    gathered.fields.network = network;
    if (cut !== null) gathered.failures.push(cut);
  }
  if (task.browser.screenshot) await addScreenshot(gathered, request, options, signal);
  const total = { bytes: 0 };
  if (task.options.pdf !== null) await addPdf(gathered, request, options, total, signal);
  const files = (await options.downloads?.collect(request, total, options.lastEffectAt, signal)) ?? [];
  if (files.length > 0) gathered.fields.downloads = files;
  return gathered;
}

async function addScreenshot(
  { fields, failures, warnings }: Gathered,
  { task, reservation, deadline }: FetchRequest,
  { page, target, screenshotTotal, isSecret }: ArtifactOptions,
  signal: AbortSignal,
): Promise<void> {
  if (target === null) {
    failures.push(
      failure('screenshot.failed', 'There is no screenshot: the browser does not display this response.', {
        pointer: SCREENSHOT_POINTER,
      }),
    );
    return;
  }
  const { selector, fullPage, type, quality } = task.options.screenshot;
  const element =
    selector === null || page === null || isSecret ? null : () => locateBox(page.locator(selector));
  const area = element ?? (fullPage ? 'page' : 'viewport');
  const withBoxes = wantsMainContent(task.options);
  const taken = await (isSecret ? takeBlankScreenshot : takeScreenshot)(
    target,
    { area, type, quality, withBoxes },
    {
      signal,
      remainingMs: deadline.remaining(),
      memory: reservation,
      total: screenshotTotal,
    },
  );
  if (isFailure(taken)) {
    const crashed =
      signal.reason === PAGE_CRASHED ? { message: 'There is no screenshot: the page crashed.' } : {};
    failures.push({
      ...taken,
      ...crashed,
      pointer: element === null ? SCREENSHOT_POINTER : SELECTOR_POINTER,
    });
  } else {
    fields.screenshot = taken.screenshot;
    if (withBoxes) fields.elementBoxes = taken.boxes;
    if (taken.warning !== null) warnings.push(taken.warning);
  }
}

async function addPdf(
  { fields, failures }: Gathered,
  { task, reservation, deadline }: FetchRequest,
  { target, isSecret }: ArtifactOptions,
  total: { bytes: number },
  signal: AbortSignal,
): Promise<void> {
  const printed =
    target === null
      ? pdfFailure('the browser does not display this response')
      : await (isSecret ? printBlankPage : printPage)(target, task.options.pdf!, {
          signal,
          remainingMs: deadline.remaining(),
          memory: reservation,
          total,
          maxTotalBytes: filesLimit(task),
        });
  if (!isFailure(printed)) fields.pdf = printed;
  else failures.push(signal.reason === PAGE_CRASHED ? pdfFailure('the page crashed') : printed);
}
