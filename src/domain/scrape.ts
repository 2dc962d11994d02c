import type { MicroUnits } from '../base/numbers.ts';
import type { CostItem } from './cost.ts';
import type { Failure, Warning } from './failure.ts';
import type { FetchTiming, HeaderList, Page, Redirect } from './fetch-result.ts';
import type { Job, ProxyType, RobotsResult } from './job.ts';
import type { DataMember } from './reading.ts';
import type { ScraperName } from './scrapers.ts';
import type { Verdict } from './verdict.ts';

export const OUTCOMES = [
  'planned',
  'failed',
  'blocked',
  'unaccepted',
  'partial',
  'target_error',
  'ok',
] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** One way of fetching. */
export interface Step {
  readonly scraper: ScraperName;
  readonly proxyType: ProxyType;
}

/** A step that was thought of, with what speaks against it. */
export interface Candidate extends Step {
  readonly estCost: number | null;
  readonly estSuccess: number | null;
  readonly selected: boolean;
  /** Why it is out: `not_built`, `unsupported_option`, `proxy_type`, `only`, `ignore`, `order`, …; null: it is in. */
  readonly excludedBy: string | null;
}

export const STOP_REASONS = [
  'max_attempts',
  'timeout',
  'max_cost',
  'method',
  'sort',
  'refused_before',
] as const;

/** Why `auto` ended without the page before everything that might bring it was tried. */
export interface EarlyStop {
  readonly reason: (typeof STOP_REASONS)[number];
  /** For people. */
  readonly message: string;
}

export interface Attempt {
  /** From 1. */
  readonly n: number;
  readonly scraper: ScraperName;
  readonly proxyType: ProxyType;
  readonly country: string | null;
  readonly outcome: 'ok' | 'rejected' | 'failed' | 'cancelled';
  readonly verdict: Verdict | null;
  readonly statusCode: number | null;
  readonly failure: Failure | null;
  readonly durationMs: number;
  /** What its connections carried, the way through a proxy included. */
  readonly bytesOut: number;
  readonly bytesIn: number;
  /** null: something of it has no price. */
  readonly cost: MicroUnits | null;
  /** What `cost` is made of. */
  readonly costItems: readonly CostItem[];
  /** Why this step was taken now, in words. */
  readonly reason: string;
  readonly reused: readonly string[];
}

/** `content` of the answer: text as UTF-8, or base64 of bytes. `bytes` are what is stored. */
export interface Content {
  readonly encoding: 'utf-8' | 'base64';
  /** UTF-8 of the text, or the raw bytes. */
  readonly bytes: Uint8Array;
}

export interface Delivery {
  readonly page: Page;
  /** null: withheld, because the record could not be stored (contract §8, `service.storage`). */
  readonly content: Content | null;
  /** Which attempt it came from, from 1. */
  readonly attempt: number;
  readonly charset: { readonly name: string; readonly source: string } | null;
  /** Further members of `scraper_data`. They are content, and withheld with it. */
  readonly data: readonly DataMember[];
}

/** The whole of one scrape request, ended. Frozen when made; becomes the reply and the record. */
export interface Scrape {
  /** UUID version 7, text; null: the record could not be stored. */
  readonly id: string | null;
  /** Wall clock, ms since the epoch. */
  readonly createdAt: number;
  readonly job: Job;
  readonly requestId: string;
  /** Status of our own answer; null when the caller hung up. */
  readonly httpStatus: number | null;
  readonly outcome: Outcome;
  readonly delivered: Delivery | null;
  /** `errors[0]` is the cause when `httpStatus` is not 200. */
  readonly errors: readonly Failure[];
  readonly warnings: readonly Warning[];
  readonly attempts: readonly Attempt[];
  readonly candidates: readonly Candidate[];
  readonly stopped: EarlyStop | null;
  readonly verdict: Verdict | null;
  /** Of the delivered page, or of the last attempt. */
  readonly redirects: readonly Redirect[];
  readonly requestHeaders: HeaderList | null;
  readonly remoteIp: string | null;
  readonly timing: Readonly<FetchTiming> & {
    readonly queue: number | null;
    /** Because the site asked for it, or before another try; not part of `queue`. */
    readonly pause: number | null;
    readonly total: number;
  };
  /** Of all attempts; null: no price configured. */
  readonly cost: MicroUnits | null;
  /** What robots.txt said; null: it was not asked. */
  readonly robots: RobotsResult | null;
  /** The operator's currency, or `effort` while nothing is priced. */
  readonly costUnit: string;
  readonly scraper: ScraperName | null;
  readonly proxyType: ProxyType | null;
  /** A method that is sent once may have reached the target: nothing here is retryable. */
  readonly sentOnce: boolean;
}
