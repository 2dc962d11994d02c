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

/** Polling interval of the first page in ms, while the tab is visible. */
const POLL_MS = 2_500;

/** Where a search continues after a short page. */
interface Continuation {
  readonly filter: ScrapeFilter;
  readonly cursor: string;
  /** RFC 3339: all newer records were examined. */
  readonly searchedTo: string | null;
}

interface Scrapes extends ScrapeListPage {
  /** The filter of the request. A time preset is replaced by its start at that moment. */
  readonly filter: ScrapeFilter;
  /** null: the page is full, or it is the last one. */
  readonly continuation: Continuation | null;
}

/** A page of the history. The first page is kept up to date. */
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
      // One call examines a limited number of records. Results of earlier calls must not vanish when new records are added.
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

/** Both lists, newest first, without duplicates: an item of `current` replaces that of `earlier`. Ids are ordered by time. */
function mergedById(
  current: readonly ScrapeSummary[],
  earlier: readonly ScrapeSummary[],
): readonly ScrapeSummary[] {
  const itemsById = new Map([...earlier, ...current].map((item) => [item.id, item]));
  return [...itemsById.values()].sort((a, b) => (a.id < b.id ? 1 : -1));
}

export interface ContinuedSearch {
  readonly items: readonly ScrapeSummary[];
  readonly state: 'idle' | 'searching' | 'stopped' | 'done' | 'failed';
  /** RFC 3339: all newer records were examined; null: all records were. */
  readonly searchedTo: string | null;
  /** Cursor after the last result; null: the list has ended. */
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
 * Continues a search after a short page, call by call, until enough records are found, the list ends, or the user stops it.
 * @param minCount ends when at least this number of records has been found
 */
export function useContinuedSearch(start: Continuation | null, minCount: number) {
  const [progress, setProgress] = useState<ContinuedSearch>(IDLE_SEARCH);
  const currentRun = useRef<AbortController | null>(null);
  const cursor = start?.cursor ?? null;

  const run = useCallback(
    async (from: Continuation, targetCount: number, before: readonly ScrapeSummary[]) => {
      const stop = new AbortController();
      currentRun.current?.abort();
      currentRun.current = stop;
      let current: ContinuedSearch = {
        ...IDLE_SEARCH,
        items: before,
        state: 'searching',
        searchedTo: from.searchedTo,
        nextCursor: from.cursor,
      };
      setProgress(current);
      try {
        while (current.nextCursor !== null && current.items.length < targetCount) {
          const missing = targetCount - current.items.length;
          const page = await fetchScrapeList(from.filter, current.nextCursor, missing, stop.signal);
          current = { ...current, ...page, items: [...current.items, ...page.items] };
          if (stop.signal.aborted) return;
          setProgress(current);
        }
        setProgress({ ...current, state: 'done' });
      } catch (error) {
        if (!stop.signal.aborted) setProgress({ ...current, state: 'failed', error });
      }
    },
    [],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: the cursor identifies the start
  useEffect(() => {
    setProgress(IDLE_SEARCH);
    if (start !== null) void run(start, minCount, []);
    return () => currentRun.current?.abort();
  }, [cursor, run]);

  return {
    ...progress,
    stop: () => {
      currentRun.current?.abort();
      setProgress((latest) => ({ ...latest, state: 'stopped' }));
    },
    resume: () => {
      if (start === null || progress.nextCursor === null) return;
      const from = { ...start, cursor: progress.nextCursor, searchedTo: progress.searchedTo };
      void run(from, Math.max(minCount, progress.items.length + 1), progress.items);
    },
  };
}
