import { useCallback, useEffect, useRef, useState } from 'react';
import { fetchScrapePage, type ScrapeSummary } from '../../api/scrapes.ts';
import type { Deeper } from './use-scrapes.ts';

export interface DeeperSearch {
  readonly items: readonly ScrapeSummary[];
  readonly state: 'idle' | 'searching' | 'stopped' | 'done' | 'failed';
  /** RFC 3339; null: to the end. */
  readonly searchedTo: string | null;
  /** Behind the last that was found; null: there is nothing behind it. */
  readonly nextCursor: string | null;
  readonly error: unknown;
}

const IDLE: DeeperSearch = { items: [], state: 'idle', searchedTo: null, nextCursor: null, error: null };

/**
 * Goes on behind a page that was short, call by call, until enough is found, nothing is left, or somebody stops it.
 * @param wanted how many are enough
 */
export function useDeeperSearch(start: Deeper | null, wanted: number) {
  const [found, setFound] = useState<DeeperSearch>(IDLE);
  const running = useRef<AbortController | null>(null);
  const cursor = start?.cursor ?? null;

  const run = useCallback(async (from: Deeper, enough: number, begin: readonly ScrapeSummary[]) => {
    const stop = new AbortController();
    running.current?.abort();
    running.current = stop;
    let at: DeeperSearch = {
      ...IDLE,
      items: begin,
      state: 'searching',
      searchedTo: from.searchedTo,
      nextCursor: from.cursor,
    };
    setFound(at);
    try {
      while (at.nextCursor !== null && at.items.length < enough) {
        const page = await fetchScrapePage(from.filter, at.nextCursor, enough - at.items.length, stop.signal);
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
    setFound(IDLE);
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
