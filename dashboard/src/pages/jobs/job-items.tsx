import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, SegmentedControl } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { Fragment, useState } from 'react';
import { FIRST_RESULTS, isOpen, type Job, type JobItem, useJobResults } from '../../api/jobs.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { formatCount } from '../../ui/format.ts';
import { urlText } from '../../ui/host-text.ts';
import { IconFile } from '../../ui/icons.tsx';
import { OUTCOMES, OutcomeBadge } from '../../ui/outcome.tsx';
import { EmptyState, ErrorState } from '../../ui/page-state.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ButtonLink, MarkedText, TextLink } from '../../ui/text.tsx';
import { endedItems, ItemStatePill } from './job-state.tsx';
import classes from './jobs.module.css';

const jobRoute = getRouteApi('/signed-in/jobs/$id');

/** Rows that are added at a time. */
const ROWS = 100;

/** The items that have ended, and their errors. */
export function JobItems({ job }: { readonly job: Job }) {
  const [limit, setLimit] = useState(FIRST_RESULTS);
  const search = jobRoute.useSearch();
  const { folder } = search;
  const { data, error, refetch, isFetching } = useJobResults(job, limit, folder);
  if (error !== null && data === undefined)
    return <ErrorState error={error} onRetry={() => void refetch()} />;
  const items = data?.items ?? null;
  const shown = items?.filter(
    ({ state, error: itemError }) =>
      (search.items === undefined || state === search.items) &&
      (search.code === undefined || itemError?.code === search.code),
  );
  const mayHaveMore = items !== null && items.length >= limit && data?.complete !== true;
  /** null: unknown, because the figures of the job are not those of a folder. */
  const notLoaded = !mayHaveMore
    ? 0
    : folder === undefined
      ? Math.max(0, endedItems(job) - items.length)
      : null;
  return (
    <>
      {items !== null && <ErrorGroups items={items} />}
      <Panel
        title={t`Items`}
        description={<ItemsDescription job={job} loaded={notLoaded === 0 ? null : (items?.length ?? null)} />}
        flush
      >
        <ItemsFilter />
        {shown?.length === 0 ? (
          <NoItems job={job} />
        ) : (
          <ItemsTable key={`${search.items} ${search.code}`} items={shown ?? null} />
        )}
        {notLoaded !== 0 && (
          <div className={classes.more}>
            <Button variant="default" loading={isFetching} onClick={() => setLimit(limit + FIRST_RESULTS)}>
              <Trans>Load more items</Trans>
            </Button>
            {notLoaded !== null && t`${formatCount(notLoaded)} not loaded`}
          </div>
        )}
      </Panel>
    </>
  );
}

interface ItemsDescriptionProps {
  readonly job: Job;
  /** How many are loaded; null: all. */
  readonly loaded: number | null;
}

function ItemsDescription({ job, loaded }: ItemsDescriptionProps) {
  if (loaded !== null) return <Trans>The first {formatCount(loaded)} that ended.</Trans>;
  return <>{isOpen(job) ? t`Those that have ended, in this order.` : t`In the order they finished.`}</>;
}

function ItemsFilter() {
  const search = jobRoute.useSearch();
  const navigate = jobRoute.useNavigate();
  const without = (filter: 'code' | 'folder') =>
    navigate({ search: { ...search, [filter]: undefined }, replace: true, resetScroll: false });
  return (
    <div className={`${classes.head} ${classes.filters}`}>
      <SegmentedControl
        aria-label={t`Which items`}
        size="sm"
        value={search.items ?? 'all'}
        onChange={(next) =>
          void navigate({
            search: {
              items: next === 'all' ? undefined : (next as 'ok' | 'failed' | 'skipped'),
              folder: search.folder,
            },
            replace: true,
            resetScroll: false,
          })
        }
        data={[
          { value: 'all', label: t`All` },
          { value: 'ok', label: t`Fetched` },
          { value: 'failed', label: t`Failed` },
          { value: 'skipped', label: t`Skipped` },
        ]}
      />
      {search.code !== undefined && (
        <Button variant="default" onClick={() => void without('code')}>
          <Trans>Error {search.code} ×</Trans>
        </Button>
      )}
      {search.folder !== undefined && (
        <Button variant="default" className={classes.chosen} onClick={() => void without('folder')}>
          <Trans>Folder {search.folder} ×</Trans>
        </Button>
      )}
    </div>
  );
}

