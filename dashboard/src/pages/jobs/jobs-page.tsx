import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Checkbox, Group, NativeSelect, Stack } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect } from 'react';
import { type Job, jobsQuery } from '../../api/jobs.ts';
import { scrapersQuery } from '../../api/playground.ts';
import { useUserEmails } from '../../api/users.ts';
import { ChangersOnly } from '../../ui/changers-only.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { DateTime } from '../../ui/date-time.tsx';
import { formatCost, formatCount, formatDuration, formatShare } from '../../ui/format.ts';
import { IconJobs, IconPlus } from '../../ui/icons.tsx';
import { OrderSelect } from '../../ui/order-select.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState, ErrorNotice } from '../../ui/page-state.tsx';
import { PagedList } from '../../ui/paged-list.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ButtonLink, TextLink } from '../../ui/text.tsx';
import { TypedField } from '../../ui/typed-field.tsx';
import { JobProgress } from './job-progress.tsx';
import { endedItems, JOB_KINDS, JOB_STATES, JobStatePill, jobTitle, timeLeft } from './job-state.tsx';
import classes from './jobs.module.css';

const jobsRoute = getRouteApi('/signed-in/jobs');

/** The user's jobs, newest first; for administrators, those of all users. */
export function JobsPage() {
  const search = jobsRoute.useSearch();
  const { q, kind, state, user_id, sort, with_runs } = search;
  const filter = { q, kind, state, user_id, with_runs: with_runs !== undefined };
  const query = useInfiniteQuery(
    jobsQuery({ ...filter, sort, order: ASCENDING.includes(sort) ? 'asc' : undefined }),
  );
  const emails = useUserEmails();
  const { hasNextPage, isFetching, fetchNextPage } = query;
  const isFiltered = [q, kind, state, user_id].some((value) => value !== undefined);
  const newJob = (
    <ChangersOnly>
      <Group gap="xs">
        <ButtonLink to="/jobs/new-crawl" variant="default" leftSection={<IconPlus size={16} />}>
          <Trans>New crawl</Trans>
        </ButtonLink>
        <ButtonLink to="/jobs/new-batch" leftSection={<IconPlus size={16} />}>
          <Trans>New batch</Trans>
        </ButtonLink>
      </Group>
    </ChangersOnly>
  );
  const isEmpty = query.data?.pages.every(({ items }) => items.length === 0) === true;
  // A page of a search may be empty although there is a next one.
  const goesOn = isEmpty && hasNextPage;
  useEffect(() => {
    if (goesOn && !isFetching) void fetchNextPage();
  }, [goesOn, isFetching, fetchNextPage]);
  return (
    <>
      <PageHeader
        title={t`Jobs`}
        description={t`Work that runs in the background: batches, crawls and asynchronous scrapes.`}
        actions={isEmpty && !isFiltered ? undefined : newJob}
      />
      <Stack gap="md">
        <Filters emails={emails} />
        {query.data !== undefined && <ErrorNotice error={query.error} title={t`This list is out of date`} />}
        <Panel flush>
          <PagedList
            query={query}
            empty={
              goesOn ? (
                <JobsTable jobs={null} emails={emails} />
              ) : (
                <NoJobs isFiltered={isFiltered} action={newJob} />
              )
            }
            more={sort === undefined ? t`Show older jobs` : t`Show more jobs`}
          >
            {(jobs) => <JobsTable jobs={jobs} emails={emails} />}
          </PagedList>
        </Panel>
      </Stack>
    </>
  );
}

/** The orders of the list. */
const ORDERS = {
  name: t`By name`,
  cost: t`Most expensive first`,
  duration: t`Longest first`,
  ok_share: t`Lowest share of OK first`,
};
/** The orders that begin with the lowest value. */
const ASCENDING: readonly unknown[] = ['name', 'ok_share'];

/** Emails of users by their ids; null: the user sees only their own jobs. */
type Emails = ReturnType<typeof useUserEmails>;

function Filters({ emails }: { readonly emails: Emails }) {
  const search = jobsRoute.useSearch();
  const navigate = jobsRoute.useNavigate();
  const change = (next: Partial<typeof search>) =>
    void navigate({ search: { ...search, ...next }, replace: true });
  const optionsOf = (all: string, names: readonly (readonly [value: string, label: string])[]) => [
    { value: '', label: all },
    ...names.map(([value, label]) => ({ value, label })),
  ];
  return (
    <search className={classes.filters} aria-label={t`Filter the jobs`}>
      <TypedField
        size="sm"
        label={t`Name or URL`}
        placeholder={t`Name or URL`}
        applied={search.q ?? ''}
        tidied={(text) => text.trim()}
        onApply={(text) => change({ q: text.trim() || undefined })}
      />
      <NativeSelect
        aria-label={t`State`}
        data={optionsOf(
          t`All states`,
          Object.entries(JOB_STATES).map(([state, [label]]) => [state, label] as const),
        )}
        value={search.state ?? ''}
        onChange={({ currentTarget: { value } }) => change({ state: (value || undefined) as Job['state'] })}
      />
      <NativeSelect
        aria-label={t`Kind`}
        data={optionsOf(t`All kinds`, Object.entries(JOB_KINDS))}
        value={search.kind ?? ''}
        onChange={({ currentTarget: { value } }) => change({ kind: (value || undefined) as Job['kind'] })}
      />
      {emails !== null && (
        <NativeSelect
          aria-label={t`Owner`}
          data={optionsOf(t`All owners`, [...emails])}
          value={search.user_id ?? ''}
          onChange={({ currentTarget: { value } }) => change({ user_id: value || undefined })}
        />
      )}
      <OrderSelect
        first={t`Newest first`}
        orders={ORDERS}
        value={search.sort}
        onChange={(sort) => change({ sort })}
      />
      <Checkbox
        label={t`With runs of monitors and schedules`}
        checked={search.with_runs !== undefined}
        onChange={({ currentTarget: { checked } }) => change({ with_runs: checked ? 'true' : undefined })}
      />
    </search>
  );
}

