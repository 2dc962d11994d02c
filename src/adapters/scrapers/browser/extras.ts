import type { Page } from 'playwright-core';
import { type Failure, failure, type Warning } from '../../../domain/failure.ts';
import type { Page as FetchedBody } from '../../../domain/fetched.ts';
import type { FetchOrder } from '../../../ports/scraper.ts';
import type { Capture } from './capture/capture.ts';
import { boxOf } from './screenshot/box-of.ts';
import type { ShownPage } from './screenshot/shown-page.ts';
import { takeScreenshot } from './screenshot/take.ts';
import { CRASHED } from './why-ended.ts';

export interface Extras {
  readonly of: Pick<FetchedBody, 'screenshot' | 'network'>;
  readonly missed: readonly Failure[];
  readonly warnings: readonly Warning[];
}

export interface ExtrasParts {
  /** For pictures of an element. */
  readonly page: Page | null;
  /** null: the browser shows nothing of the answer. */
  readonly shown: ShownPage | null;
  readonly capture: Capture | null;
  /** Bytes of the pictures so far. */
  readonly album: { bytes: number };
}

/** What is taken of a page beside its content, once that has been read: nothing that happens now can take it away. */
export async function extrasOf(
  { job, room, deadline }: FetchOrder,
  { page, shown, capture, album }: ExtrasParts,
  signal: AbortSignal,
): Promise<Extras> {
  const of: { -readonly [K in keyof Extras['of']]: Extras['of'][K] } = {};
  const missed: Failure[] = [];
  const warnings: Warning[] = [];
  if (capture !== null) {
    const { network, failure: cut } = await capture.end(signal);
    of.network = network;
    if (cut !== null) missed.push(cut);
  }
  const { picture } = job.browser;
  if (picture === null) return { of, missed, warnings };
  if (shown === null) {
    missed.push(
      failure('screenshot.failed', 'There is no screenshot: the browser does not display this response.', AT),
    );
    return { of, missed, warnings };
  }
  const { selector, fullPage, type, quality } = picture;
  const element = selector === null || page === null ? null : () => boxOf(page.locator(selector));
  const area = element ?? (fullPage ? 'page' : 'viewport');
  const taken = await takeScreenshot(
    shown,
    { area, type, quality },
    {
      signal,
      leftMs: deadline.remaining(),
      room,
      album,
    },
  );
  if ('code' in taken) {
    const crashed = signal.reason === CRASHED ? { message: 'There is no screenshot: the page crashed.' } : {};
    missed.push({ ...taken, ...crashed, pointer: element === null ? AT.pointer : SELECTOR });
  } else {
    of.screenshot = taken.screenshot;
    if (taken.clamped !== null) warnings.push(taken.clamped);
  }
  return { of, missed, warnings };
}

const AT = { pointer: '/screenshot' };
const SELECTOR = '/scraper_options/screenshot/selector';
