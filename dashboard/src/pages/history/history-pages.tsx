import { getRouteApi, useLocation } from '@tanstack/react-router';
import { PAGE_LENGTH } from '../../api/scrapes.ts';
import { CursorPager } from '../../ui/cursor-pager.tsx';
import { DataTable, SkeletonRows } from '../../ui/data-table.tsx';
import { ErrorState } from '../../ui/page-state.tsx';
import { Panel } from '../../ui/panel.tsx';
import { type HistorySearch, isFiltered } from './history-search.ts';
import { NoMatch, NoScrapesYet, NothingOlder } from './no-scrapes.tsx';
import { ScrapeList } from './scrape-list.tsx';
import { SearchProgress } from './search-progress.tsx';
import { useDeeperSearch } from './use-deeper-search.ts';
import { useScrapes } from './use-scrapes.ts';

const historyRoute = getRouteApi('/signed-in/history');

interface HistoryPagesProps {
  readonly search: HistorySearch;
  readonly people: ReadonlyMap<string, string> | null;
}

/** The list and the way through it. */
export function HistoryPages({ search, people }: HistoryPagesProps) {
  const { data, error, refetch } = useScrapes(search);
  const deeper = useDeeperSearch(
    data?.deeper ?? null,
    PAGE_LENGTH - Math.min(PAGE_LENGTH - 1, data?.items.length ?? 0),
  );
  const paging = usePaging(search, data?.filter.from);
  if (data === undefined) {
    if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
    return (
      <Panel>
        <DataTable caption="Loading scrapes" head={<th>Scrapes</th>} busy>
          <SkeletonRows columns={1} rows={10} />
        </DataTable>
      </Panel>
    );
  }
  const older = data.deeper === null ? [] : deeper.items;
  const searching = data.deeper !== null && deeper.state !== 'done';
  const none = data.items.length + older.length === 0;
  const next = data.deeper === null ? data.nextCursor : searching ? null : deeper.nextCursor;
  return (
    <Panel flush>
      {!none && <ScrapeList key={JSON.stringify(search)} items={data.items} older={older} people={people} />}
      {none && !searching && <Nothing search={search} onClear={paging.clear} />}
      {searching && <SearchProgress search={deeper} onStop={deeper.stop} onResume={deeper.resume} />}
      <CursorPager
        cursor={search.cursor}
        nextCursor={next}
        onCursor={(cursor) => (cursor === undefined ? paging.toNewest() : paging.toOlder(cursor))}
        onNewer={paging.toNewer}
      />
    </Panel>
  );
}

function Nothing({ search, onClear }: { readonly search: HistorySearch; readonly onClear: () => void }) {
  if (search.cursor !== undefined) return <NothingOlder />;
  return isFiltered(search) ? <NoMatch onClear={onClear} /> : <NoScrapesYet />;
}

/** @param from what the preset meant on the page that is shown; the pages behind it must mean the same */
function usePaging(search: HistorySearch, from: string | undefined) {
  const navigate = historyRoute.useNavigate();
  const trail = useLocation({ select: ({ state }) => state.trail });
  const first = (old: HistorySearch): HistorySearch => ({
    ...old,
    cursor: undefined,
    from: old.last === undefined ? old.from : undefined,
  });
  return {
    clear: () => void navigate({ search: {} }),
    toNewest: () => void navigate({ search: first }),
    toOlder: (cursor: string) =>
      void navigate({
        search: (old) => ({ ...old, cursor, from }),
        state: (old) => ({ ...old, trail: [...(trail ?? []), search.cursor ?? ''] }),
      }),
    /** undefined: how one came here is not known. */
    toNewer:
      trail === undefined || trail.length === 0
        ? undefined
        : () => {
            const before = trail.at(-1)!;
            void navigate({
              search: (old) => (before === '' ? first(old) : { ...old, cursor: before }),
              state: (old) => ({ ...old, trail: trail.slice(0, -1) }),
            });
          },
  };
}