function NoJobs({ isFiltered, action }: { readonly isFiltered: boolean; readonly action: React.ReactNode }) {
  const search = jobsRoute.useSearch();
  if (isFiltered) {
    return (
      <EmptyState
        icon={IconJobs}
        title={t`No such jobs`}
        action={
          <Group gap="xs" justify="center">
            {search.with_runs === undefined && (
              <ButtonLink to="/jobs" search={{ ...search, with_runs: 'true' }} replace>
                <Trans>Search runs of monitors and schedules, too</Trans>
              </ButtonLink>
            )}
            <ButtonLink to="/jobs" variant="default">
              <Trans>Show all jobs</Trans>
            </ButtonLink>
          </Group>
        }
      >
        <Trans>No job matches the filters.</Trans>
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={IconJobs}
      title={t`No jobs yet`}
      action={
        <Group gap="xs" justify="center">
          {action}
          {search.with_runs === undefined && (
            <ButtonLink to="/jobs" search={{ with_runs: 'true' }} variant="subtle">
              <Trans>Show runs of monitors and schedules</Trans>
            </ButtonLink>
          )}
        </Group>
      }
    >
      <Trans>
        A batch scrapes a list of pages in the background; a crawl follows the links of a site. Start one
        here, or send <code className="mono">POST /api/v1/batches/</code>.
      </Trans>
    </EmptyState>
  );
}

interface JobsTableProps {
  /** null: loading. */
  readonly jobs: readonly Job[] | null;
  readonly emails: Emails;
}

function JobsTable({ jobs, emails }: JobsTableProps) {
  const { data: scrapers } = useQuery(scrapersQuery);
  const isPriced = jobs?.some(({ cost }) => cost !== null) === true && scrapers !== undefined;
  return (
    <DataTable
      caption={t`Jobs`}
      oneLine
      columns={[
        { label: t`Job`, lead: true, minWidth: '10rem', cell: (job) => <JobName job={job} /> },
        emails !== null && {
          label: t`Owner`,
          wide: true,
          className: classes.owner,
          cell: ({ user_id }) => emails.get(user_id) ?? t`unknown`,
        },
        { label: t`Kind`, wide: true, cell: ({ kind }) => JOB_KINDS[kind] },
        { label: t`State`, wide: true, nowrap: true, cell: (job) => <JobStatePill job={job} /> },
        { label: t`Progress`, className: classes.progress, cell: (job) => <JobDone job={job} /> },
        {
          label: t`OK`,
          title: t`Share of the pages that were fetched`,
          wide: true,
          numeric: true,
          cell: ({ counts }) => formatShare(counts.ok, counts.ok + counts.failed),
        },
        isPriced && {
          label: t`Cost`,
          wide: true,
          numeric: true,
          cell: ({ cost }) => (cost === null ? '–' : formatCost(cost, scrapers.cost_unit)),
        },
        {
          label: t`Duration`,
          wide: true,
          numeric: true,
          cell: ({ duration_ms }) => formatDuration(duration_ms),
        },
        {
          label: t`Created`,
          wide: true,
          numeric: true,
          cell: ({ created_at }) => <DateTime at={created_at} as="relative" />,
        },
      ]}
      rows={jobs}
      rowKey={({ id }) => id}
      skeletonRows={5}
    />
  );
}

function JobName({ job }: { readonly job: Job }) {
  return (
    <>
      <TextLink
        to="/jobs/$id"
        params={{ id: job.id }}
        className={classes.name}
        size="sm"
        title={jobTitle(job)}
      >
        {jobTitle(job)}
      </TextLink>
      <small data-narrow>{JOB_KINDS[job.kind]}</small>
      <div data-narrow className={classes.narrow}>
        <JobStatePill job={job} />
      </div>
    </>
  );
}

function JobDone({ job }: { readonly job: Job }) {
  const { counts } = job;
  const left = timeLeft(job);
  return (
    <div className={classes.done}>
      <JobProgress job={job} />
      <small>
        {left === null ? (
          <Trans>
            {formatCount(endedItems(job))} of {formatCount(counts.found)}
          </Trans>
        ) : (
          <Trans>
            {formatCount(endedItems(job))} of {formatCount(counts.found)} · {left} left
          </Trans>
        )}
      </small>
    </div>
  );
}
