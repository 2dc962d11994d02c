import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Loader, Switch } from '@mantine/core';
import { getRouteApi, useLocation } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import { useUserEmails } from '../../api/users.ts';
import { BASE_PATH } from '../../app/page-config.ts';
import { stringifySearch } from '../../app/urls.ts';
import { ChangersOnly } from '../../ui/changers-only.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { DateTime } from '../../ui/date-time.tsx';
import { ExportMenu } from '../../ui/export-menu.tsx';
import { formatCount } from '../../ui/format.ts';
import { IconChevronDown, IconHistory, IconSearch } from '../../ui/icons.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState, ErrorState, errorText } from '../../ui/page-state.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ButtonLink } from '../../ui/text.tsx';
import { FilterBar, FilterChips } from './filter-bar.tsx';
import classes from './history.module.css';
import { apiFilterOf, type HistorySearch, isFiltered } from './history-search.ts';
import { ScrapeList } from './scrape-list.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { TotalsPanel } from './totals-panel.tsx';
import { type LoadedScrapes, type OlderScrapes, useScrapes } from './use-scrapes.ts';

const historyRoute = getRouteApi('/signed-in/history');

export function HistoryPage() {
  const search = historyRoute.useSearch();
  const navigate = historyRoute.useNavigate();
  const userEmails = useUserEmails();
  const change = (filters: Partial<HistorySearch>) =>
    void navigate({ search: (old) => ({ ...old, ...filters }) });
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
        actions={<ExportFiltered search={search} />}
      />
      <FilterBar search={search} userEmails={userEmails} onChange={change}>
        <LiveSwitch
          on={search.live === undefined}
          onChange={(on) =>
            void navigate({
              search: (old) => ({ ...old, live: on ? undefined : 'off' }),
              replace: true,
              resetScroll: false,
            })
          }
        />
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

/** The selected scrapes. They are kept while a record is open. */
let keptSelection: ReadonlySet<string> = new Set();

function HistoryList({ search, userEmails }: HistoryListProps) {
  const [isAtTop, setAtTop] = useState(false);
  const counted = useLocation({ select: ({ state }) => state.counted ?? 0 });
  const { data, error, refetch, older } = useScrapes(search, isAtTop);
  const [selected, setSelected] = useState(keptSelection);
  useEffect(() => {
    keptSelection = selected;
  }, [selected]);
  // Only what is still listed.
  const chosen = useMemo(
    () =>
      selected.size === 0 ? [] : (data?.items ?? []).map(({ id }) => id).filter((id) => selected.has(id)),
    [data, selected],
  );
  if (data === undefined) {
    if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
    return (
      <Panel>
        <DataTable caption={t`Loading scrapes`} columns={[t`Scrapes`]} rows={null} skeletonRows={10} />
      </Panel>
    );
  }
  const complete = data.nextCursor === null;
  return (
    <Panel flush>
      {complete && counted > data.items.length && (
        <p className={classes.expired}>
          <Trans>
            {formatCount(counted)} scrapes were counted here, and {formatCount(data.items.length)} of their
            records are still stored. Counters are kept longer than records.
          </Trans>
        </p>
      )}
      <SelectionBar ids={chosen} onClear={() => setSelected(new Set())} />
      {complete && data.items.length === 0 ? (
        <EmptyHistory search={search} />
      ) : (
        <ScrapeList
          key={JSON.stringify(search)}
          items={data.items}
          complete={complete}
          onEnd={older.loading === 'idle' ? older.load : undefined}
          isAtTop={isAtTop}
          onTop={setAtTop}
          userEmails={userEmails}
          selected={selected}
          onSelect={setSelected}
        />
      )}
      {!complete && <LoadingOlder data={data} older={older} />}
    </Panel>
  );
}

function EmptyHistory({ search }: { readonly search: HistorySearch }) {
  const navigate = historyRoute.useNavigate();
  if (!isFiltered(search)) return <NoScrapesYet />;
  return <NoMatchingScrapes onClear={() => void navigate({ search: {} })} />;
}

/** What is happening at the end of the list, while there may be older scrapes. */
function LoadingOlder({
  data: { isSparse, searchedTo },
  older: { loading, load, stop },
}: {
  readonly data: LoadedScrapes;
  readonly older: OlderScrapes;
}) {
  const isStopped = loading === 'stopped' || typeof loading === 'object';
  if (!isSparse && !isStopped)
    return (
      <div className={classes.progress}>
        <Loader size={14} />
        <Trans>Loading…</Trans>
      </div>
    );
  return (
    <div className={classes.progress}>
      {!isStopped && <Loader size={14} />}
      <span role="status">
        {typeof loading === 'object' && `${errorText(loading.error).text} `}
        {searchedTo !== null && <SearchedTo loading={loading} at={searchedTo} />}
      </span>
      {isStopped ? (
        <Button variant="default" size="compact-sm" onClick={load}>
          <Trans>Go on</Trans>
        </Button>
      ) : (
        <Button variant="default" size="compact-sm" onClick={stop}>
          <Trans>Stop</Trans>
        </Button>
      )}
    </div>
  );
}

/** How far the search came. */
function SearchedTo({ loading, at }: { readonly loading: OlderScrapes['loading']; readonly at: string }) {
  if (typeof loading === 'object')
    return (
      <Trans>
        Searched back to <DateTime at={at} />.
      </Trans>
    );
  return loading === 'stopped' ? (
    <Trans>
      Stopped: searched back to <DateTime at={at} />
    </Trans>
  ) : (
    <Trans>
      Searching: searched back to <DateTime at={at} />
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

/** Exports the filtered list as a file. */
function ExportFiltered({ search }: { readonly search: HistorySearch }) {
  const href = (format: string) => {
    const filter = apiFilterOf(search, Date.now());
    return `${BASE_PATH}/api/v1/scrape/export/${stringifySearch({ format, ...filter })}`;
  };
  return (
    <ExportMenu
      label={t`Export`}
      rightSection={<IconChevronDown size={14} />}
      note={t`Filtered scrapes, up to 100,000 lines`}
      files={() => [
        [t`CSV, for spreadsheets`, href('csv')],
        [t`JSON Lines, for programs`, href('jsonl')],
      ]}
    />
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
          <ChangersOnly>
            <Group gap="xs" justify="center">
              <ButtonLink to="/playground">
                <Trans>Try one in the playground</Trans>
              </ButtonLink>
              <ButtonLink to="/keys" variant="default">
                <Trans>Get an API key</Trans>
              </ButtonLink>
            </Group>
          </ChangersOnly>
        }
      >
        <Trans>
          Every scrape appears here when it ends, with its request, its response and how it was fetched.
        </Trans>
      </EmptyState>
      <ChangersOnly>
        <div className={classes.example}>
          <p className={classes.exampleHint}>
            <Trans>Send the first one:</Trans>
          </p>
          <CodeBlock code={curl} label={t`the first request`} wrap />
        </div>
      </ChangersOnly>
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
