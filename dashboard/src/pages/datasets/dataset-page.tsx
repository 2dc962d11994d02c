import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Menu, NativeSelect, Stack, TextInput } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '../../api/client.ts';
import {
  type Dataset,
  type DatasetRow,
  type DatasetRun,
  datasetQuery,
  datasetRowsQuery,
  datasetRunsQuery,
  useDeleteDataset,
} from '../../api/datasets.ts';
import { BASE_PATH } from '../../app/page-config.ts';
import { ChangersOnly } from '../../ui/changers-only.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { DateTime } from '../../ui/date-time.tsx';
import { ConfirmDialog, useDialog } from '../../ui/dialog.tsx';
import { ExportMenu } from '../../ui/export-menu.tsx';
import { formatCount, formatLocalMinute } from '../../ui/format.ts';
import {
  IconArrowDown,
  IconArrowUp,
  IconPlus,
  IconSearch,
  IconSelector,
  IconTable,
  IconTrash,
  IconX,
} from '../../ui/icons.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState, ErrorNotice, ErrorState, NotFoundState, PageSkeleton } from '../../ui/page-state.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Pill } from '../../ui/pill.tsx';
import { SteerButton } from '../../ui/steer-button.tsx';
import { ButtonLink, TextLink } from '../../ui/text.tsx';
import { tableRow, VirtualList } from '../../ui/virtual-list.tsx';
import classes from './datasets.module.css';

const datasetRoute = getRouteApi('/signed-in/datasets/$id');

/** Height of a row in px. */
const ROW_HEIGHT = 41;
/** Columns that are shown at first: more are not readable. */
const FIRST_COLUMNS = 12;

/** A dataset as a table: sorted, filtered, compared with an earlier run. */
export function DatasetPage() {
  const { id } = datasetRoute.useParams();
  const { data: dataset, error, refetch } = useQuery(datasetQuery(id));
  const { data: runs } = useQuery(datasetRunsQuery(id));
  if (error instanceof ApiError && error.status === 404)
    return <NotFoundState title={t`No such dataset`} list={{ to: '/datasets', label: t`All datasets` }} />;
  if (dataset === undefined)
    return error === null ? <PageSkeleton /> : <ErrorState error={error} onRetry={() => void refetch()} />;
  const { rows, columns } = dataset;
  const files = `${BASE_PATH}/api/v1/datasets/${id}/export/?format=`;
  return (
    <>
      <PageHeader
        title={dataset.name}
        back={
          <TextLink to="/datasets">
            <Trans>Datasets</Trans>
          </TextLink>
        }
        description={
          <>
            {plural(rows, { one: '# row', other: '# rows' })},{' '}
            {plural(columns.length, { one: '# column', other: '# columns' })}
          </>
        }
        actions={
          <>
            <ExportMenu
              label={t`Export`}
              files={() => [
                [t`CSV`, `${files}csv`],
                [t`Excel (XLSX)`, `${files}xlsx`],
                [t`JSON Lines`, `${files}jsonl`],
              ]}
            />
            <ChangersOnly>
              <DeleteButton dataset={dataset} />
            </ChangersOnly>
          </>
        }
      />
      <Stack gap="md">
        <ErrorNotice error={error} title={t`This page is out of date`} />
        {rows === 0 && (runs?.items.length ?? 0) === 0 ? (
          <Panel>
            <EmptyState
              icon={IconTable}
              title={t`No rows yet`}
              action={
                <ChangersOnly>
                  <ButtonLink
                    to="/schedules/new"
                    search={{ dataset: id }}
                    leftSection={<IconPlus size={16} />}
                  >
                    <Trans>New schedule</Trans>
                  </ButtonLink>
                </ChangersOnly>
              }
            >
              <Trans>Choose this dataset in a schedule. Each run adds its rows.</Trans>
            </EmptyState>
          </Panel>
        ) : (
          <RowsPanel dataset={dataset} runs={runs?.items ?? []} />
        )}
        <RunsPanel runs={runs?.items ?? null} />
        <ColumnsPanel dataset={dataset} />
      </Stack>
    </>
  );
}

