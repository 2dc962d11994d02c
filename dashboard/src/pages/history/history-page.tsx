import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Loader, Menu, Switch } from '@mantine/core';
import { getRouteApi, useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { PAGE_LENGTH } from '../../api/scrapes.ts';
import { useUserEmails } from '../../api/users.ts';
import { BASE_PATH } from '../../app/page-config.ts';
import { stringifySearch } from '../../app/urls.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { DataTable, SkeletonRows } from '../../ui/data-table.tsx';
import { DateTime } from '../../ui/date-time.tsx';
import {
  IconChevronDown,
  IconChevronLeft,
  IconChevronRight,
  IconDownload,
  IconHistory,
  IconSearch,
} from '../../ui/icons.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState, ErrorState, errorText } from '../../ui/page-state.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ButtonLink, TextLink } from '../../ui/text.tsx';
import { FilterBar, FilterChips } from './filter-bar.tsx';
import classes from './history.module.css';
import { apiFilterOf, type HistorySearch, isFiltered, withFilter } from './history-search.ts';
import { ScrapeList } from './scrape-list.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { TotalsPanel } from './totals-panel.tsx';
import { type ContinuedSearch, useContinuedSearch, useScrapes } from './use-scrapes.ts';

const historyRoute = getRouteApi('/signed-in/history');

export function HistoryPage() {
  const search = historyRoute.useSearch();
  const navigate = historyRoute.useNavigate();
  const userEmails = useUserEmails();
  const change = (filters: Partial<HistorySearch>) =>
    void navigate({ search: (old) => withFilter(old, filters) });
  const clear = (names: readonly (keyof HistorySearch)[]) =>
    change(Object.fromEntries(names.map((name) => [name, undefined])));
  return (
    <>
      <PageHeader
        title={t`History`}
        description={
          userEmails === null
            ? t`Your scrapes, newest first, as long as they are stored.`
            : t`The scrapes of all users, newest first, as long as they are stored.`
        }
        actions={<ExportMenu search={search} />}
      />
      <FilterBar search={search} userEmails={userEmails} onChange={change}>
        {search.cursor === undefined && (
          <LiveSwitch
            on={search.live === undefined}
            onChange={(on) =>
              void navigate({ search: (old) => ({ ...old, live: on ? undefined : 'off' }), replace: true })
            }
          />
        )}
      </FilterBar>
      <FilterChips search={search} userEmails={userEmails} onRemove={clear} />
      <TotalsPanel search={search} onPick={(from, to) => change({ last: undefined, from, to })} />
      <HistoryList search={search} userEmails={userEmails} />
    </>
  );
}

interface HistoryListProps {
  readonly search: HistorySearch;
  readonly userEmails: ReadonlyMap<string, string> | null;
}

/** The list with its pager. */
function HistoryList({ search, userEmails }: HistoryListProps) {
  const { data, error, refetch } = useScrapes(search);
  const continued = useContinuedSearch(
    data?.continuation ?? null,
    PAGE_LENGTH - Math.min(PAGE_LENGTH - 1, data?.items.length ?? 0),
  );
  const paging = usePaging(search, data?.filter.from);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  if (data === undefined) {
    if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
    return (
      <Panel>
        <DataTable
          caption={t`Loading scrapes`}
          head={
            <th>
              <Trans>Scrapes</Trans>
            </th>
          }
          busy
        >
          <SkeletonRows columns={1} rows={10} />
        </DataTable>
      </Panel>
    );
  }
  const older = data.continuation === null ? [] : continued.items;
  const searching = data.continuation !== null && continued.state !== 'done';
  const isEmpty = data.items.length + older.length === 0;
  // Only what is still listed.
  const chosen = [...data.items, ...older].map(({ id }) => id).filter((id) => selected.has(id));
  const next = data.continuation === null ? data.nextCursor : searching ? null : continued.nextCursor;
  return (
    <Panel flush>
      <SelectionBar ids={chosen} onClear={() => setSelected(new Set())} />
      {!isEmpty && (
        <ScrapeList
          key={JSON.stringify(search)}
          items={data.items}
          older={older}
          userEmails={userEmails}
          selected={selected}
          onSelect={setSelected}
        />
      )}
      {isEmpty && !searching && <EmptyHistory search={search} onClear={paging.clear} />}
      {searching && <SearchProgress search={continued} onStop={continued.stop} onResume={continued.resume} />}
      <CursorPager
        cursor={search.cursor}
        nextCursor={next}
        onCursor={(cursor) => (cursor === undefined ? paging.toNewest() : paging.toOlder(cursor))}
        onNewer={paging.toNewer}
      />
    </Panel>
  );
}

