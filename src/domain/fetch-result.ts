import type { CapturedExchange, Screenshot } from './captures.ts';
import type { Failure, Warning } from './failure.ts';
import type { ActionResult } from './page-action.ts';
import type { FrameDocument } from './reading.ts';

/** One answer 3xx of the main document. `statusCode` is null for navigations that the page started. */
export interface Redirect {
  /** The URL that gave the redirect, without credentials. */
  readonly url: string;
  readonly statusCode: number | null;
}

/** A cookie that the target set, in its last state. */
export interface TargetCookie {
  readonly name: string;
  readonly value: string;
  readonly domain: string;
  readonly path: string;
  /** Seconds since the epoch; null for session cookies. */
  readonly expires: number | null;
  readonly secure: boolean;
  readonly httpOnly: boolean;
  readonly sameSite: string | null;
}

/** Milliseconds; null where it is not known or did not happen. Of all hops together. */
export interface FetchTiming {
  dns: number | null;
  connect: number | null;
  tls: number | null;
  ttfb: number | null;
  download: number | null;
  load: number | null;
  wait: number | null;
  actions: number | null;
}

/** Nothing is known of any phase. */
export const NO_TIMING: Readonly<FetchTiming> = Object.freeze({
  dns: null,
  connect: null,
  tls: null,
  ttfb: null,
  download: null,
  load: null,
  wait: null,
  actions: null,
});

export type HeaderList = readonly (readonly [name: string, value: string])[];

export interface Page {
  readonly statusCode: number;
  /** In the order of the wire, names lower-case, one entry a field line. */
  readonly headers: HeaderList;
  /** Without credentials, fragment as Fetch inherits it. */
  readonly finalUrl: string;
  /** The method of the request that this page answers (a redirect may have changed it). */
  readonly method: string;
  /** After content decoding, at most `maxContentBytes`. */
  readonly body: Uint8Array;
  /** Why the body is not whole; null when it is. */
  readonly cut: Failure | null;
  /** Nothing could be decoded: `body` is the bytes as they came. */
  readonly undecoded: boolean;
  readonly cookies: readonly TargetCookie[];
  /** The Content-Type by which the body is to be read, where it is not that of the headers: a document written anew. */
  readonly contentTypeOverride?: string;
  /** What its frames show, where that was looked at. */
  readonly frames?: readonly FrameDocument[];
  /** What was asked beside the page and did not come. */
  readonly missingParts?: readonly Failure[];
  /** The picture that `screenshot` asks for. */
  readonly screenshot?: Screenshot;
  /** What `capture` asks for, in the order in which the page asked for it. */
  readonly network?: readonly CapturedExchange[];
  /**
   * What became of the page actions, in their order: those of the branch of an `if` that was gone follow it, those of
   * the other do not stand here.
   */
  readonly actions?: readonly ActionResult[];
  /** Why the answer is a failure although there is this page: an action with `on_error: fail`. */
  readonly fatal?: Failure;
}

/** What both endings of a fetch tell. */
export interface FetchFacts {
  readonly redirects: readonly Redirect[];
  /** Of the last request sent, names lower-case; null when none was. Secrets NOT masked. */
  readonly requestHeaders: HeaderList | null;
  readonly remoteIp: string | null;
  readonly timing: Readonly<FetchTiming>;
  /** Any byte of a request may have reached the target (or a proxy that would have passed it on). */
  readonly sent: boolean;
  readonly warnings: readonly Warning[];
  readonly bytesOut: number;
  readonly bytesIn: number;
  /** Spent waiting for a place to work in. */
  readonly queuedMs?: number;
  /** What was taken from an attempt before: `document`. */
  readonly reused?: readonly string[];
}

export interface FetchedPage extends FetchFacts {
  readonly page: Page;
  readonly failure: null;
}

export interface FetchFailure extends FetchFacts {
  readonly page: null;
  readonly failure: Failure;
  /** Status of the last head that came (of a redirect that led nowhere), for the attempt's line. */
  readonly statusCode: number | null;
}

/** What a scraper brings back. Expected trouble is here, never thrown. */
export type FetchResult = FetchedPage | FetchFailure;
