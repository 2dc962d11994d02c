import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { Job } from '../../api/jobs.ts';
import { type ScheduledJob, schedulesQuery } from '../../api/schedules.ts';
import { ChangersOnly } from '../../ui/changers-only.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { DateTime } from '../../ui/date-time.tsx';
import { IconCircleCheck, IconClock, IconPause, IconPlus } from '../../ui/icons.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState, ErrorNotice } from '../../ui/page-state.tsx';
import { PagedList } from '../../ui/paged-list.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Pill } from '../../ui/pill.tsx';
import { ButtonLink, TextLink } from '../../ui/text.tsx';
import { JOB_KINDS } from '../jobs/job-state.tsx';
import { scheduleText } from '../monitors/schedule.ts';

/** The user's schedules, newest first. */
export function SchedulesPage() {
  const query = useInfiniteQuery(schedulesQuery);
  const isEmpty = query.data?.pages.every(({ items }) => items.length === 0) === true;
  const newSchedule = (
    <ChangersOnly>
      <ButtonLink to="/schedules/new" leftSection={<IconPlus size={16} />}>
        <Trans>New schedule</Trans>
      </ButtonLink>
    </ChangersOnly>
  );
  return (
    <>
      <PageHeader
        title={t`Schedules`}
        description={t`Scrapes, batches and crawls that start again and again.`}
        actions={isEmpty ? undefined : newSchedule}
      />
      {query.data !== undefined && <ErrorNotice error={query.error} title={t`This list is out of date`} />}
      <Panel flush>
        <PagedList
          query={query}
          empty={
            <EmptyState icon={IconClock} title={t`No schedules yet`} action={newSchedule}>
              <Trans>
                A schedule starts a job each night or each hour, and can send its results to a file, a bucket
                or a dataset.
              </Trans>
            </EmptyState>
          }
          more={t`Show older schedules`}
        >
          {(schedules) => <SchedulesTable schedules={schedules} />}
        </PagedList>
      </Panel>
    </>
  );
}

export function SchedulePill({ schedule: { state } }: { readonly schedule: ScheduledJob }) {
  if (state === 'paused') return <Pill tone="amber" icon={IconPause}>{t`Paused`}</Pill>;
  return (
    <Pill tone="green" icon={IconCircleCheck}>
      <Trans context="schedule">Active</Trans>
    </Pill>
  );
}

/** The kind of the job, in words. */
export const kindText = ({ job }: ScheduledJob): string =>
  JOB_KINDS[(job as unknown as { kind: Job['kind'] }).kind];

function SchedulesTable({ schedules }: { readonly schedules: readonly ScheduledJob[] | null }) {
  return (
    <DataTable
      caption={t`Schedules, newest first`}
      columns={[
        {
          label: t`Schedule`,
          lead: true,
          minWidth: '10rem',
          cell: (schedule) => (
            <>
              <TextLink to="/schedules/$id" params={{ id: schedule.id }} size="sm">
                {schedule.name}
              </TextLink>
              <small>{scheduleText(schedule.schedule)}</small>
              <div data-narrow>
                <SchedulePill schedule={schedule} />
              </div>
            </>
          ),
        },
        { label: t`Kind`, wide: true, cell: kindText },
        { label: t`State`, wide: true, cell: (schedule) => <SchedulePill schedule={schedule} /> },
        { label: t`Next run`, cell: ({ next_run_at }) => <DateTime at={next_run_at} as="relative" /> },
      ]}
      rows={schedules}
      rowKey={({ id }) => id}
      skeletonRows={4}
    />
  );
}
