import assert from 'node:assert/strict';
import type { ServiceApi } from '../helpers/service.ts';
import { eventually } from '../helpers/service.ts';

export interface CrawlJob {
  readonly id: string;
  readonly state: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly duplicates: number;
  readonly unlisted: number;
  readonly error: { readonly code: string } | null;
}

export interface CrawlItem {
  readonly n: number;
  readonly url: string;
  readonly depth: number;
  readonly parent: number | null;
  readonly state: string;
  readonly scrape: string | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly scraper_data: Readonly<Record<string, unknown>> | null;
}

export const HTTP = { scraper: 'http' } as const;

export async function startCrawl(
  service: ServiceApi,
  body: Readonly<Record<string, unknown>>,
): Promise<string> {
  const accepted = await service.api('POST', '/api/v1/crawls/', { body: { request: HTTP, ...body } });
  assert.equal(accepted.status, 202, JSON.stringify(accepted.body));
  return (accepted.body as { id: string }).id;
}

export const crawlJob = async (service: ServiceApi, id: string): Promise<CrawlJob> =>
  (await service.api('GET', `/api/v1/jobs/${id}/`)).body as CrawlJob;

/** All items that have ended, and the job. */
export async function ended(service: ServiceApi, id: string, ms = 30_000) {
  await eventually(async () => !['queued', 'running'].includes((await crawlJob(service, id)).state), ms);
  const items: CrawlItem[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const { body } = await service.api('GET', `/api/v1/jobs/${id}/results/?limit=200${query}`);
    const page = body as { items: CrawlItem[]; next_cursor: string | null };
    items.push(...page.items);
    cursor = page.next_cursor;
  }
  return { job: await crawlJob(service, id), items };
}

/** Path and query of the visited URLs, sorted; of skipped ones with their code. */
export function outcomes(items: readonly CrawlItem[], site: string) {
  const pathOf = ({ url }: CrawlItem) => (url.startsWith(site) ? url.slice(site.length) : url);
  const visited = items
    .filter(({ state }) => state !== 'skipped')
    .map(pathOf)
    .sort();
  const skipped = Object.fromEntries(
    items.filter(({ state }) => state === 'skipped').map((item) => [pathOf(item), item.error!.code]),
  );
  return { visited, skipped };
}