function DeleteButton({ dataset: { id, name } }: { readonly dataset: Dataset }) {
  const dialog = useDialog<string>();
  const navigate = useNavigate();
  return (
    <>
      <SteerButton icon={IconTrash} label={t`Delete`} onClick={() => dialog.open(name)} />
      <ConfirmDialog
        dialog={dialog}
        title={t`Delete “${name}”?`}
        confirmLabel={t`Delete the dataset`}
        danger
        action={useDeleteDataset(id)}
        input={undefined}
        done={t`The dataset is deleted.`}
        onDone={() => void navigate({ to: '/datasets' })}
      >
        <Trans>Its rows are deleted. Jobs and their results stay. This cannot be undone.</Trans>
      </ConfirmDialog>
    </>
  );
}

function RowsPanel({ dataset, runs }: { readonly dataset: Dataset; readonly runs: readonly DatasetRun[] }) {
  const { run, sort, filter, diff_to } = datasetRoute.useSearch();
  const query = useInfiniteQuery(datasetRowsQuery(dataset.id, { run, sort, filter, diff_to }, dataset.rows));
  const [hidden, setHidden] = useState<readonly string[]>(() =>
    dataset.columns.slice(FIRST_COLUMNS).map(({ name }) => name),
  );
  const shown = dataset.columns.filter(({ name }) => !hidden.includes(name));
  const items = query.data?.pages.flatMap((page) => page.items) ?? [];
  const isComplete = query.data !== undefined && !query.hasNextPage;
  const isSorted = diff_to === undefined;
  const headOf = (label: string, column: string) =>
    isSorted ? <SortButton label={label} column={column} /> : label;
  return (
    <Panel
      title={t`Data`}
      actions={<ColumnsMenu dataset={dataset} hidden={hidden} onHide={setHidden} />}
      flush
    >
      <Toolbar dataset={dataset} runs={runs} />
      <ErrorNotice error={query.error} />
      {items.length === 0 && isComplete ? (
        diff_to === undefined ? (
          <NoRows dataset={dataset} />
        ) : (
          <EmptyState icon={IconTable} title={t`No differences`}>
            <Trans>Both runs have the same rows.</Trans>
          </EmptyState>
        )
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard
        <section className={classes.scroll} aria-label={t`Rows of the dataset`} tabIndex={0}>
          <VirtualList
            label={t`Rows`}
            columns={[
              ...(isSorted ? [] : [{ label: t`State`, headClassName: classes.change }]),
              { label: headOf(t`URL`, '$url'), headClassName: classes.url },
              { label: t({ message: 'Run', context: 'noun' }), headClassName: classes.run },
              ...shown.map(({ name, type }) => ({
                label: type === 'json' ? name : headOf(name, name),
                headClassName: classes.value,
              })),
            ]}
            items={items}
            keyOf={({ row, change }) => `${row} ${change}`}
            rowHeight={ROW_HEIGHT}
            complete={isComplete}
            onEnd={query.hasNextPage && !query.isFetching ? () => void query.fetchNextPage() : undefined}
          >
            {(row, index, measure) => (
              <tr key={row.row} ref={measure} {...tableRow(index)}>
                {row.change !== null && (
                  <td className={classes.change}>
                    <ChangePill change={row.change} />
                  </td>
                )}
                <td className={classes.url}>
                  <span className={classes.cell} title={row.url}>
                    {row.scrape === null ? (
                      row.url
                    ) : (
                      <TextLink to="/history/$id" params={{ id: row.scrape }} size="sm">
                        {row.url}
                      </TextLink>
                    )}
                  </span>
                </td>
                <td className={classes.run}>{row.run}</td>
                {shown.map(({ name }) => (
                  <td key={name} className={classes.value}>
                    <Value row={row} name={name} />
                  </td>
                ))}
              </tr>
            )}
          </VirtualList>
        </section>
      )}
    </Panel>
  );
}

function ChangePill({ change }: { readonly change: NonNullable<DatasetRow['change']> }) {
  if (change === 'new') return <Pill tone="green">{t`New`}</Pill>;
  return change === 'gone' ? <Pill tone="red">{t`Gone`}</Pill> : <Pill tone="amber">{t`Changed`}</Pill>;
}

const textOf = (value: unknown): string =>
  value === undefined || value === null
    ? ''
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value);

