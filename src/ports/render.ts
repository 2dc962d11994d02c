import type { Principal } from '../domain/principal.ts';
import type { NewRecord } from '../domain/record.ts';
import type { Scrape } from '../domain/scrape.ts';

/** How a scrape is written down. `wire` does it; the pipeline only needs to know that it can be done. */
export interface Render {
  /** The scrape response object as JSON text, without `content`. */
  answer(scrape: Scrape): string;
  /** What is kept of it, by `router.retain`. */
  record(scrape: Scrape, principal: Principal, answerJson: string): NewRecord;
}
