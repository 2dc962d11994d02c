import { microToCurrency } from '../base/numbers.ts';
import type { Principal } from '../domain/account.ts';
import type { FailureCode } from '../domain/failure.ts';
import type { Scrape } from '../domain/scrape.ts';
import type { Logging } from './logger.ts';
import type { Metrics } from './metrics.ts';
import type { ScrapeCounters } from './scrape-counters.ts';
import type { ScrapeContext } from './spans.ts';
import type { Tracing } from './tracing.ts';

/** A request that was refused before a scrape began. */
interface RefusedRequest {
  readonly requestId: string;
  readonly code: FailureCode;
  readonly status: number;
  readonly method: string;
  /** Path of the request to this API; a query is not logged. */
  readonly path: string;
  readonly userId: string | null;
  readonly keyId: string | null;
}

/** Reports each event to the log, the metrics, the counters and the traces. */
export interface Events {
  /** Logs one line at info. Of the URL, it contains only host and path, because a query may contain secrets. */
  scrapeEnded(scrape: Scrape, principal: Pick<Principal, 'userId' | 'keyId'>, context: ScrapeContext): void;
  /** Logs one line at debug. */
  requestRefused(request: RefusedRequest): void;
}

const MAX_PATH_LENGTH = 1024;

/** @param tracing null: there are no traces */
export function createEvents(
  { logger, infoLine }: Pick<Logging, 'logger' | 'infoLine'>,
  metrics: Metrics,
  counters: ScrapeCounters,
  tracing: Pick<Tracing, 'scrapeEnded'> | null,
): Events {
  return {
    scrapeEnded(scrape, principal, context) {
      metrics.scrapeEnded(scrape);
      counters.count(scrape, principal.userId, principal.keyId);
      infoLine(scrapeLogMembers(scrape, principal), 'scrape');
      tracing?.scrapeEnded(scrape, principal, context, urlPath(scrape.task.url));
    },
    requestRefused(request) {
      metrics.requestRefused(request.code);
      if (!logger.isLevelEnabled('debug')) return;
      logger.debug(
        {
          request_id: request.requestId,
          code: request.code,
          http_status: request.status,
          method: request.method,
          path: urlPath(request.path),
          user_id: request.userId,
          key_id: request.keyId,
        },
        'refused',
      );
    },
  };
}

/** The path of a serialised URL or of a request target, without query and fragment. */
function urlPath(url: string): string {
  const scheme = url.indexOf('://');
  const start = url.startsWith('/') || scheme === -1 ? 0 : url.indexOf('/', scheme + 3);
  if (start === -1) return '/';
  let end = url.length;
  const query = url.indexOf('?', start);
  if (query !== -1) end = query;
  const hash = url.indexOf('#', start);
  if (hash !== -1 && hash < end) end = hash;
  return url.slice(start, Math.min(end, start + MAX_PATH_LENGTH));
}

/**
 * The members of a scrape's log line, as JSON text without braces. Every scrape writes one, and this is faster than
 * `JSON.stringify`. Ids and values from closed lists need no escaping.
 */
function scrapeLogMembers(scrape: Scrape, { userId, keyId }: Pick<Principal, 'userId' | 'keyId'>): string {
  const { task, delivered, timing } = scrape;
  const code = scrape.errors.length === 0 ? null : scrape.errors[0]!.code;
  const path = JSON.stringify(urlPath(task.url));
  return `"request_id":"${scrape.requestId}","scrape_id":${quotedOrNull(scrape.id)},"user_id":"${userId}","key_id":${quotedOrNull(keyId)},"method":"${task.method}","host":${JSON.stringify(task.host)},"path":${path},"requested_scraper":"${task.scraper}","scraper":${quotedOrNull(scrape.scraper)},"proxy_type":${quotedOrNull(scrape.proxyType)},"http_status":${scrape.httpStatus},"status_code":${delivered?.page.statusCode ?? null},"outcome":"${scrape.outcome}","error_code":${quotedOrNull(code)},"attempts":${scrape.attempts.length},"duration_ms":${rounded(timing.total)},"timing":{"queue":${rounded(timing.queue)},"dns":${rounded(timing.dns)},"connect":${rounded(timing.connect)},"tls":${rounded(timing.tls)},"ttfb":${rounded(timing.ttfb)},"download":${rounded(timing.download)}},"content_bytes":${delivered?.content?.bytes.length ?? null},"cost":${scrape.cost === null ? null : microToCurrency(scrape.cost)}`;
}

function quotedOrNull(text: string | null): string {
  return text === null ? 'null' : `"${text}"`;
}

/** Rounds to a hundredth of a millisecond. */
function rounded(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms * 100) / 100;
}
