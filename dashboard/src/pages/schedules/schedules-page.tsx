import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Group, Stack } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { Job } from '../../api/jobs.ts';
import { scrapersQuery } from '../../api/playground.ts';
import { type ScheduledJob, schedulesQuery } from '../../api/schedules.ts';
import { useUserEmails } from '../../api/users.ts';
import { ChangersOnly } from '../../ui/changers-only.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { DateTime } from '../../ui/date-time.tsx';
import { formatCost } from '../../ui/format.ts';
import { IconAlert, IconCircleCheck, IconClock, IconPause, IconPlus } from '../../ui/icons.tsx';
import { OrderSelect } from '../../ui/order-select.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState, ErrorNotice } from '../../ui/page-state.tsx';
import { PagedList } from '../../ui/paged-list.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Pill } from '../../ui/pill.tsx';
import { ButtonLink, TextLink } from '../../ui/text.tsx';
import { JOB_KINDS } from '../jobs/job-state.tsx';
import classes from '../monitors/monitors.module.css';
import { scheduleText } from '../monitors/schedule.ts';

const schedulesRoute = getRouteApi('/signed-in/schedules');

/** The orders of the list. */
const ORDERS = { name: t`By name`, next_run: t`Next run first` };

/** The user's schedules; for administrators, those of all users. */
export function SchedulesPage() {
  const { sort } = schedulesRoute.useSearch();
  const navigate = schedulesRoute.useNavigate();
  const query = useInfiniteQuery(schedulesQuery(sort));
  const emails = useUserEmails();
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
      <Stack gap="md">
        {!isEmpty && (
          <Group>
            <OrderSelect
              first={t`Newest first`}
              orders={ORDERS}
              value={sort}
              onChange={(next) => void navigate({ search: { sort: next }, replace: true })}
            />
          </Group>
        )}
        {query.data !== undefined && <ErrorNotice error={query.error} title={t`This list is out of date`} />}
        <Panel flush>
          <PagedList
            query={query}
            empty={
              <EmptyState icon={IconClock} title={t`No schedules yet`} action={newSchedule}>
                <Trans>
                  A schedule starts a job each night or each hour, and can send its results to a file, a
                  bucket or a dataset.
                </Trans>
              </EmptyState>
            }
            more={sort === undefined ? t`Show older schedules` : t`Show more schedules`}
          >
            {(schedules) => <SchedulesTable schedules={schedules} emails={emails} />}
          </PagedList>
        </Panel>
      </Stack>
    </>
  );
}

/** Reasons for a missed run that are no failures. */
const NOT_FAILED: readonly unknown[] = ['down', 'overlap', 'paused'];

/** Whether the last run did not start for an error, or has brought nothing. */
const hasFailed = ({
  state,
  reason,
  job_state,
  ok,
  failed,
}: NonNullable<ScheduledJob['last_run']>): boolean =>
  state === 'missed' ? !NOT_FAILED.includes(reason) : job_state === 'failed' || (failed > 0 && ok === 0);

export function SchedulePill({ schedule: { state, last_run } }: { readonly schedule: ScheduledJob }) {
  if (state === 'paused') return <Pill tone="amber" icon={IconPause}>{t`Paused`}</Pill>;
  if (last_run !== null && hasFailed(last_run)) return <Pill tone="red" icon={IconAlert}>{t`Failing`}</Pill>;
  if (last_run?.export_state === 'failed') return <Pill tone="red" icon={IconAlert}>{t`Export failed`}</Pill>;
  return (
    <Pill tone="green" icon={IconCircleCheck}>
      <Trans context="schedule">Active</Trans>
    </Pill>
  );
}

/** The kind of the job, in words. */
export const kindText = ({ job }: ScheduledJob): string =>
  JOB_KINDS[(job as unknown as { kind: Job['kind'] }).kind];

interface SchedulesTableProps {
  /** null: loading. */
  readonly schedules: readonly ScheduledJob[] | null;
  /** Emails of users by their ids; null: the user sees only their own schedules. */
  readonly emails: ReturnType<typeof useUserEmails>;
}

function SchedulesTable({ schedules, emails }: SchedulesTableProps) {
  const { data: scrapers } = useQuery(scrapersQuery);
  const isPriced =
    schedules?.some(({ last_run }) => typeof last_run?.cost === 'number') === true && scrapers !== undefined;
  return (
    <DataTable
      caption={t`Schedules`}
      oneLine
      columns={[
        {
          label: t`Name`,
          lead: true,
          minWidth: '10rem',
          cell: (schedule) => (
            <>
              <TextLink to="/schedules/$id" params={{ id: schedule.id }} size="sm" title={schedule.name}>
                {schedule.name}
              </TextLink>
              <small data-narrow>{scheduleText(schedule.schedule)}</small>
              <div data-narrow>
                <SchedulePill schedule={schedule} />
              </div>
            </>
          ),
        },
        { label: t`Kind`, wide: true, cell: kindText },
        { label: t`Schedule`, wide: true, cell: ({ schedule }) => scheduleText(schedule) },
        emails !== null && {
          label: t`Owner`,
          wide: true,
          className: classes.owner,
          cell: ({ user_id }) => emails.get(user_id) ?? t`unknown`,
        },
        { label: t`State`, wide: true, cell: (schedule) => <SchedulePill schedule={schedule} /> },
        {
          label: t`Last run`,
          wide: true,
          cell: ({ last_run }) => <DateTime at={last_run?.ended_at ?? null} as="relative" />,
        },
        isPriced && {
          label: t`Cost`,
          title: t`Of the last run`,
          wide: true,
          numeric: true,
          cell: ({ last_run }) =>
            typeof last_run?.cost === 'number' ? formatCost(last_run.cost, scrapers.cost_unit) : '–',
        },
        { label: t`Next run`, cell: ({ next_run_at }) => <DateTime at={next_run_at} as="relative" /> },
      ]}
      rows={schedules}
      rowKey={({ id }) => id}
      skeletonRows={4}
    />
  );
}
