import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type Monitor, monitorsQuery } from '../../api/monitors.ts';
import { ChangersOnly } from '../../ui/changers-only.tsx';
import { DataTable, SkeletonRows } from '../../ui/data-table.tsx';
import { DateTime } from '../../ui/date-time.tsx';
import { IconAlert, IconCircleCheck, IconMonitor, IconPause, IconPlus } from '../../ui/icons.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState, ErrorNotice, ErrorState } from '../../ui/page-state.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Pill } from '../../ui/pill.tsx';
import { ButtonLink, TextLink } from '../../ui/text.tsx';
import classes from './monitors.module.css';
import { scheduleText } from './schedule.ts';

/** The user's monitors, newest first. */
export function MonitorsPage() {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } =
    useInfiniteQuery(monitorsQuery);
  const monitors = data?.pages.flatMap(({ items }) => items) ?? null;
  const isEmpty = monitors?.length === 0;
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
      {data !== undefined && <ErrorNotice error={error} title={t`This list is out of date`} />}
      <Panel flush>
        {error !== null && monitors === null ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : isEmpty ? (
          <EmptyState icon={IconMonitor} title={t`No monitors yet`} action={newMonitor}>
            <Trans>
              A monitor fetches a page again and again, and reports what changed. Create one for a price, a
              status page or the news.
            </Trans>
          </EmptyState>
        ) : (
          <MonitorsTable monitors={monitors} />
        )}
        {hasNextPage && (
          <div className={classes.more}>
            <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
              <Trans>Show older monitors</Trans>
            </Button>
          </div>
        )}
      </Panel>
    </>
  );
}

export function MonitorPill({ monitor: { state, errors_in_a_row } }: { readonly monitor: Monitor }) {
  if (state === 'paused')
    return (
      <Pill tone="amber" icon={IconPause}>
        <Trans>Paused</Trans>
      </Pill>
    );
  if (errors_in_a_row > 0)
    return (
      <Pill tone="red" icon={IconAlert}>
        <Trans>Failing</Trans>
      </Pill>
    );
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
      busy={monitors === null}
      head={
        <>
          <th scope="col">
            <Trans>Monitor</Trans>
          </th>
          <th scope="col" data-wide>
            <Trans>State</Trans>
          </th>
          <th scope="col">
            <Trans>Last change</Trans>
          </th>
          <th scope="col" data-wide>
            <Trans>Next run</Trans>
          </th>
        </>
      }
    >
      {monitors === null ? (
        <SkeletonRows rows={4} columns={4} />
      ) : (
        monitors.map((monitor) => (
          <tr key={monitor.id}>
            <td className={classes.name}>
              <TextLink to="/monitors/$id" params={{ id: monitor.id }} size="sm" className={classes.strong}>
                {monitor.name}
              </TextLink>
              <small>{scheduleText(monitor.schedule)}</small>
              <div className={classes.narrow}>
                <MonitorPill monitor={monitor} />
              </div>
            </td>
            <td data-wide>
              <MonitorPill monitor={monitor} />
            </td>
            <td>
              <DateTime at={monitor.changed_at} as="relative" fallback={t`None yet`} />
            </td>
            <td data-wide>
              <DateTime at={monitor.next_run_at} as="relative" />
            </td>
          </tr>
        ))
      )}
    </DataTable>
  );
}
