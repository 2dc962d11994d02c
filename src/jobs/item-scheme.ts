import type { LinkSource } from '../domain/found-links.ts';
import type { ClaimedItem, JobRow, NewItem, StoredError, VisitedPage } from '../domain/jobs.ts';
import type { Scrape } from '../domain/scrape.ts';
import type { UrlCheck } from '../domain/url-check.ts';
import type { RequestMembers } from './job-spec.ts';

/** What a kind of job does with a page, and which request it makes. */
export interface ItemScheme {
  /** What is searched for links. */
  readonly finds: LinkSource | null;
  /** Changes the request of an item. */
  readonly request: (members: RequestMembers, job: JobRow, claimed: ClaimedItem) => RequestMembers;
  /** Why the page does not count, and the items that its links lead to. */
  readonly read: (
    scrape: Scrape,
    job: JobRow,
    claimed: ClaimedItem,
    context: ItemContext,
  ) => Promise<PageFindings>;
}

/** Of the scrape of an item. */
export interface ItemContext {
  readonly cancel: AbortController;
  /** Why a URL must not be requested; null: every URL may. */
  readonly allowUrl: UrlCheck | null;
}

export interface PageFindings {
  readonly found: readonly NewItem[];
  /** Links that are not in `found`. */
  readonly unlisted: number;
  /** The page is no result; null: it is one. */
  readonly skipped: StoredError | null;
  /** null: no page was visited. */
  readonly page: VisitedPage | null;
  /** false: nothing was fetched, so that there is no record, and nothing counts. */
  readonly isVisit?: false;
}
