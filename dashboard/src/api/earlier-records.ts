import { queryOptions } from '@tanstack/react-query';
import { fetchScrapeList } from './scrapes.ts';

/** Calls that look for earlier records, and records of each. */
const MAX_CALLS = 10;
const PAGE_LENGTH = 100;

/** Earlier records of the same URL, newest first. @param createdAt of the record */
async function* earlierRecords(id: string, url: string, createdAt: string, signal: AbortSignal) {
  const { host, pathname, search } = new URL(url);
  const to = new Date(Date.parse(createdAt) + 1).toISOString();
  const filter = { host, path: `${pathname}${search}`.slice(0, 500), to };
  let cursor: string | undefined;
  for (let calls = 0; calls < MAX_CALLS; calls++) {
    const { items, nextCursor } = await fetchScrapeList(filter, cursor, PAGE_LENGTH, signal);
    yield* items.filter((record) => record.id < id && record.url === url && record.outcome !== 'planned');
    if (nextCursor === null) return;
    cursor = nextCursor;
  }
}

/** Id of the latest earlier record of the same URL; null: none was found. @param createdAt of the record */
export const previousRecordQuery = (id: string, url: string, createdAt: string) =>
  queryOptions({
    queryKey: ['history', 'previous', id],
    queryFn: async ({ signal }) => {
      for await (const record of earlierRecords(id, url, createdAt, signal)) return record.id;
      return null;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Earlier records of the same URL, newest first: those among the latest 1,000 of its path. @param createdAt of the record */
export const earlierRecordsQuery = (id: string, url: string, createdAt: string) =>
  queryOptions({
    queryKey: ['history', 'earlier', id],
    queryFn: ({ signal }) => Array.fromAsync(earlierRecords(id, url, createdAt, signal)),
    staleTime: Number.POSITIVE_INFINITY,
  });