/** A value; of a changed row with the one before. */
function Value({ row, name }: { readonly row: DatasetRow; readonly name: string }) {
  const now = textOf(row.values[name]);
  const before = row.before === null ? now : textOf(row.before[name]);
  return (
    <span className={classes.cell} title={now === before ? now : `${before} → ${now}`}>
      {now === before ? (
        now
      ) : (
        <>
          <del>{before}</del> <ins>{now}</ins>
        </>
      )}
    </span>
  );
}

/** Sorts by the column, then the other way round, then not. */
function SortButton({ label, column }: { readonly label: string; readonly column: string }) {
  const search = datasetRoute.useSearch();
  const navigate = datasetRoute.useNavigate();
  const isUp = search.sort === column;
  const isDown = search.sort === `-${column}`;
  const SortIcon = isUp ? IconArrowUp : isDown ? IconArrowDown : IconSelector;
  const next = isUp ? `-${column}` : isDown ? undefined : column;
  return (
    <button
      type="button"
      className={classes.sort}
      aria-label={isUp ? t`${label}, ascending` : isDown ? t`${label}, descending` : t`Sort by ${label}`}
      onClick={() => void navigate({ search: { ...search, sort: next }, replace: true })}
    >
      <span className={classes.cell}>{label}</span>
      <SortIcon size={13} />
    </button>
  );
}

const OPERATORS = [
  { value: 'contains', label: t`contains` },
  { value: 'eq', label: '=' },
  { value: 'ne', label: '≠' },
  { value: 'lt', label: '<' },
  { value: 'gt', label: '>' },
  { value: 'null', label: t`is empty` },
  { value: 'not_null', label: t`is not empty` },
];

/** Which runs are shown, what they are compared with, and a filter. */
function Toolbar({ dataset, runs }: { readonly dataset: Dataset; readonly runs: readonly DatasetRun[] }) {
  const search = datasetRoute.useSearch();
  const navigate = datasetRoute.useNavigate();
  const go = (change: object) => void navigate({ search: { ...search, ...change }, replace: true });
  const options = runs.map(({ n, at }) => {
    const time = formatLocalMinute(at);
    return { value: String(n), label: t`Run ${n}, ${time}` };
  });
  // A run has no differences from itself.
  const shown = search.run ?? runs[0]?.n;
  const others = options.filter(({ value }) => value !== String(shown) || value === String(search.diff_to));
  const numberOf = (text: string) => (text === '' ? undefined : Number(text));
  return (
    <div className={`${classes.toolbar} ${classes.head}`}>
      <NativeSelect
        label={t`Runs`}
        data={[{ value: '', label: search.diff_to === undefined ? t`All runs` : t`Latest run` }, ...options]}
        value={search.run === undefined ? '' : String(search.run)}
        onChange={({ currentTarget: { value } }) => go({ run: numberOf(value) })}
      />
      <NativeSelect
        label={t`Compare with`}
        data={[{ value: '', label: t`Nothing` }, ...others]}
        value={search.diff_to === undefined ? '' : String(search.diff_to)}
        onChange={({ currentTarget: { value } }) =>
          go({ diff_to: numberOf(value), sort: undefined, filter: undefined })
        }
      />
      {search.diff_to === undefined && (
        <FilterFields dataset={dataset} onFilter={(filter) => go({ filter })} />
      )}
    </div>
  );
}

function FilterFields({
  dataset,
  onFilter,
}: {
  readonly dataset: Dataset;
  readonly onFilter: (filter: string | undefined) => void;
}) {
  const { filter } = datasetRoute.useSearch();
  const [column, setColumn] = useState('$url');
  const [op, setOp] = useState('contains');
  const [text, setText] = useState('');
  const type =
    dataset.columns.find(({ name }) => name === column)?.type ?? (column === '$status' ? 'number' : 'text');
  const needsValue = op !== 'null' && op !== 'not_null';
  const value =
    op === 'contains' || type === 'text' || type === 'date-time' || type === 'json'
      ? text
      : type === 'boolean'
        ? text.trim() === 'true'
        : Number(text);
  const apply = () => onFilter(JSON.stringify([{ column, op, ...(needsValue ? { value } : {}) }]));
  const own = [
    { value: '$url', label: t`URL` },
    { value: '$title', label: t`Title` },
    { value: '$status', label: t`Status` },
  ];
  const columns = dataset.columns.map(({ name }) => ({ value: name, label: name }));
  return (
    <form
      className={classes.toolbar}
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      <NativeSelect
        label={t`Filter by`}
        data={[...own, ...columns]}
        value={column}
        onChange={(event) => setColumn(event.currentTarget.value)}
      />
      <NativeSelect
        label={t`Condition`}
        data={OPERATORS}
        value={op}
        onChange={(event) => setOp(event.currentTarget.value)}
      />
      {needsValue && (
        <TextInput label={t`Value`} value={text} onChange={(event) => setText(event.currentTarget.value)} />
      )}
      <Button type="submit" variant="default">
        <Trans>Filter</Trans>
      </Button>
      {filter !== undefined && (
        <Button variant="subtle" leftSection={<IconX size={14} />} onClick={() => onFilter(undefined)}>
          <Trans>All rows</Trans>
        </Button>
      )}
    </form>
  );
}