function EmptyHistory({ search, onClear }: { readonly search: HistorySearch; readonly onClear: () => void }) {
  if (search.cursor !== undefined) return <EndOfList />;
  return isFiltered(search) ? <NoMatchingScrapes onClear={onClear} /> : <NoScrapesYet />;
}

/** @param from the start of the time preset on this page, which must stay the same on further pages */
function usePaging(search: HistorySearch, from: string | undefined) {
  const navigate = historyRoute.useNavigate();
  const previousCursors = useLocation({ select: ({ state }) => state.previousCursors });
  const firstPage = (old: HistorySearch): HistorySearch => ({
    ...old,
    cursor: undefined,
    from: old.last === undefined ? old.from : undefined,
  });
  return {
    clear: () => void navigate({ search: {} }),
    toNewest: () => void navigate({ search: firstPage }),
    toOlder: (cursor: string) =>
      void navigate({
        search: (old) => ({ ...old, cursor, from }),
        state: (old) => ({ ...old, previousCursors: [...(previousCursors ?? []), search.cursor ?? ''] }),
      }),
    /** undefined: the previous pages are not known. */
    toNewer:
      previousCursors === undefined || previousCursors.length === 0
        ? undefined
        : () => {
            const previous = previousCursors.at(-1)!;
            void navigate({
              search: (old) => (previous === '' ? firstPage(old) : { ...old, cursor: previous }),
              state: (old) => ({ ...old, previousCursors: previousCursors.slice(0, -1) }),
            });
          },
  };
}

interface CursorPagerProps {
  /** Cursor of the current page; undefined: the first page. */
  readonly cursor: string | undefined;
  /** Cursor of the next page; null: there is none. */
  readonly nextCursor: string | null;
  /** Called with the cursor for the URL; undefined: the first page. */
  readonly onCursor: (cursor: string | undefined) => void;
  /** Goes to the newer page; undefined: its cursor is not known. */
  readonly onNewer?: (() => void) | undefined;
}

/** The buttons below a list whose API has cursors for older pages only. */
function CursorPager({ cursor, nextCursor, onCursor, onNewer }: CursorPagerProps) {
  if (cursor === undefined && nextCursor === null) return null;
  return (
    <Group component="nav" aria-label={t`Pages`} justify="flex-end" gap="xs" px="md" py="sm">
      <Button
        variant="default"
        size="xs"
        mr="auto"
        disabled={cursor === undefined}
        onClick={() => onCursor(undefined)}
      >
        <Trans>Newest</Trans>
      </Button>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconChevronLeft size={15} />}
        disabled={cursor === undefined || onNewer === undefined}
        onClick={onNewer}
      >
        <Trans>Newer</Trans>
      </Button>
      <Button
        variant="default"
        size="xs"
        rightSection={<IconChevronRight size={15} />}
        disabled={nextCursor === null}
        onClick={() => onCursor(nextCursor ?? undefined)}
      >
        <Trans>Older</Trans>
      </Button>
    </Group>
  );
}

interface SearchProgressProps {
  readonly search: ContinuedSearch;
  readonly onStop: () => void;
  readonly onResume: () => void;
}

/** The progress of a search that needs more than one call. Renders nothing when the search has ended. */
function SearchProgress({ search, onStop, onResume }: SearchProgressProps) {
  const { state, searchedTo, nextCursor, error } = search;
  if (state === 'idle' || state === 'done') return null;
  const searching = state === 'searching';
  return (
    <div className={classes.progress}>
      {searching && <Loader size={14} />}
      <span role="status">
        {state === 'failed' && `${errorText(error).text} `}
        <SearchedTo state={state} at={searchedTo} />
      </span>
      {searching ? (
        <Button variant="default" size="compact-sm" onClick={onStop}>
          <Trans>Stop</Trans>
        </Button>
      ) : (
        nextCursor !== null && (
          <Button variant="default" size="compact-sm" onClick={onResume}>
            <Trans>Go on</Trans>
          </Button>
        )
      )}
    </div>
  );
}

