import { useQuery } from '@tanstack/react-query';
import {
  fetchScrapePage,
  PAGE_LENGTH,
  type ScrapeFilter,
  type ScrapePage,
  type ScrapeSummary,
} from '../../api/scrapes.ts';
import { filterOf, type HistorySearch } from './history-search.ts';

/** How often the first page is asked for anew while somebody looks. */
const POLL_MS = 2_500;

/** Where the search goes on behind a page that was short. */
export interface Deeper {
  readonly filter: ScrapeFilter;
  readonly cursor: string;
  readonly searchedTo: string | null;
}

export interface Scrapes extends ScrapePage {
  /** What was asked, with the times that it meant then. */
  readonly filter: ScrapeFilter;
  /** null: the page is full, or nothing is behind it. */
  readonly deeper: Deeper | null;
}

/** A page of the history; the first one stays up to date. */
export function useScrapes(search: HistorySearch) {
  const { cursor, live, ...asked } = search;
  const polled = cursor === undefined && live === undefined;
  return useQuery({
    queryKey: ['history', asked, cursor ?? ''],
    queryFn: async ({ signal, client, queryKey }): Promise<Scrapes> => {
      const filter = filterOf(search, Date.now());
      const page = await fetchScrapePage(filter, cursor, PAGE_LENGTH, signal);
      const { nextCursor, searchedTo } = page;
      if (nextCursor === null || page.items.length >= PAGE_LENGTH) return { ...page, filter, deeper: null };
      // One call looks at so and so many records; what an earlier one found must not vanish while new ones come.
      const before = client.getQueryData<Scrapes>(queryKey);
      return {
        ...page,
        items: joined(page.items, before?.deeper == null ? [] : before.items),
        filter,
        deeper: before?.deeper ?? { filter, cursor: nextCursor, searchedTo },
      };
    },
    refetchInterval: polled ? POLL_MS : false,
    staleTime: polled ? 0 : 60_000,
    structuralSharing: true,
  });
}

/** Both, newest first, each once. Ids are in the order of time. */
function joined(some: readonly ScrapeSummary[], more: readonly ScrapeSummary[]): readonly ScrapeSummary[] {
  const known = new Map([...more, ...some].map((item) => [item.id, item]));
  return [...known.values()].sort((a, b) => (a.id < b.id ? 1 : -1));
}
