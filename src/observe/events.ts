import type { FailureCode } from '../domain/failure.ts';
import type { Principal } from '../domain/principal.ts';
import type { Scrape } from '../domain/scrape.ts';
import type { Logger } from './logger.ts';
import type { Metrics } from './metrics.ts';
import { scrapeSpan } from './span.ts';

/** Changes of users, keys and limits. */
export interface AuditLine {
  readonly action: string;
  /** null: the operator at the command line, or at start. */
  readonly actorUserId: string | null;
  readonly actorKeyId: string | null;
  readonly userId: string;
  readonly keyId: string | null;
  readonly changed: readonly string[];
}

/** A request that was answered before it was a scrape. */
export interface RefusedLine {
  readonly requestId: string;
  readonly code: FailureCode;
  readonly status: number;
  readonly method: string;
  /** Of our own API; a query is cut off. */
  readonly path: string;
  readonly userId: string | null;
  readonly keyId: string | null;
}

/** What happens, told once to the log and the metrics. */
export interface Events {
  /** Exactly one line at info and one count for each scrape. Host and path only: a query may hold secrets. */
  scrapeEnded(scrape: Scrape, who: Pick<Principal, 'userId' | 'keyId'>): void;
  /** One count, and a line at debug. */
  requestRefused(line: RefusedLine): void;
  audit(line: AuditLine): void;
}

const MAX_PATH = 1024;

export function createEvents(logger: Logger, metrics: Metrics): Events {
  return {
    scrapeEnded(scrape, who) {
      metrics.scrapeEnded(scrape);
      const { job, delivered, timing } = scrape;
      const fields = {
        request_id: scrape.requestId,
        scrape_id: scrape.id,
        user_id: who.userId,
        key_id: who.keyId,
        method: job.method,
        host: job.host,
        path: pathOf(job.url),
        requested_scraper: job.scraper,
        scraper: scrape.scraper,
        proxy_type: scrape.proxyType,
        http_status: scrape.httpStatus,
        status_code: delivered?.page.statusCode ?? null,
        outcome: scrape.outcome,
        error_code: scrape.errors.length === 0 ? null : scrape.errors[0]!.code,
        attempts: scrape.attempts.length,
        duration_ms: rounded(timing.total),
        timing: {
          queue: rounded(timing.queue),
          dns: rounded(timing.dns),
          connect: rounded(timing.connect),
          tls: rounded(timing.tls),
          ttfb: rounded(timing.ttfb),
          download: rounded(timing.download),
        },
        content_bytes: delivered?.content?.bytes.length ?? null,
        cost: scrape.cost,
      };
      logger.info(fields, 'scrape');
      scrapeSpan(scrape, fields);
    },
    requestRefused(line) {
      metrics.requestRefused(line.code);
      if (!logger.isLevelEnabled('debug')) return;
      logger.debug(
        {
          request_id: line.requestId,
          code: line.code,
          http_status: line.status,
          method: line.method,
          path: pathOf(line.path),
          user_id: line.userId,
          key_id: line.keyId,
        },
        'refused',
      );
    },
    audit(line) {
      logger.info(
        {
          action: line.action,
          actor_user_id: line.actorUserId,
          actor_key_id: line.actorKeyId,
          user_id: line.userId,
          key_id: line.keyId,
          changed: line.changed,
        },
        'audit',
      );
    },
  };
}

/** The path of a serialised URL (or a path itself), without query and fragment. */
function pathOf(url: string): string {
  const scheme = url.indexOf('://');
  const start = url.startsWith('/') || scheme === -1 ? 0 : url.indexOf('/', scheme + 3);
  if (start === -1) return '/';
  let end = url.length;
  const query = url.indexOf('?', start);
  if (query !== -1) end = query;
  const hash = url.indexOf('#', start);
  if (hash !== -1 && hash < end) end = hash;
  return url.slice(start, Math.min(end, start + MAX_PATH));
}

/** To a hundredth of a millisecond. */
function rounded(ms: number): number;
function rounded(ms: number | null): number | null;
function rounded(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms * 100) / 100;
}