/** How far the search came. */
function SearchedTo({ state, at }: { readonly state: ContinuedSearch['state']; readonly at: string | null }) {
  if (at === null) return state === 'searching' ? t`Searching…` : state === 'stopped' ? t`Stopped.` : null;
  if (state === 'failed')
    return (
      <Trans>
        Searched back to <DateTime at={at} />.
      </Trans>
    );
  return state === 'searching' ? (
    <Trans>
      Searching: searched back to <DateTime at={at} />
    </Trans>
  ) : (
    <Trans>
      Stopped: searched back to <DateTime at={at} />
    </Trans>
  );
}

interface LiveSwitchProps {
  readonly on: boolean;
  readonly onChange: (on: boolean) => void;
}

/** Switches automatic updates of the list. */
function LiveSwitch({ on, onChange }: LiveSwitchProps) {
  return (
    <Switch
      size="xs"
      className={classes.live}
      label={on ? t`Live` : t`Paused`}
      aria-label={t`Live`}
      checked={on}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}

/** Exports all pages of the filtered list as a file. */
function ExportMenu({ search }: { readonly search: HistorySearch }) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          variant="default"
          leftSection={<IconDownload size={16} />}
          rightSection={<IconChevronDown size={14} />}
        >
          <Trans>Export</Trans>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <ExportFormats search={search} />
      </Menu.Dropdown>
    </Menu>
  );
}

/** Rendered when the menu is opened, because the time of a preset is relative to that moment. */
function ExportFormats({ search }: { readonly search: HistorySearch }) {
  const filter = apiFilterOf(search, Date.now());
  const href = (format: string) =>
    `${BASE_PATH}/api/v1/scrape/export/${stringifySearch({ format, ...filter })}`;
  return (
    <>
      <Menu.Label>
        <Trans>Filtered scrapes, up to 100,000 lines</Trans>
      </Menu.Label>
      <Menu.Item component="a" href={href('csv')} download>
        <Trans>CSV, for spreadsheets</Trans>
      </Menu.Item>
      <Menu.Item component="a" href={href('jsonl')} download>
        <Trans>JSON Lines, for programs</Trans>
      </Menu.Item>
    </>
  );
}

/** Shown if there are no scrapes at all: explains how to begin. */
function NoScrapesYet() {
  const curl = `curl -s ${location.origin}${BASE_PATH}/api/v1/scrape/ \\
  -H 'Authorization: Api-Key <your key>' \\
  -H 'Content-Type: application/json' \\
  -d '{"url": "https://example.com", "scraper": "auto"}'`;
  return (
    <>
      <EmptyState
        icon={IconHistory}
        title={t`No scrapes yet`}
        action={
          <Group gap="xs" justify="center">
            <ButtonLink to="/playground">
              <Trans>Try one in the playground</Trans>
            </ButtonLink>
            <ButtonLink to="/keys" variant="default">
              <Trans>Get an API key</Trans>
            </ButtonLink>
          </Group>
        }
      >
        <Trans>
          Every scrape appears here when it ends, with its request, its response and how it was fetched. Send
          the first one:
        </Trans>
      </EmptyState>
      <div className={classes.example}>
        <CodeBlock code={curl} label={t`the first request`} wrap />
      </div>
    </>
  );
}

/** Shown if no scrape matches the filters. */
function NoMatchingScrapes({ onClear }: { readonly onClear: () => void }) {
  return (
    <EmptyState
      icon={IconSearch}
      title={t`No matching scrapes`}
      action={
        <Button variant="default" onClick={onClear}>
          <Trans>Clear the filters</Trans>
        </Button>
      }
    >
      <Trans>
        No stored scrape matches these filters. Scrapes older than the retention time were deleted.
      </Trans>
    </EmptyState>
  );
}

/** Shown if the list ends before this page. */
function EndOfList() {
  return (
    <EmptyState icon={IconHistory} title={t`No more results`}>
      <Trans>
        This is the end of the list. <TextLink to="/history">Show the newest</TextLink>
      </Trans>
    </EmptyState>
  );
}
