import type { Principal } from '../domain/account.ts';
import type { Scrape } from '../domain/scrape.ts';
import type { TracingSettings } from '../domain/tracing.ts';
import type { Logger } from './logger.ts';
import type { ScrapeContext } from './spans.ts';

/** Sends the spans of scrapes to a collector of OpenTelemetry. */
export interface Tracing {
  scrapeEnded(
    scrape: Scrape,
    principal: Pick<Principal, 'userId' | 'keyId'>,
    context: ScrapeContext,
    path: string,
  ): void;
  /** Sends what is left, for at most some seconds. Never rejects. */
  shutdown(): Promise<void>;
}

export interface TracingOptions extends TracingSettings {
  /** Spans name the path of the target. */
  readonly paths: boolean;
  readonly version: string;
  readonly logger: Logger;
}