function NoItems({ job }: { readonly job: Job }) {
  const { items, code, folder } = jobRoute.useSearch();
  if (items !== undefined || code !== undefined || folder !== undefined)
    return (
      <EmptyState
        icon={IconFile}
        title={t`No such items`}
        level={3}
        action={
          <ButtonLink to="/jobs/$id" params={{ id: job.id }} variant="default">
            <Trans>Show all items</Trans>
          </ButtonLink>
        }
      >
        <Trans>No item that has ended matches the filter.</Trans>
      </EmptyState>
    );
  return (
    <EmptyState icon={IconFile} title={isOpen(job) ? t`No results yet` : t`No results`} level={3}>
      {isOpen(job) ? t`Items appear here when they end.` : t`No item ran before the job ended.`}
    </EmptyState>
  );
}

/** Errors of the loaded items by code, the most frequent first. Renders nothing if there are none. */
function ErrorGroups({ items }: { readonly items: readonly JobItem[] }) {
  const { id } = jobRoute.useParams();
  const { folder } = jobRoute.useSearch();
  const groups = new Map<string, { count: number; message: string }>();
  for (const { error } of items) {
    if (error === null) continue;
    const group = groups.get(error.code) ?? { count: 0, message: error.message };
    groups.set(error.code, { ...group, count: group.count + 1 });
  }
  if (groups.size === 0) return null;
  const sorted = [...groups].sort(([, a], [, b]) => b.count - a.count);
  return (
    <Panel title={t`Errors`} description={t`By code, with one example each.`} flush>
      <DataTable
        caption={t`Errors by code`}
        columns={[
          { label: t`Code`, cell: ([code]) => <code className="mono">{code}</code> },
          {
            label: t`Example`,
            wide: true,
            className: classes.message,
            cell: ([, { message }]) => <MarkedText text={message} />,
          },
          {
            label: t`Items`,
            numeric: true,
            cell: ([code, { count }]) => (
              <TextLink
                to="/jobs/$id"
                params={{ id }}
                search={{ code, folder }}
                replace
                resetScroll={false}
                size="sm"
              >
                {plural(count, { one: '# item', other: '# items' })}
              </TextLink>
            ),
          },
        ]}
        rows={sorted}
        rowKey={([code]) => code}
      />
    </Panel>
  );
}

function ItemsTable({ items }: { readonly items: readonly JobItem[] | null }) {
  const [rows, setRows] = useState(ROWS);
  return (
    <>
      <DataTable
        caption={t`Items that have ended`}
        columns={[
          { label: t`Page`, lead: true, minWidth: '12rem', cell: (item) => <ItemPage item={item} /> },
          { label: t`Result`, nowrap: true, cell: (item) => <ItemResult item={item} /> },
          {
            label: t`Error`,
            wide: true,
            className: classes.message,
            cell: ({ error }) => (error === null ? '–' : <MarkedText text={error.message} />),
          },
          { label: t`Tries`, wide: true, numeric: true, cell: ({ tries }) => formatCount(tries) },
        ]}
        rows={items?.slice(0, rows) ?? null}
        rowKey={({ n }) => `${n}`}
        skeletonRows={5}
      />
      {items !== null && items.length > rows && (
        <div className={classes.more}>
          <Trans>
            <Button variant="default" onClick={() => setRows(rows + ROWS)}>
              Show {formatCount(Math.min(ROWS, items.length - rows))} more
            </Button>
            {formatCount(rows)} of {formatCount(items.length)} shown
          </Trans>
        </div>
      )}
    </>
  );
}

const isOutcome = (name: string | null): name is keyof typeof OUTCOMES =>
  name !== null && Object.hasOwn(OUTCOMES, name);

/** Breaks after a slash rather than within a word. */
function UrlText({ url }: { readonly url: string }) {
  return urlText(url)
    .split(/(?<=[/?&])/)
    .map((part, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a URL do not move
      <Fragment key={index}>
        {part}
        <wbr />
      </Fragment>
    ));
}

function ItemPage({ item: { url, ref, scrape, error } }: { readonly item: JobItem }) {
  return (
    <>
      {typeof scrape === 'string' ? (
        <TextLink to="/history/$id" params={{ id: scrape }} size="sm">
          <UrlText url={url} />
        </TextLink>
      ) : (
        <UrlText url={url} />
      )}
      {ref !== null && <small>{ref}</small>}
      {error !== null && (
        <small data-narrow className={classes.narrow}>
          {error.code}
        </small>
      )}
    </>
  );
}

const ItemResult = ({ item: { state, outcome } }: { readonly item: JobItem }) =>
  state !== 'skipped' && isOutcome(outcome) ? (
    <OutcomeBadge outcome={outcome} />
  ) : (
    <ItemStatePill state={state} />
  );
