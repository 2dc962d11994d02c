import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import {
  fetchScrapeList,
  PAGE_LENGTH,
  type ScrapeFilter,
  type ScrapeListPage,
  type ScrapeSummary,
} from '../../api/scrapes.ts';
import { apiFilterOf, type HistorySearch } from './history-search.ts';

/** How often the first page is requested anew while somebody looks. */
const POLL_MS = 2_500;

/** Where the search goes on behind a page that was short. */
interface Continuation {
  readonly filter: ScrapeFilter;
  readonly cursor: string;
  readonly searchedTo: string | null;
}

interface Scrapes extends ScrapeListPage {
  /** What was requested, with the times that it meant then. */
  readonly filter: ScrapeFilter;
  /** null: the page is full, or nothing is behind it. */
  readonly continuation: Continuation | null;
}

/** A page of the history; the first one stays up to date. */
export function useScrapes(search: HistorySearch) {
  const { cursor, live, ...filters } = search;
  const polled = cursor === undefined && live === undefined;
  return useQuery({
    queryKey: ['history', filters, cursor ?? ''],
    queryFn: async ({ signal, client, queryKey }): Promise<Scrapes> => {
      const filter = apiFilterOf(search, Date.now());
      const page = await fetchScrapeList(filter, cursor, PAGE_LENGTH, signal);
      const { nextCursor, searchedTo } = page;
      if (nextCursor === null || page.items.length >= PAGE_LENGTH)
        return { ...page, filter, continuation: null };
      // One call looks at so and so many records; what an earlier one found must not vanish while new ones come.
      const before = client.getQueryData<Scrapes>(queryKey);
      return {
        ...page,
        items: mergedById(page.items, before?.continuation == null ? [] : before.items),
        filter,
        continuation: before?.continuation ?? { filter, cursor: nextCursor, searchedTo },
      };
    },
    refetchInterval: polled ? POLL_MS : false,
    staleTime: polled ? 0 : 60_000,
    structuralSharing: true,
  });
}

/** Both, newest first, each once. Ids are in the order of time. */
function mergedById(
  some: readonly ScrapeSummary[],
  more: readonly ScrapeSummary[],
): readonly ScrapeSummary[] {
  const known = new Map([...more, ...some].map((item) => [item.id, item]));
  return [...known.values()].sort((a, b) => (a.id < b.id ? 1 : -1));
}

export interface ContinuedSearch {
  readonly items: readonly ScrapeSummary[];
  readonly state: 'idle' | 'searching' | 'stopped' | 'done' | 'failed';
  /** RFC 3339; null: to the end. */
  readonly searchedTo: string | null;
  /** Behind the last that was found; null: there is nothing behind it. */
  readonly nextCursor: string | null;
  readonly error: unknown;
}

const IDLE_SEARCH: ContinuedSearch = {
  items: [],
  state: 'idle',
  searchedTo: null,
  nextCursor: null,
  error: null,
};

/**
 * Goes on behind a page that was short, call by call, until enough is found, nothing is left, or somebody stops it.
 * @param wanted how many are enough
 */
export function useContinuedSearch(start: Continuation | null, wanted: number) {
  const [found, setFound] = useState<ContinuedSearch>(IDLE_SEARCH);
  const running = useRef<AbortController | null>(null);
  const cursor = start?.cursor ?? null;

  const run = useCallback(async (from: Continuation, enough: number, begin: readonly ScrapeSummary[]) => {
    const stop = new AbortController();
    running.current?.abort();
    running.current = stop;
    let at: ContinuedSearch = {
      ...IDLE_SEARCH,
      items: begin,
      state: 'searching',
      searchedTo: from.searchedTo,
      nextCursor: from.cursor,
    };
    setFound(at);
    try {
      while (at.nextCursor !== null && at.items.length < enough) {
        const page = await fetchScrapeList(from.filter, at.nextCursor, enough - at.items.length, stop.signal);
        at = { ...at, ...page, items: [...at.items, ...page.items] };
        if (stop.signal.aborted) return;
        setFound(at);
      }
      setFound({ ...at, state: 'done' });
    } catch (error) {
      if (!stop.signal.aborted) setFound({ ...at, state: 'failed', error });
    }
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a start is known by its cursor; the rest belongs to it
  useEffect(() => {
    setFound(IDLE_SEARCH);
    if (start !== null) void run(start, wanted, []);
    return () => running.current?.abort();
  }, [cursor, run]);

  return {
    ...found,
    stop: () => {
      running.current?.abort();
      setFound((at) => ({ ...at, state: 'stopped' }));
    },
    resume: () => {
      if (start === null || found.nextCursor === null) return;
      const from = { ...start, cursor: found.nextCursor, searchedTo: found.searchedTo };
      void run(from, Math.max(wanted, found.items.length + 1), found.items);
    },
  };
}
