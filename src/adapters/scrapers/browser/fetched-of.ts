import { type Failure, WARNINGS, type Warning } from '../../../domain/failure.ts';
import type { Fetched, Page as FetchedBody, FetchFacts } from '../../../domain/fetched.ts';
import type { Run } from './run.ts';
import type { Answer } from './visit/answer.ts';

type Rest = Pick<FetchedBody, 'body' | 'cut' | 'undecoded' | 'cookies' | 'finalUrl' | 'frames'> & {
  readonly readAs: string | null;
  readonly lost: readonly Failure[];
};

/** What a scrape brings back that has a page. */
export function pageOf(run: Run, answer: Answer, rest: Rest): Fetched {
  const { readAs, lost, ...body } = rest;
  const page: FetchedBody = {
    statusCode: answer.status,
    headers: answer.headers,
    method: answer.method,
    ...body,
    ...(readAs === null ? {} : { readAs }),
    missed: [
      ...(run.waited?.missed ?? []),
      ...(run.actions?.failures ?? []),
      ...lost,
      ...(run.extras?.missed ?? []),
    ],
    ...run.actions?.end(),
    ...run.extras?.of,
  };
  return { ...factsOf(run, null), failure: null, page };
}

/** What it brings back without one. */
export function nothing(run: Run, why: Failure): Fetched {
  // What was refused then is no sub-resource.
  const main = why.code === 'policy.address' ? (run.visit?.journey.decisive?.url ?? null) : null;
  const refused = main === null ? null : new URL(main).hostname;
  return { ...factsOf(run, refused), page: null, failure: why, statusCode: run.visit?.status ?? null };
}

const REUSED: readonly string[] = Object.freeze(['document']);

const downloadsOf = (visit: Run['visit']): readonly Warning[] =>
  [...(visit?.downloads ?? [])].map((url) => ({
    code: 'page.download',
    message: `${WARNINGS['page.download'].slice(0, -1)}: ${url.slice(0, MOST_URL)}.`,
    details: { url },
  }));
const MOST_URL = 500;

/** @param refused the host that the main document must not come from */
function factsOf({ visit, waited, actions, extras, place, order }: Run, refused: string | null): FetchFacts {
  const trip = visit?.trip ?? null;
  const [dns, connect] = [trip?.dnsMs ?? null, trip?.connectMs ?? null];
  const journey = visit?.journey;
  const ttfb = journey?.ttfbMs ?? null;
  const tls = trip?.tlsMs ?? journey?.decisive?.tlsMs ?? null;
  return {
    redirects: journey?.redirects ?? [],
    requestHeaders: journey?.requestHeaders ?? null,
    remoteIp: (visit?.gaveDocument === true ? order.document?.remoteIp : trip?.remoteIp) ?? null,
    timing: {
      dns,
      connect,
      tls,
      ttfb: ttfb === null ? null : Math.max(0, ttfb - (dns ?? 0) - (connect ?? 0) - (tls ?? 0)),
      download: journey?.decisive?.downloadMs ?? null,
      load: waited?.loadMs ?? null,
      wait: waited?.waitMs ?? null,
      actions: actions?.ms ?? null,
    },
    sent: visit?.sent ?? false,
    warnings: [
      ...(waited?.warnings ?? []),
      ...(actions?.warnings ?? []),
      ...(extras?.warnings ?? []),
      ...downloadsOf(visit),
      ...place.refusals.warnings(refused),
    ],
    // Told when the last connection is closed.
    bytesOut: 0,
    bytesIn: 0,
    queuedMs: place.lease.queuedMs,
    ...(visit?.gaveDocument === true ? { reused: REUSED } : {}),
  };
}
