import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, NativeSelect, SegmentedControl, UnstyledButton } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Fragment, useEffect } from 'react';
import {
  ITEM_SORTS,
  isOpen,
  type Job,
  jobErrorsQuery,
  jobItemsQuery,
  type ListedJobItem,
} from '../../api/jobs.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { useDialog } from '../../ui/dialog.tsx';
import { formatBytes, formatCount } from '../../ui/format.ts';
import { urlText } from '../../ui/host-text.ts';
import { IconFile } from '../../ui/icons.tsx';
import { OUTCOMES, OutcomeBadge } from '../../ui/outcome.tsx';
import { EmptyState } from '../../ui/page-state.tsx';
import { PagedList } from '../../ui/paged-list.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ButtonLink, MarkedText, TextLink } from '../../ui/text.tsx';
import { TypedField } from '../../ui/typed-field.tsx';
import { ItemPanel } from './item-panel.tsx';
import { ItemStatePill } from './job-state.tsx';
import { Until, WAIT_TEXTS } from './job-waiting.tsx';
import classes from './jobs.module.css';

const jobRoute = getRouteApi('/signed-in/jobs/$id');

/** The items of a job, and their errors. */
export function JobItems({ job }: { readonly job: Job }) {
  const search = jobRoute.useSearch();
  const query = useInfiniteQuery(jobItemsQuery(job, search));
  const shown = useDialog<ListedJobItem>();
  const found = query.data?.pages.reduce((sum, { items }) => sum + items.length, 0) ?? 0;
  const { hasNextPage, isFetching, fetchNextPage } = query;
  // A page of a search may be empty although there is a next one.
  const goesOn = hasNextPage && found === 0;
  useEffect(() => {
    if (goesOn && !isFetching) void fetchNextPage();
  }, [goesOn, isFetching, fetchNextPage]);
  return (
    <>
      <ErrorGroups job={job} />
      <Panel title={t`Items`} description={t`Open one to see what was scraped.`} flush>
        <ItemsFilter />
        <PagedList
          query={query}
          empty={goesOn ? <ItemsTable items={null} onOpen={shown.open} /> : <NoItems job={job} />}
          more={t`Load more items`}
        >
          {(items) => <ItemsTable items={items} onOpen={shown.open} />}
        </PagedList>
        <SkippedItems job={job} />
      </Panel>
      <ItemPanel dialog={shown} job={job} />
    </>
  );
}

const SORT_LABELS: Readonly<Record<(typeof ITEM_SORTS)[number], string>> = {
  ended: t`Last ended first`,
  bytes: t`Largest first`,
  status_code: t`Highest status first`,
};

function ItemsFilter() {
  const search = jobRoute.useSearch();
  const navigate = jobRoute.useNavigate();
  const change = (next: Partial<typeof search>) =>
    void navigate({ search: { ...search, ...next }, replace: true, resetScroll: false });
  return (
    <div className={`${classes.head} ${classes.filters}`}>
      <SegmentedControl
        aria-label={t`Which items`}
        size="sm"
        value={search.items ?? 'visited'}
        onChange={(next) =>
          change({ items: next === 'visited' ? undefined : (next as typeof search.items), code: undefined })
        }
        data={[
          { value: 'visited', label: t`Pages` },
          { value: 'ok', label: t`Fetched` },
          { value: 'failed', label: t`Failed` },
          { value: 'waiting', label: t`Waiting` },
          { value: 'skipped', label: t`Skipped` },
        ]}
      />
      <TypedField
        size="sm"
        label={t`URL or title`}
        placeholder={t`URL or title`}
        applied={search.q ?? ''}
        tidied={(text) => text.trim()}
        onApply={(text) => change({ q: text.trim() || undefined })}
      />
      <NativeSelect
        aria-label={t`Order`}
        data={[
          { value: '', label: t`In their order` },
          ...ITEM_SORTS.map((sort) => ({ value: sort, label: SORT_LABELS[sort] })),
        ]}
        value={search.sort ?? ''}
        onChange={({ currentTarget: { value } }) =>
          change({ sort: (value || undefined) as typeof search.sort })
        }
      />
      {search.code !== undefined && (
        <Button variant="default" onClick={() => change({ code: undefined })}>
          <Trans>Error {search.code} ×</Trans>
        </Button>
      )}
      {search.folder !== undefined && (
        <Button variant="default" className={classes.chosen} onClick={() => change({ folder: undefined })}>
          <Trans>Folder {search.folder} ×</Trans>
        </Button>
      )}
    </div>
  );
}