interface ColumnsMenuProps {
  readonly dataset: Dataset;
  readonly hidden: readonly string[];
  readonly onHide: (hidden: readonly string[]) => void;
}

/** Which columns are shown. */
function ColumnsMenu({ dataset, hidden, onHide }: ColumnsMenuProps) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" size="xs">
          <Trans>Columns</Trans>
        </Button>
      </Menu.Target>
      <Menu.Dropdown style={{ maxHeight: '60vh', overflowY: 'auto' }}>
        {dataset.columns.map(({ name }) => (
          <Menu.CheckboxItem
            key={name}
            checked={!hidden.includes(name)}
            onChange={(isShown) => onHide(isShown ? hidden.filter((one) => one !== name) : [...hidden, name])}
          >
            {name}
          </Menu.CheckboxItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

const RUN_TEXTS: Readonly<Record<DatasetRun['state'], string>> = {
  importing: t`Rows are being added`,
  ended: t`Complete`,
  failed: t`Not complete`,
  deleting: t`Being deleted`,
};

function RunsPanel({ runs }: { readonly runs: readonly DatasetRun[] | null }) {
  return (
    <Panel title={t`Runs`} flush>
      <DataTable
        caption={t`Runs of the dataset, newest first`}
        columns={[
          { label: t({ message: 'Run', context: 'noun' }), cell: ({ n }) => n },
          { label: t`Time`, cell: ({ at }) => <DateTime at={at} /> },
          { label: t`Rows`, numeric: true, cell: ({ rows }) => formatCount(rows) },
          {
            label: t`State`,
            wide: true,
            lead: true,
            cell: ({ state, error }) => (
              <>
                {RUN_TEXTS[state]}
                {error !== null && <small>{error.message}</small>}
              </>
            ),
          },
          {
            label: t`Job`,
            cell: ({ job_id }) => (
              <TextLink to="/jobs/$id" params={{ id: job_id }} size="sm">
                <Trans>Results</Trans>
              </TextLink>
            ),
          },
        ]}
        rows={runs}
        rowKey={({ n }) => n}
        skeletonRows={2}
      />
    </Panel>
  );
}

function ColumnsPanel({ dataset: { columns, dropped } }: { readonly dataset: Dataset }) {
  if (columns.length === 0) return null;
  return (
    <Panel
      title={t`Columns`}
      description={
        dropped === 0 ? undefined : t`${formatCount(dropped)} values of further columns were left out.`
      }
      flush
    >
      <DataTable
        caption={t`Columns of the dataset`}
        columns={[
          { label: t`Name`, lead: true, cell: ({ name }) => name },
          { label: t`Type`, cell: ({ type }) => type },
          {
            label: t`Values of another type`,
            numeric: true,
            cell: ({ nulls }) => formatCount(nulls),
          },
        ]}
        rows={columns}
        rowKey={({ name }) => name}
      />
    </Panel>
  );
}

function NoRows({ dataset }: { readonly dataset: Dataset }) {
  return dataset.rows > 0 ? (
    <EmptyState icon={IconSearch} title={t`No such rows`}>
      <Trans>No row matches.</Trans>
    </EmptyState>
  ) : (
    <EmptyState icon={IconTable} title={t`No rows yet`}>
      <Trans>Its rows come from jobs whose requests ask for data: by selectors, or by a schema.</Trans>
    </EmptyState>
  );
}
