import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { fetchScrapeList, type ScrapeFilter, type ScrapeSummary } from '../../api/scrapes.ts';
import { apiFilterOf, type HistorySearch } from './history-search.ts';

/** Polling interval in ms, while the top of the list is in view. */
const POLL_MS = 2_500;
/** A paused list that is older is read again when its top is in view. */
const STALE_MS = 60_000;
/** How long the list is kept while a record is open. */
const KEPT_MS = 30 * 60_000;
/** Scrapes read by each poll. */
const NEWEST = 50;
/** Scrapes loaded at once while one scrolls. */
const OLDER = 200;
/** A list that grows by polling begins anew beyond this. */
const MAX_POLLED = 5_000;

export interface LoadedScrapes {
  /** Newest first. */
  readonly items: readonly ScrapeSummary[];
  /** The filter of `nextCursor`. A time preset is replaced by its start at that moment. */
  readonly filter: ScrapeFilter;
  /** null: there are no older ones. */
  readonly nextCursor: string | null;
  /** RFC 3339: all newer records were examined; null: all records were. */
  readonly searchedTo: string | null;
  /** One call examines a limited number of records, and the last one found few or none. */
  readonly isSparse: boolean;
}

type Loading = 'idle' | 'loading' | 'stopped' | { readonly error: unknown };

/** The history as far as it was loaded. While its top is in view, new scrapes are added. */
export function useScrapes(search: HistorySearch, isAtTop: boolean) {
  const queries = useQueryClient();
  const { live, ...filters } = search;
  const queryKey = ['history', 'list', filters];
  const isLive = live === undefined;
  const { data, error, refetch, dataUpdatedAt } = useQuery({
    queryKey,
    queryFn: async ({ signal }): Promise<LoadedScrapes> => {
      const filter = apiFilterOf(search, Date.now());
      const page = await fetchScrapeList(filter, undefined, NEWEST, signal);
      const newest = { ...page, filter, isSparse: page.items.length < NEWEST };
      const loaded = queries.getQueryData<LoadedScrapes>(queryKey);
      return loaded === undefined ? newest : merged(newest, loaded);
    },
    refetchInterval: ({ state }) => (isLive && (isAtTop || state.data?.items.length === 0) ? POLL_MS : false),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: KEPT_MS,
    // Comparing long lists would take longer than rendering the rows in view.
    structuralSharing: false,
  });
  const isStale = isAtTop && Date.now() - dataUpdatedAt > (isLive ? POLL_MS : STALE_MS);
  useEffect(() => {
    if (isStale) void refetch({ cancelRefetch: false });
  }, [isStale, refetch]);
  const older = useOlderScrapes(queryKey);
  return { data, error, refetch, older };
}

/** The list with the newest scrapes as just read. Ids are ordered by time. */
function merged(newest: LoadedScrapes, loaded: LoadedScrapes): LoadedScrapes {
  const isAll = newest.nextCursor === null;
  const oldestId = newest.items.at(-1)?.id ?? '';
  // Between a full page of newer ones and the list, there may be others.
  const isDetached = !newest.isSparse && (loaded.items[0]?.id ?? '') < oldestId;
  if (isAll || isDetached || loaded.items.length > MAX_POLLED) return newest;
  const items = new Map([...loaded.items, ...newest.items].map((item) => [item.id, item]));
  const { from = '' } = newest.filter;
  return {
    ...loaded,
    items: [...items.values()]
      // The start of a time preset moves on.
      .filter((item) => item.created_at >= from)
      .sort((a, b) => (a.id < b.id ? 1 : -1)),
  };
}

export type OlderScrapes = ReturnType<typeof useOlderScrapes>;

/** Loads older scrapes, call by call, until there are none, or the user stops it. */
function useOlderScrapes(queryKey: readonly unknown[]) {
  const queries = useQueryClient();
  const [loading, setLoading] = useState<Loading>('idle');
  const currentCall = useRef<AbortController | null>(null);
  const abort = () => {
    currentCall.current?.abort();
    currentCall.current = null;
  };
  const list = JSON.stringify(queryKey);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list begins anew
  useEffect(() => {
    setLoading('idle');
    return abort;
  }, [list]);
  const load = async () => {
    const from = queries.getQueryData<LoadedScrapes>(queryKey);
    if (currentCall.current !== null || from === undefined || from.nextCursor === null) return;
    const call = new AbortController();
    currentCall.current = call;
    setLoading('loading');
    try {
      const page = await fetchScrapeList(from.filter, from.nextCursor, OLDER, call.signal);
      if (call.signal.aborted) return;
      queries.setQueryData<LoadedScrapes>(queryKey, (loaded) =>
        loaded === undefined || loaded.nextCursor !== from.nextCursor
          ? loaded
          : {
              ...loaded,
              ...page,
              items: [...loaded.items, ...page.items],
              isSparse: page.items.length < OLDER,
            },
      );
      setLoading('idle');
    } catch (error) {
      if (!call.signal.aborted) setLoading({ error });
    } finally {
      if (currentCall.current === call) currentCall.current = null;
    }
  };
  return {
    loading,
    load: () => void load(),
    stop: () => {
      abort();
      setLoading('stopped');
    },
  };
}
