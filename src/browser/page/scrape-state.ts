import { type Failure, WARNINGS, type Warning } from '../../domain/failure.ts';
import {
  type FetchFacts,
  type FetchResult,
  NO_TIMING,
  type Page as TargetPage,
} from '../../domain/fetch-result.ts';
import { MAX_DOWNLOADS } from '../../domain/files.ts';
import type { BrowserPhase } from '../../domain/system.ts';
import type { Egress } from '../../egress/egress.ts';
import type { OpenLogin } from '../../ports/logins.ts';
import type { PageReader } from '../../ports/page-reader.ts';
import type { FetchRequest } from '../../ports/scraper.ts';
import type { BrowserNetwork } from '../engine/browser-network.ts';
import type { OperatorTrust } from '../engine/operator-trust.ts';
import type { BlockedHosts } from '../engine/request-blocking.ts';
import type { BrowserLease } from '../engine/supervisor.ts';
import type { ActionRunner } from './actions/action-runner.ts';
import type { PageArtifacts } from './artifacts.ts';
import type { Downloads } from './downloads.ts';
import type { MainFrame } from './main-frame.ts';
import type { NavigationResponse } from './response.ts';
import type { WaitResult } from './waits.ts';

/** Reports how long each phase of a scrape took. A phase begins where the previous one ends. */
export class PhaseClock {
  readonly #report: (phase: BrowserPhase, ms: number) => void;
  #since = performance.now();

  constructor(report: (phase: BrowserPhase, ms: number) => void) {
    this.#report = report;
  }

  end(phase: BrowserPhase): void {
    const now = performance.now();
    this.#report(phase, now - this.#since);
    this.#since = now;
  }
}

/** The browser of a scrape, its connection to the network, and the services that it uses. */
export interface BrowserSession extends BrowserNetwork {
  readonly lease: BrowserLease;
  readonly blockedHosts: BlockedHosts;
  readonly reader: PageReader;
  readonly openLogin: OpenLogin;
  readonly trust: OperatorTrust;
  readonly checkTarget: Egress['checkTarget'];
  readonly clock: PhaseClock;
}

/** What a scrape has gathered so far. */
export interface ScrapeState {
  readonly request: FetchRequest;
  readonly browserSession: BrowserSession;
  /** Aborts with the deadline of the request or of the attempt, when the client disconnects, and when the page crashes. */
  readonly signal: AbortSignal;
  mainFrame: MainFrame | null;
  waitResult: WaitResult | null;
  actions: ActionRunner | null;
  artifacts: PageArtifacts | null;
  /** null: the page cannot save files. */
  downloads: Downloads | null;
  /** To be called when the page is set up, just before it navigates. */
  readonly onPageReady: () => void;
  /** To be called for the response to the caller's request; then `FetchRequest.attemptDeadline` no longer applies. */
  readonly onResponseHead: () => void;
}

type PageContent = Pick<
  TargetPage,
  'body' | 'cut' | 'undecoded' | 'cookies' | 'finalUrl' | 'frames' | 'documentCharset'
> & {
  /** Content type of a document that was read from the page; null: the response's applies. */
  readonly contentType: string | null;
  readonly failures: readonly Failure[];
};

/** The result of a scrape with a page. */
export function resultWithPage(
  state: ScrapeState,
  response: NavigationResponse,
  content: PageContent,
): FetchResult {
  const { contentType, failures, ...body } = content;
  const page: TargetPage = {
    statusCode: response.status,
    headers: response.headers,
    method: response.method,
    ...body,
    ...(contentType === null ? {} : { contentTypeOverride: contentType }),
    missingParts: [
      ...(state.waitResult?.failures ?? []),
      ...(state.actions?.failures ?? []),
      ...failures,
      ...(state.artifacts?.failures ?? []),
    ],
    ...state.actions?.finish(),
    ...state.artifacts?.fields,
  };
  return { ...resultFacts(state, null), failure: null, page };
}

