import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type Monitor, monitorsQuery } from '../../api/monitors.ts';
import { ChangersOnly } from '../../ui/changers-only.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { DateTime } from '../../ui/date-time.tsx';
import { IconAlert, IconCircleCheck, IconMonitor, IconPause, IconPlus } from '../../ui/icons.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState, ErrorNotice } from '../../ui/page-state.tsx';
import { PagedList } from '../../ui/paged-list.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Pill } from '../../ui/pill.tsx';
import { ButtonLink, TextLink } from '../../ui/text.tsx';
import classes from './monitors.module.css';
import { scheduleText } from './schedule.ts';

/** The user's monitors, newest first. */
export function MonitorsPage() {
  const query = useInfiniteQuery(monitorsQuery);
  const isEmpty = query.data?.pages.every(({ items }) => items.length === 0) === true;
  const newMonitor = (
    <ChangersOnly>
      <ButtonLink to="/monitors/new" leftSection={<IconPlus size={16} />}>
        <Trans>New monitor</Trans>
      </ButtonLink>
    </ChangersOnly>
  );
  return (
    <>
      <PageHeader
        title={t`Monitors`}
        description={t`Pages that are fetched on a schedule, and what changed on them.`}
        actions={isEmpty ? undefined : newMonitor}
      />
      {query.data !== undefined && <ErrorNotice error={query.error} title={t`This list is out of date`} />}
      <Panel flush>
        <PagedList
          query={query}
          empty={
            <EmptyState icon={IconMonitor} title={t`No monitors yet`} action={newMonitor}>
              <Trans>
                A monitor fetches a page again and again, and reports what changed. Create one for a price, a
                status page or the news.
              </Trans>
            </EmptyState>
          }
          more={t`Show older monitors`}
        >
          {(monitors) => <MonitorsTable monitors={monitors} />}
        </PagedList>
      </Panel>
    </>
  );
}

export function MonitorPill({ monitor: { state, errors_in_a_row } }: { readonly monitor: Monitor }) {
  if (state === 'paused') return <Pill tone="amber" icon={IconPause}>{t`Paused`}</Pill>;
  if (errors_in_a_row > 0) return <Pill tone="red" icon={IconAlert}>{t`Failing`}</Pill>;
  return (
    <Pill tone="green" icon={IconCircleCheck}>
      <Trans context="monitor">Active</Trans>
    </Pill>
  );
}

function MonitorsTable({ monitors }: { readonly monitors: readonly Monitor[] | null }) {
  return (
    <DataTable
      caption={t`Monitors, newest first`}
      columns={[
        {
          label: t`Monitor`,
          lead: true,
          minWidth: '10rem',
          cell: (monitor) => <MonitorName monitor={monitor} />,
        },
        { label: t`State`, wide: true, cell: (monitor) => <MonitorPill monitor={monitor} /> },
        {
          label: t`Last change`,
          cell: ({ changed_at }) => <DateTime at={changed_at} as="relative" fallback={t`None yet`} />,
        },
        {
          label: t`Next run`,
          wide: true,
          cell: ({ next_run_at }) => <DateTime at={next_run_at} as="relative" />,
        },
      ]}
      rows={monitors}
      rowKey={({ id }) => id}
      skeletonRows={4}
    />
  );
}

function MonitorName({ monitor }: { readonly monitor: Monitor }) {
  return (
    <>
      <TextLink to="/monitors/$id" params={{ id: monitor.id }} size="sm" className={classes.strong}>
        {monitor.name}
      </TextLink>
      <small>{scheduleText(monitor.schedule)}</small>
      <div data-narrow className={classes.narrow}>
        <MonitorPill monitor={monitor} />
      </div>
    </>
  );
}