function NoItems({ job }: { readonly job: Job }) {
  const { items, code, folder, q, sort } = jobRoute.useSearch();
  if ([items, code, folder, q, sort].some((filter) => filter !== undefined))
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
        <Trans>No item matches the filters.</Trans>
      </EmptyState>
    );
  return (
    <EmptyState icon={IconFile} title={isOpen(job) ? t`No results yet` : t`No results`} level={3}>
      {isOpen(job) ? t`Items appear here when they are found.` : t`No page was visited.`}
    </EmptyState>
  );
}

/** URLs that were found and not visited, in one line. */
function SkippedItems({ job: { id, counts, unlisted } }: { readonly job: Job }) {
  const search = jobRoute.useSearch();
  const count = counts.skipped + unlisted;
  if (count === 0 || search.items !== undefined || search.code !== undefined) return null;
  return (
    <div className={classes.more}>
      {plural(count, {
        one: '# more URL was found and not visited.',
        other: '# more URLs were found and not visited.',
      })}
      {counts.skipped > 0 && (
        <TextLink
          to="/jobs/$id"
          params={{ id }}
          search={{ ...search, items: 'skipped' }}
          replace
          resetScroll={false}
          size="sm"
        >
          <Trans>Show why</Trans>
        </TextLink>
      )}
    </div>
  );
}

/** Errors of the first items that have one, by code, the most frequent first. Renders nothing if there are none. */
function ErrorGroups({ job }: { readonly job: Job }) {
  const { folder } = jobRoute.useSearch();
  const { data } = useQuery(jobErrorsQuery(job, folder));
  const groups = new Map<string, { count: number; message: string }>();
  for (const { error } of data?.items ?? []) {
    if (error === null) continue;
    const group = groups.get(error.code) ?? { count: 0, message: error.message };
    groups.set(error.code, { ...group, count: group.count + 1 });
  }
  if (groups.size === 0) return null;
  const sorted = [...groups].sort(([, a], [, b]) => b.count - a.count);
  const isPart = data?.next_cursor !== null;
  return (
    <Panel
      title={t`Errors`}
      description={
        isPart
          ? t`By code, with one example each, of the first items that have one.`
          : t`By code, with one example each.`
      }
      flush
    >
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
                params={{ id: job.id }}
                search={{ code, folder }}
                replace
                resetScroll={false}
                size="sm"
              >
                {isPart
                  ? plural(count, { one: '#+ item', other: '#+ items' })
                  : plural(count, { one: '# item', other: '# items' })}
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

interface ItemsTableProps {
  /** null: loading. */
  readonly items: readonly ListedJobItem[] | null;
  readonly onOpen: (item: ListedJobItem) => void;
}

function ItemsTable({ items, onOpen }: ItemsTableProps) {
  return (
    <DataTable
      caption={t`Items of the job`}
      columns={[
        {
          label: t`Page`,
          lead: true,
          minWidth: '12rem',
          cell: (item) => <ItemPage item={item} onOpen={() => onOpen(item)} />,
        },
        { label: t`Result`, nowrap: true, cell: (item) => <ItemResult item={item} /> },
        { label: t`Status`, wide: true, numeric: true, cell: (item) => item.status_code ?? '–' },
        { label: t`Size`, wide: true, numeric: true, cell: ({ bytes }) => formatBytes(bytes) },
        {
          label: t`Error`,
          wide: true,
          className: classes.message,
          cell: ({ error }) => (error === null ? '–' : <MarkedText text={error.message} />),
        },
        { label: t`Tries`, wide: true, numeric: true, cell: ({ tries }) => formatCount(tries) },
      ]}
      rows={items}
      rowKey={({ item }) => item}
      skeletonRows={5}
    />
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

interface ItemPageProps {
  readonly item: ListedJobItem;
  readonly onOpen: () => void;
}

function ItemPage({
  item: { url, ref, title, error, waiting, next_try_at: nextTryAt },
  onOpen,
}: ItemPageProps) {
  return (
    <>
      <UnstyledButton className={classes.page} onClick={onOpen}>
        {title ?? <UrlText url={url} />}
      </UnstyledButton>
      {title !== null && (
        <small>
          <UrlText url={url} />
        </small>
      )}
      {ref !== null && <small>{ref}</small>}
      {waiting !== null && (
        <small>
          {nextTryAt !== null && waiting.reason === 'retry' ? (
            <Trans>
              Next try <Until at={nextTryAt} />
            </Trans>
          ) : (
            WAIT_TEXTS[waiting.reason]
          )}
        </small>
      )}
      {error !== null && (
        <small data-narrow className={classes.narrow}>
          {error.code}
        </small>
      )}
    </>
  );
}

const ItemResult = ({ item: { state, outcome } }: { readonly item: ListedJobItem }) =>
  (state === 'ok' || state === 'failed') && isOutcome(outcome) ? (
    <OutcomeBadge outcome={outcome} />
  ) : (
    <ItemStatePill state={state} />
  );
