import type { MicroUnits } from '../base/numbers.ts';
import type { CostItem, PricedModelUse } from './cost.ts';
import type { Failure, Warning } from './failure.ts';
import type { FetchTiming, HeaderList, Page, Redirect } from './fetch-result.ts';
import type { FoundLinks } from './found-links.ts';
import type { DataMember, RuleResult } from './reading.ts';
import type { ScraperName } from './scrapers.ts';
import type { ProxyType, RobotsResult, Task } from './task.ts';
import type { VendorUse } from './vendors.ts';
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

/** A scraper and a proxy type: the route that an attempt takes. */
export interface Step {
  readonly scraper: ScraperName;
  readonly proxyType: ProxyType;
}

/** A step that the router considered, for the trace and for error messages. */
export interface Candidate extends Step {
  readonly estCost: number | null;
  readonly estSuccess: number | null;
  /** Usual duration of an attempt, including `estWaitMs`. */
  readonly estMs: number | null;
  /** For vendors: how long the attempt would wait, because all slots of the account are taken. Absent: a slot is free. */
  readonly estWaitMs?: number;
  readonly selected: boolean;
  /** Why it was excluded: `unavailable`, `unsupported_option …`, `only`, `max_cost`, a failure code, …; null: it was not. */
  readonly excludedBy: string | null;
}

export const STOP_REASONS = [
  'max_attempts',
  'timeout',
  'max_cost',
  'method',
  'sort',
  'refused_before',
  'answered',
] as const;

/** Why `auto` gave up although untried steps might have got the page. */
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
  /** No proxy was used: the target saw the address of this service. */
  readonly direct: boolean;
  readonly country: string | null;
  readonly outcome: 'ok' | 'rejected' | 'failed' | 'cancelled';
  readonly verdict: Verdict | null;
  readonly statusCode: number | null;
  readonly failure: Failure | null;
  /** Wall clock, ms since the epoch. */
  readonly startedAt: number;
  readonly durationMs: number;
  /** Waiting for an exit and for a browser, ms; part of `durationMs`. */
  readonly queuedMs: number;
  readonly timing: Readonly<FetchTiming>;
  /** Traffic of all its connections, including the overhead of the proxy. */
  readonly bytesOut: number;
  readonly bytesIn: number;
  /** null: a part of it has no price. */
  readonly cost: MicroUnits | null;
  /** Their costs sum up to `cost`. */
  readonly costItems: readonly CostItem[];
  /** Why the router chose this step, in words. */
  readonly reason: string;
  /** What it reused from earlier attempts, such as cookies. */
  readonly reused: readonly string[];
  /** It logged in with the credentials of the profile; its page is never delivered. */
  readonly isLogIn?: true;
}

/** What the target sent, decoded. See `returnedContent`. */
export interface Content {
  readonly encoding: 'utf-8' | 'base64';
  /** The text in UTF-8, or the raw bytes: base64 is made only for the answer. Stored in this form. */
  readonly bytes: Uint8Array;
}

export interface Delivery {
  readonly page: Page;
  /** null: withheld, because the record could not be stored (contract §8, `service.storage`). */
  readonly content: Content | null;
  /** Number of the attempt that got the page, from 1. */
  readonly attempt: number;
  readonly charset: { readonly name: string; readonly source: string } | null;
  /** Further members of `scraper_data`, such as formats. Withheld together with `content`. */
  readonly data: readonly DataMember[];
  /** What the rules of `extract` found. */
  readonly rules: readonly RuleResult[];
  /** For a crawl or a map; null: they were not asked for. */
  readonly found: FoundLinks | null;
  /** Who fetched the page; absent: a scraper of this program. */
  readonly vendor?: VendorUse;
}

/** A finished scrape, frozen. The answer and the record are made from it. */
export interface Scrape {
  /** UUID version 7; null: the record could not be stored. */
  readonly id: string | null;
  /** Wall clock, ms since the epoch. */
  readonly createdAt: number;
  /** When the work began; later than `createdAt` if the scrape had waited as a part of a job. */
  readonly startedAt: number;
  readonly task: Task;
  readonly requestId: string;
  /** Status of the response to the caller; null: the caller disconnected. */
  readonly httpStatus: number | null;
  readonly outcome: Outcome;
  readonly delivered: Delivery | null;
  /** If `httpStatus` is not 200, `errors[0]` is the cause. */
  readonly errors: readonly Failure[];
  readonly warnings: readonly Warning[];
  readonly attempts: readonly Attempt[];
  readonly candidates: readonly Candidate[];
  readonly stopped: EarlyStop | null;
  readonly verdict: Verdict | null;
  /** This and the next three members are those of the delivered page, else of the last attempt. */
  readonly redirects: readonly Redirect[];
  readonly requestHeaders: HeaderList | null;
  readonly remoteIp: string | null;
  readonly timing: Readonly<FetchTiming> & {
    readonly queue: number | null;
    /** Waits that the site asked for, and waits before a retry; not part of `queue`. */
    readonly pause: number | null;
    readonly total: number;
  };
  /** What a model was asked for the format `json`; null: none was asked. */
  readonly model: PricedModelUse | null;
  /** Of all attempts and the model together; null: no prices are configured, or a part has no price. */
  readonly cost: MicroUnits | null;
  /** null: robots.txt was not checked. */
  readonly robots: RobotsResult | null;
  /** The operator's currency; `effort` if no prices are configured. */
  readonly costUnit: string;
  readonly scraper: ScraperName | null;
  readonly proxyType: ProxyType | null;
  /** See `Attempt`; null: there was no attempt. */
  readonly direct: boolean | null;
  /** The request may have reached the target. */
  readonly sent: boolean;
  /** The method may not be repeated, and the request may have reached the target: no error is reported as retryable. */
  readonly sentOnce: boolean;
}

/** `content` of the answer; null: there is none, or the request does not want it back (`return_content: false`). */
export const returnedContent = ({ task, delivered }: Pick<Scrape, 'task' | 'delivered'>): Content | null =>
  task.options.returnContent ? (delivered?.content ?? null) : null;

/** Duration without pauses, ms. A pause says nothing about how fast a site or a method is. */
export const activeMs = ({ timing }: Pick<Scrape, 'timing'>): number =>
  Math.max(0, timing.total - (timing.pause ?? 0));