/** The result of a scrape without a page. */
export function resultWithFailure(state: ScrapeState, cause: Failure): FetchResult {
  // The refused host of the document is the failure itself, not a blocked sub-resource.
  const url = cause.code === 'policy.address' ? (state.mainFrame?.navigations.decisive?.url ?? null) : null;
  const refusedHost = url === null ? null : new URL(url).hostname;
  return {
    ...resultFacts(state, refusedHost),
    page: null,
    failure: cause,
    statusCode: state.mainFrame?.status ?? null,
  };
}

/** `FetchFacts.reused` if the document was fetched by another scraper. */
const REUSED_DOCUMENT: readonly string[] = Object.freeze(['document']);

const MAX_URL_LENGTH = 500;

/**
 * Completes the warning "The page started a download, which was not delivered, because …". If downloads were delivered without
 * `page_actions` too, every scrape of a page that starts one would wait for it.
 */
const NO_ACTIONS = 'only files that a page saves in a scrape with `page_actions` are';
const IS_REMOTE = 'a remote browser does not deliver files';

/** Warnings of downloads that are not delivered. */
function downloadWarnings({
  mainFrame,
  downloads,
  browserSession,
}: Pick<ScrapeState, 'mainFrame' | 'downloads' | 'browserSession'>): readonly Warning[] {
  const started = mainFrame?.downloads ?? [];
  const why = browserSession.lease.remote === null ? NO_ACTIONS : IS_REMOTE;
  const refused = downloads?.refused(started) ?? new Map([...started].map((url) => [url, why]));
  return [...refused].slice(0, MAX_DOWNLOADS).map(([url, reason]) => ({
    code: 'page.download',
    // The general text ends with a full stop; the reason replaces it.
    message: `${WARNINGS['page.download'].slice(0, -1)}, because ${reason}: ${url.slice(0, MAX_URL_LENGTH)}.`,
    details: { url, reason },
  }));
}

/** Tells that the page reached the network from a remote browser, where our guard sees nothing. */
function remoteWarnings({ lease: { remote } }: BrowserSession): readonly Warning[] {
  if (remote?.network !== 'direct') return [];
  return [{ code: 'egress.remote', message: WARNINGS['egress.remote'], details: { browser: remote.name } }];
}

/** The part of the result that does not depend on success. @param refusedHost host of a document that the address policy refused */
function resultFacts(state: ScrapeState, refusedHost: string | null): FetchFacts {
  const { mainFrame, waitResult, actions, artifacts, browserSession, request } = state;
  const connection = mainFrame?.connection ?? null;
  const [dns, connect] = [connection?.dnsMs ?? null, connection?.connectMs ?? null];
  const navigations = mainFrame?.navigations;
  // For the browser it includes DNS, connecting and TLS, which `timing` lists separately.
  const ttfb = navigations?.ttfbMs ?? null;
  const tls = connection?.tlsMs ?? navigations?.decisive?.tlsMs ?? null;
  const usedFetchedDocument = mainFrame?.usedFetchedDocument === true;
  return {
    redirects: navigations?.redirects ?? [],
    requestHeaders: navigations?.requestHeaders ?? null,
    remoteIp: (usedFetchedDocument ? request.document?.remoteIp : connection?.remoteIp) ?? null,
    timing: {
      ...NO_TIMING,
      dns,
      connect,
      tls,
      ttfb: ttfb === null ? null : Math.max(0, ttfb - (dns ?? 0) - (connect ?? 0) - (tls ?? 0)),
      download: navigations?.decisive?.downloadMs ?? null,
      load: waitResult?.loadMs ?? null,
      wait: waitResult?.waitMs ?? null,
      actions: actions?.durationMs ?? null,
    },
    sent: mainFrame?.requestSent ?? false,
    warnings: [
      ...remoteWarnings(browserSession),
      ...(waitResult?.warnings ?? []),
      ...(actions?.warnings ?? []),
      ...(artifacts?.warnings ?? []),
      ...downloadWarnings(state),
      ...browserSession.blockedHosts.warnings(refusedHost),
    ],
    // `scrapePage` fills them in after the last connection was closed.
    bytesOut: 0,
    bytesIn: 0,
    queuedMs: browserSession.lease.queuedMs,
    ...(usedFetchedDocument ? { reused: REUSED_DOCUMENT } : {}),
  };
}
