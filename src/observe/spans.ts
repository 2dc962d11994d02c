import {
  type Attributes,
  type Context,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { microToCurrency } from '../base/numbers.ts';
import type { Principal } from '../domain/account.ts';
import type { Attempt, Scrape } from '../domain/scrape.ts';

/** When and how long a record was stored. */
export interface StoringTime {
  /** ms since the epoch */
  readonly startedAt: number;
  ms: number;
}

/** What is told of a scrape besides itself. */
export interface ScrapeContext {
  /** null: nothing was stored. */
  readonly storing: StoringTime | null;
  /** Headers of the request of the caller, names lower-case; absent: there was none, as for the items of jobs. */
  readonly headers?: Readonly<NodeJS.Dict<string | string[]>>;
}

/** The phases of an attempt in their order: members of its timing. */
const PHASES = ['dns', 'connect', 'tls', 'ttfb', 'download', 'load', 'wait', 'actions', 'read'] as const;

/** @param parent the span of the caller, or the root */
export interface SpanOptions {
  readonly tracer: Tracer;
  readonly parent: Context;
  /** Names the path of the target; its query is never named. */
  readonly path: string | null;
}

/**
 * Records the spans of a scrape that has ended: `scrape`, in it `attempt` for each attempt with its phases, and `storage`.
 * The phases stand one after another, each with its sum over all redirects, because only the sums are known.
 */
export function recordSpans(
  scrape: Scrape,
  principal: Pick<Principal, 'userId' | 'keyId'>,
  storing: StoringTime | null,
  { tracer, parent, path }: SpanOptions,
): void {
  const { timing, attempts } = scrape;
  // `total` also counts what was done before the work began, such as finding out which browsers there are.
  const startTime =
    storing === null ? scrape.startedAt : Math.min(scrape.startedAt, storing.startedAt - timing.total);
  const span = tracer.startSpan('scrape', { kind: SpanKind.SERVER, startTime }, parent);
  if (!span.isRecording()) return;
  const inScrape = trace.setSpan(parent, span);
  let endsAt = startTime + timing.total;
  for (const attempt of attempts) {
    recordAttempt(attempt, scrape, tracer, inScrape);
    endsAt = Math.max(endsAt, attempt.startedAt + attempt.durationMs);
  }
  if (storing !== null) {
    const storedAt = storing.startedAt + storing.ms;
    tracer.startSpan('storage', { startTime: storing.startedAt }, inScrape).end(storedAt);
    endsAt = Math.max(endsAt, storedAt);
  }
  span.setAttributes(scrapeAttributes(scrape, principal, path));
  if (scrape.outcome === 'failed') span.setStatus({ code: SpanStatusCode.ERROR });
  span.end(endsAt);
}

function recordAttempt(attempt: Attempt, { task }: Scrape, tracer: Tracer, parent: Context): void {
  const { startedAt, failure } = attempt;
  const attributes = known({
    'http.request.method': task.method,
    'server.address': task.host,
    'http.response.status_code': attempt.statusCode,
    'error.type': failure?.code ?? null,
    'sluice.attempt': attempt.n,
    'sluice.scraper': attempt.scraper,
    'sluice.proxy_type': attempt.proxyType,
    'sluice.outcome': attempt.outcome,
    'sluice.verdict': attempt.verdict?.kind ?? null,
    'sluice.bytes_in': attempt.bytesIn,
    'sluice.bytes_out': attempt.bytesOut,
  });
  const span = tracer.startSpan(
    'attempt',
    { kind: SpanKind.CLIENT, startTime: startedAt, attributes },
    parent,
  );
  const inAttempt = trace.setSpan(parent, span);
  let at = startedAt;
  const phase = (name: string, ms: number | null): void => {
    if (ms === null || ms <= 0) return;
    tracer.startSpan(name, { startTime: at }, inAttempt).end(at + ms);
    at += ms;
  };
  phase('queue', attempt.queuedMs);
  for (const name of PHASES) phase(name, attempt.timing[name]);
  if (attempt.outcome === 'failed') span.setStatus({ code: SpanStatusCode.ERROR });
  span.end(Math.max(at, startedAt + attempt.durationMs));
}

function scrapeAttributes(
  scrape: Scrape,
  { userId, keyId }: Pick<Principal, 'userId' | 'keyId'>,
  path: string | null,
): Attributes {
  const { task, cost } = scrape;
  return known({
    'sluice.scrape_id': scrape.id,
    'sluice.request_id': scrape.requestId,
    'sluice.user_id': userId,
    'sluice.key_id': keyId,
    'sluice.method': task.method,
    'sluice.host': task.host,
    'sluice.path': path,
    'sluice.requested_scraper': task.scraper,
    'sluice.scraper': scrape.scraper,
    'sluice.proxy_type': scrape.proxyType,
    'sluice.outcome': scrape.outcome,
    'sluice.http_status': scrape.httpStatus,
    'sluice.status_code': scrape.delivered?.page.statusCode ?? null,
    'sluice.content_bytes': scrape.delivered?.content?.bytes.length ?? null,
    'sluice.cost': cost === null ? null : microToCurrency(cost),
    'error.type': scrape.errors[0]?.code ?? null,
  });
}

/** Without what is not known. */
const known = (attributes: Readonly<Record<string, string | number | null>>): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== null)) as Attributes;
