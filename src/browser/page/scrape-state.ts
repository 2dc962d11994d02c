import { type Failure, WARNINGS, type Warning } from '../../domain/failure.ts';
import type { Page as FetchedBody, FetchFacts, FetchResult } from '../../domain/fetch-result.ts';
import type { BrowserPhase } from '../../domain/system.ts';
import type { Egress } from '../../egress/egress.ts';
import type { GatewaySession } from '../../egress/gateway/gateway.ts';
import type { PageReader } from '../../ports/page-reader.ts';
import type { FetchRequest } from '../../ports/scraper.ts';
import type { OperatorTrust } from '../engine/operator-trust.ts';
import type { BlockedHosts } from '../engine/request-blocking.ts';
import type { BrowserLease } from '../engine/supervisor.ts';
import type { ActionRunner } from './actions/action-runner.ts';
import type { PageArtifacts } from './artifacts.ts';
import type { MainFrame } from './main-frame.ts';
import type { NavigationResponse } from './response.ts';
import type { WaitResult } from './waits.ts';

/** Tells how long each phase of a scrape took; one begins where the one before ends. */
export class PhaseClock {
  readonly #report: (phase: BrowserPhase, ms: number) => void;
  #since = performance.now();

  constructor(tell: (phase: BrowserPhase, ms: number) => void) {
    this.#report = tell;
  }

  end(phase: BrowserPhase): void {
    const now = performance.now();
    this.#report(phase, now - this.#since);
    this.#since = now;
  }
}

/** Where a scrape works, and with what. */
export interface BrowserSession {
  readonly lease: BrowserLease;
  readonly proxyServer: string;
  readonly gateway: GatewaySession;
  readonly blockedHosts: BlockedHosts;
  readonly reader: PageReader;
  readonly trust: OperatorTrust;
  readonly judge: Egress['judge'];
  readonly clock: PhaseClock;
}

/** One scrape, as far as it has come. */
export interface ScrapeState {
  readonly request: FetchRequest;
  readonly browserSession: BrowserSession;
  /** Ends everything: deadline, share, caller, crash. */
  readonly signal: AbortSignal;
  readonly stop: AbortController;
  mainFrame: MainFrame | null;
  waitResult: WaitResult | null;
  actions: ActionRunner | null;
  artifacts: PageArtifacts | null;
  /** The page is there, and nothing has been asked of it yet. */
  onPageReady?: () => void;
  /** The share of the attempt counts no more. */
  onResponseHead?: () => void;
}

type PageContent = Pick<FetchedBody, 'body' | 'cut' | 'undecoded' | 'cookies' | 'finalUrl' | 'frames'> & {
  readonly readAs: string | null;
  readonly failures: readonly Failure[];
};

/** What a scrape brings back that has a page. */
export function resultWithPage(run: ScrapeState, answer: NavigationResponse, rest: PageContent): FetchResult {
  const { readAs, failures, ...body } = rest;
  const page: FetchedBody = {
    statusCode: answer.status,
    headers: answer.headers,
    method: answer.method,
    ...body,
    ...(readAs === null ? {} : { contentTypeOverride: readAs }),
    missingParts: [
      ...(run.waitResult?.missed ?? []),
      ...(run.actions?.failures ?? []),
      ...failures,
      ...(run.artifacts?.missed ?? []),
    ],
    ...run.actions?.finish(),
    ...run.artifacts?.fields,
  };
  return { ...resultFacts(run, null), failure: null, page };
}

/** What it brings back without one. */
export function resultWithFailure(run: ScrapeState, why: Failure): FetchResult {
  // What was refused then is no sub-resource.
  const main = why.code === 'policy.address' ? (run.mainFrame?.navigations.decisive?.url ?? null) : null;
  const refused = main === null ? null : new URL(main).hostname;
  return {
    ...resultFacts(run, refused),
    page: null,
    failure: why,
    statusCode: run.mainFrame?.status ?? null,
  };
}

const REUSED_DOCUMENT: readonly string[] = Object.freeze(['document']);

const downloadWarnings = (visit: ScrapeState['mainFrame']): readonly Warning[] =>
  [...(visit?.downloads ?? [])].map((url) => ({
    code: 'page.download',
    message: `${WARNINGS['page.download'].slice(0, -1)}: ${url.slice(0, MAX_URL_LENGTH)}.`,
    details: { url },
  }));
const MAX_URL_LENGTH = 500;

/** @param refused the host that the main document must not come from */
function resultFacts(
  { mainFrame, waitResult, actions, artifacts, browserSession, request }: ScrapeState,
  refused: string | null,
): FetchFacts {
  const trip = mainFrame?.connection ?? null;
  const [dns, connect] = [trip?.dnsMs ?? null, trip?.connectMs ?? null];
  const journey = mainFrame?.navigations;
  const ttfb = journey?.ttfbMs ?? null;
  const tls = trip?.tlsMs ?? journey?.decisive?.tlsMs ?? null;
  return {
    redirects: journey?.redirects ?? [],
    requestHeaders: journey?.requestHeaders ?? null,
    remoteIp: (mainFrame?.usedFetchedDocument === true ? request.document?.remoteIp : trip?.remoteIp) ?? null,
    timing: {
      dns,
      connect,
      tls,
      ttfb: ttfb === null ? null : Math.max(0, ttfb - (dns ?? 0) - (connect ?? 0) - (tls ?? 0)),
      download: journey?.decisive?.downloadMs ?? null,
      load: waitResult?.loadMs ?? null,
      wait: waitResult?.waitMs ?? null,
      actions: actions?.durationMs ?? null,
    },
    sent: mainFrame?.requestSent ?? false,
    warnings: [
      ...(waitResult?.warnings ?? []),
      ...(actions?.warnings ?? []),
      ...(artifacts?.warnings ?? []),
      ...downloadWarnings(mainFrame),
      ...browserSession.blockedHosts.warnings(refused),
    ],
    // Told when the last connection is closed.
    bytesOut: 0,
    bytesIn: 0,
    queuedMs: browserSession.lease.queuedMs,
    ...(mainFrame?.usedFetchedDocument === true ? { reused: REUSED_DOCUMENT } : {}),
  };
}
