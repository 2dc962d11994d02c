import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Checkbox, NativeSelect, Stack } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type Job, jobsQuery } from '../../api/jobs.ts';
import { ChangersOnly } from '../../ui/changers-only.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { DateTime } from '../../ui/date-time.tsx';
import { formatCount } from '../../ui/format.ts';
import { IconJobs, IconPlus } from '../../ui/icons.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState, ErrorNotice } from '../../ui/page-state.tsx';
import { PagedList } from '../../ui/paged-list.tsx';
import { Panel } from '../../ui/panel.tsx';
import { ButtonLink, TextLink } from '../../ui/text.tsx';
import { JobProgress } from './job-progress.tsx';
import { endedItems, JOB_KINDS, JOB_STATES, JobStatePill, jobTitle, timeLeft } from './job-state.tsx';
import classes from './jobs.module.css';

const jobsRoute = getRouteApi('/signed-in/jobs');

/** The user's jobs, newest first; for administrators, those of all users. */
export function JobsPage() {
  const search = jobsRoute.useSearch();
  const { kind, state, with_runs } = search;
  const query = useInfiniteQuery(jobsQuery({ kind, state, with_runs: with_runs !== undefined }));
  const isFiltered = kind !== undefined || state !== undefined;
  const newJob = (
    <ChangersOnly>
      <ButtonLink to="/jobs/new-crawl" variant="default" leftSection={<IconPlus size={16} />}>
        <Trans>New crawl</Trans>
      </ButtonLink>
      <ButtonLink to="/jobs/new-batch" leftSection={<IconPlus size={16} />}>
        <Trans>New batch</Trans>
      </ButtonLink>
    </ChangersOnly>
  );
  const isEmpty = query.data?.pages.every(({ items }) => items.length === 0) === true;
  return (
    <>
      <PageHeader
        title={t`Jobs`}
        description={t`Work that runs in the background: batches, crawls and asynchronous scrapes.`}
        actions={isEmpty && !isFiltered ? undefined : newJob}
      />
      <Stack gap="md">
        <Filters />
        {query.data !== undefined && <ErrorNotice error={query.error} title={t`This list is out of date`} />}
        <Panel flush>
          <PagedList
            query={query}
            empty={<NoJobs isFiltered={isFiltered} action={newJob} />}
            more={t`Show older jobs`}
          >
            {(jobs) => <JobsTable jobs={jobs} />}
          </PagedList>
        </Panel>
      </Stack>
    </>
  );
}

function Filters() {
  const search = jobsRoute.useSearch();
  const navigate = jobsRoute.useNavigate();
  const optionsOf = (all: string, names: readonly (readonly [value: string, label: string])[]) => [
    { value: '', label: all },
    ...names.map(([value, label]) => ({ value, label })),
  ];
  return (
    <div className={classes.filters}>
      <NativeSelect
        aria-label={t`State`}
        data={optionsOf(
          t`All states`,
          Object.entries(JOB_STATES).map(([state, [label]]) => [state, label] as const),
        )}
        value={search.state ?? ''}
        onChange={({ currentTarget: { value } }) =>
          void navigate({ search: { ...search, state: (value || undefined) as Job['state'] }, replace: true })
        }
      />
      <NativeSelect
        aria-label={t`Kind`}
        data={optionsOf(t`All kinds`, Object.entries(JOB_KINDS))}
        value={search.kind ?? ''}
        onChange={({ currentTarget: { value } }) =>
          void navigate({ search: { ...search, kind: (value || undefined) as Job['kind'] }, replace: true })
        }
      />
      <Checkbox
        label={t`With runs of monitors and schedules`}
        checked={search.with_runs !== undefined}
        onChange={({ currentTarget: { checked } }) =>
          void navigate({ search: { ...search, with_runs: checked ? 'true' : undefined }, replace: true })
        }
      />
    </div>
  );
}

function NoJobs({ isFiltered, action }: { readonly isFiltered: boolean; readonly action: React.ReactNode }) {
  if (isFiltered) {
    return (
      <EmptyState
        icon={IconJobs}
        title={t`No such jobs`}
        action={
          <ButtonLink to="/jobs" variant="default">
            <Trans>Show all jobs</Trans>
          </ButtonLink>
        }
      >
        <Trans>No job matches the filters.</Trans>
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={IconJobs} title={t`No jobs yet`} action={action}>
      <Trans>
        A batch scrapes a list of pages in the background; a crawl follows the links of a site. Start one
        here, or send <code className="mono">POST /api/v1/batches/</code>.
      </Trans>
    </EmptyState>
  );
}

function JobsTable({ jobs }: { readonly jobs: readonly Job[] | null }) {
  return (
    <DataTable
      caption={t`Jobs, newest first`}
      columns={[
        { label: t`Job`, lead: true, minWidth: '10rem', cell: (job) => <JobName job={job} /> },
        { label: t`State`, wide: true, nowrap: true, cell: ({ state }) => <JobStatePill state={state} /> },
        { label: t`Progress`, className: classes.progress, cell: (job) => <JobDone job={job} /> },
        { label: t`Fetched`, wide: true, numeric: true, cell: ({ counts }) => formatCount(counts.ok) },
        { label: t`Failed`, wide: true, numeric: true, cell: ({ counts }) => formatCount(counts.failed) },
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
      <TextLink to="/jobs/$id" params={{ id: job.id }} className={classes.name} size="sm">
        {jobTitle(job)}
      </TextLink>
      <small>{JOB_KINDS[job.kind]}</small>
      <div data-narrow className={classes.narrow}>
        <JobStatePill state={job.state} />
      </div>
    </>
  );
}

function JobDone({ job }: { readonly job: Job }) {
  const { counts } = job;
  const left = timeLeft(job);
  return (
    <>
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
    </>
  );
}
