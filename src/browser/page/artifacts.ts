import type { Page } from 'playwright-core';
import { type Failure, failure, isFailure, type Warning } from '../../domain/failure.ts';
import type { Page as FetchedBody } from '../../domain/fetch-result.ts';
import type { FetchRequest } from '../../ports/scraper.ts';
import type { NetworkCapture } from './network-capture.ts';
import { PAGE_CRASHED } from './scrape-failure.ts';
import type { ScreenshotTarget } from './screenshot.ts';
import { locateBox, takeScreenshot } from './screenshot.ts';

/** The screenshot and the captured exchanges of a page. */
export interface PageArtifacts {
  readonly fields: Pick<FetchedBody, 'screenshot' | 'network'>;
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
  /** Bytes of all screenshots so far. */
  readonly screenshotTotal: { bytes: number };
}

const SCREENSHOT_POINTER = '/screenshot';
const SELECTOR_POINTER = '/scraper_options/screenshot/selector';

/** Takes the screenshot, and collects the captured exchanges. The content was read before, so no error here can lose it. */
export async function collectArtifacts(
  { job, reservation, deadline }: FetchRequest,
  { page, target, capture, screenshotTotal }: ArtifactOptions,
  signal: AbortSignal,
): Promise<PageArtifacts> {
  const fields: { -readonly [K in keyof PageArtifacts['fields']]: PageArtifacts['fields'][K] } = {};
  const failures: Failure[] = [];
  const warnings: Warning[] = [];
  if (capture !== null) {
    const { network, failure: cut } = await capture.finish(signal);
    fields.network = network;
    if (cut !== null) failures.push(cut);
  }
  if (!job.browser.screenshot) return { fields, failures, warnings };
  if (target === null) {
    failures.push(
      failure('screenshot.failed', 'There is no screenshot: the browser does not display this response.', {
        pointer: SCREENSHOT_POINTER,
      }),
    );
    return { fields, failures, warnings };
  }
  const { selector, fullPage, type, quality } = job.options.screenshot;
  const element = selector === null || page === null ? null : () => locateBox(page.locator(selector));
  const area = element ?? (fullPage ? 'page' : 'viewport');
  const taken = await takeScreenshot(
    target,
    { area, type, quality },
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
    if (taken.warning !== null) warnings.push(taken.warning);
  }
  return { fields, failures, warnings };
}
