import type { PageAction } from './page-action.ts';
import type { ScraperName } from './scrapers.ts';
import type { ProxyType } from './task.ts';

/** What a scrape may wait for. */
export const WAITS = {
  other_request: 'an equal request, whose first attempt shows which method works',
  site: 'its turn at the site: a free slot, or the end of a pause that the site asked for',
  retry: 'the pause before the same method is tried again',
  proxy: 'a free proxy',
  browser: 'a free slot of a browser, or for the browser to start',
  worker: 'a worker to take the scrape',
} as const;

export type WaitKind = keyof typeof WAITS;

/** What a running scrape does now. */
export type ProgressStep =
  | { readonly phase: 'waiting'; readonly waitingFor: WaitKind }
  /** The page is fetched; in a browser it also loads. */
  | { readonly phase: 'fetching' }
  | {
      readonly phase: 'action';
      /** Number of the page action in the request, from 1. Actions in branches of an `if` count as that `if`. */
      readonly n: number;
      /** Number of page actions in the request. */
      readonly of: number;
      readonly type: PageAction['type'];
    }
  /** The response is judged, and formats and data are read from it. */
  | { readonly phase: 'reading' };

export const PROGRESS_PHASES = [
  'waiting',
  'fetching',
  'action',
  'reading',
] as const satisfies readonly ProgressStep['phase'][];

/** An attempt that has begun. */
export interface CurrentAttempt {
  /** From 1. */
  readonly n: number;
  /** The most attempts that there may be. */
  readonly of: number;
  readonly scraper: ScraperName;
  readonly proxyType: ProxyType;
}

/** Called whenever a scrape begins something else. @param attempt that runs, or will begin next; null: not known yet */
export type ReportProgress = (step: ProgressStep, attempt: CurrentAttempt | null) => void;

/** The same within one attempt. */
export type ReportStep = (step: ProgressStep) => void;
