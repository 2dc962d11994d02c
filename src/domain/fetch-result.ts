import type { CapturedExchange, ElementBox, Screenshot } from './captures.ts';
import type { Failure, Warning } from './failure.ts';
import type { DownloadedFile, PrintedPdf } from './files.ts';
import type { ActionResult } from './page-action.ts';
import type { FrameDocument } from './reading.ts';
import type { StorageState } from './storage-state.ts';
import type { VendorUse } from './vendors.ts';

/** A 3xx response of the main document. `statusCode` is null for navigations that the page started. */
export interface Redirect {
  /** The URL that was redirected, without credentials. */
  readonly url: string;
  readonly statusCode: number | null;
}

/** A cookie that the target set, with its value at the end of the fetch. */
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
  /** Hosts below `domain` get it, too. Absent: they do not, or it is not known. */
  readonly subdomains?: true;
}

/** Milliseconds, summed over all redirects; null: unknown, or the phase did not happen. */
export interface FetchTiming {
  dns: number | null;
  connect: number | null;
  tls: number | null;
  ttfb: number | null;
  download: number | null;
  load: number | null;
  wait: number | null;
  actions: number | null;
  /** Reading the page: documents, Markdown, `extract` and other formats; not set by what fetches. */
  read: number | null;
}

export const NO_TIMING: Readonly<FetchTiming> = Object.freeze({
  dns: null,
  connect: null,
  tls: null,
  ttfb: null,
  download: null,
  load: null,
  wait: null,
  actions: null,
  read: null,
});

export type HeaderList = readonly (readonly [name: string, value: string])[];

export interface Page {
  readonly statusCode: number;
  /** In the order received, names lower-case, one entry for each field line. */
  readonly headers: HeaderList;
  /** Without credentials. A redirect without a fragment keeps the earlier one (Fetch, "location URL"). */
  readonly finalUrl: string;
  /** Method of the request that this page is the response to. A redirect may have changed it. */
  readonly method: string;
  /** After content decoding, at most `maxContentBytes`. */
  readonly body: Uint8Array;
  /** Why the body is incomplete; null if it is complete. */
  readonly cut: Failure | null;
  /** The content coding could not be decoded; `body` has the bytes as received. */
  readonly undecoded: boolean;
  readonly cookies: readonly TargetCookie[];
  /** All cookies and the storage of a browser at the end, if the request has a profile that is saved. */
  readonly storageState?: StorageState;
  /** Replaces the Content-Type header when the body is read: set if the body is a DOM that a browser serialised. */
  readonly contentTypeOverride?: string;
  /** Name of the encoding (WHATWG Encoding, lower-case) by which a browser has decoded the document that it shows. */
  readonly documentCharset?: string;
  /** Documents in the frames of the page. Absent if the frames were not read. */
  readonly frames?: readonly FrameDocument[];
  /** What failed although there is a page: waits that timed out, actions, the screenshot. */
  readonly missingParts?: readonly Failure[];
  /** The screenshot that the member `screenshot` of the request asks for. */
  readonly screenshot?: Screenshot;
  /** Where elements are in this screenshot. Absent: not measured, because the main content is not searched for. */
  readonly elementBoxes?: readonly ElementBox[];
  /** The printed page that the format `pdf` asks for. */
  readonly pdf?: PrintedPdf;
  /** Files that the page has saved. If the page itself is an attachment, the pipeline adds it at the beginning. */
  readonly downloads?: readonly DownloadedFile[];
  /** The exchanges that match `capture`, in the order of their requests. */
  readonly network?: readonly CapturedExchange[];
  /** Results of the page actions, in order. Actions of the branch that an `if` took follow it; the others are left out. */
  readonly actions?: readonly ActionResult[];
  /** JSON pointers (RFC 6901) of the actions that typed into fields that are not for passwords, codes or cards. */
  readonly plainFields?: readonly string[];
  /** The members of the answer that the vendor did not tell. What the page has in their place is assumed. */
  readonly notTold?: readonly UntoldMember[];
  /** Whether the scripts of the page ran. Absent: the step tells. */
  readonly scripted?: boolean;
  /** An action with `on_error: fail` failed: the scrape fails with this cause, although there is a page. */
  readonly fatal?: Failure;
}

/** Members of `scraper_data` that not every vendor tells. */
export type UntoldMember = 'status_code' | 'headers' | 'cookies' | 'final_url';

/** Members of a fetch result, whether it is a page or a failure. */
export interface FetchFacts {
  readonly redirects: readonly Redirect[];
  /** Headers of the last request sent, names lower-case; null: no request was sent. Secrets are NOT masked. */
  readonly requestHeaders: HeaderList | null;
  readonly remoteIp: string | null;
  readonly timing: Readonly<FetchTiming>;
  /** A part of a request may have reached the target, or a proxy that forwards it. */
  readonly sent: boolean;
  readonly warnings: readonly Warning[];
  readonly bytesOut: number;
  readonly bytesIn: number;
  /** Time spent waiting for a browser slot, ms. */
  readonly queuedMs?: number;
  /** For vendors: what they said about their work. */
  readonly vendor?: VendorUse;
  /** The vendor itself does not work: neither the target nor the time limit is the reason. */
  readonly vendorFailed?: boolean;
  /** What was reused from an earlier attempt: `document`. */
  readonly reused?: readonly string[];
}

export interface FetchedPage extends FetchFacts {
  readonly page: Page;
  readonly failure: null;
}

export interface FetchFailure extends FetchFacts {
  readonly page: null;
  readonly failure: Failure;
  /** Status of the last response received, such as a redirect whose target failed; null: none was received. */
  readonly statusCode: number | null;
}

/** What a scraper returns. It throws only on bugs. */
export type FetchResult = FetchedPage | FetchFailure;
