import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Group, Stack } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type Monitor, monitorsQuery } from '../../api/monitors.ts';
import { scrapersQuery } from '../../api/playground.ts';
import { useUserEmails } from '../../api/users.ts';
import { ChangersOnly } from '../../ui/changers-only.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { DateTime } from '../../ui/date-time.tsx';
import { formatCost } from '../../ui/format.ts';
import { IconAlert, IconCircleCheck, IconMonitor, IconPause, IconPlus } from '../../ui/icons.tsx';
import { OrderSelect } from '../../ui/order-select.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState, ErrorNotice } from '../../ui/page-state.tsx';
import { PagedList } from '../../ui/paged-list.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Pill } from '../../ui/pill.tsx';
import { ButtonLink, TextLink } from '../../ui/text.tsx';
import classes from './monitors.module.css';
import { scheduleText } from './schedule.ts';

const monitorsRoute = getRouteApi('/signed-in/monitors');

/** The orders of the list. */
const ORDERS = {
  name: t`By name`,
  next_run: t`Next run first`,
  changed: t`Latest change first`,
};

/** The user's monitors; for administrators, those of all users. */
export function MonitorsPage() {
  const { sort } = monitorsRoute.useSearch();
  const navigate = monitorsRoute.useNavigate();
  const query = useInfiniteQuery(monitorsQuery(sort));
  const emails = useUserEmails();
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
              <EmptyState icon={IconMonitor} title={t`No monitors yet`} action={newMonitor}>
                <Trans>
                  A monitor fetches a page again and again, and reports what changed. Create one for a price,
                  a status page or the news.
                </Trans>
              </EmptyState>
            }
            more={sort === undefined ? t`Show older monitors` : t`Show more monitors`}
          >
            {(monitors) => <MonitorsTable monitors={monitors} emails={emails} />}
          </PagedList>
        </Panel>
      </Stack>
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

interface MonitorsTableProps {
  /** null: loading. */
  readonly monitors: readonly Monitor[] | null;
  /** Emails of users by their ids; null: the user sees only their own monitors. */
  readonly emails: ReturnType<typeof useUserEmails>;
}

function MonitorsTable({ monitors, emails }: MonitorsTableProps) {
  const { data: scrapers } = useQuery(scrapersQuery);
  const isPriced =
    monitors?.some(({ last_run }) => typeof last_run?.cost === 'number') === true && scrapers !== undefined;
  return (
    <DataTable
      caption={t`Monitors`}
      oneLine
      columns={[
        {
          label: t`Name`,
          lead: true,
          minWidth: '10rem',
          cell: (monitor) => <MonitorName monitor={monitor} />,
        },
        { label: t`Schedule`, wide: true, cell: ({ schedule }) => scheduleText(schedule) },
        emails !== null && {
          label: t`Owner`,
          wide: true,
          className: classes.owner,
          cell: ({ user_id }) => emails.get(user_id) ?? t`unknown`,
        },
        { label: t`State`, wide: true, cell: (monitor) => <MonitorPill monitor={monitor} /> },
        {
          label: t`Last change`,
          cell: ({ changed_at }) => <DateTime at={changed_at} as="relative" fallback={t`None yet`} />,
        },
        isPriced && {
          label: t`Cost`,
          title: t`Of the last run`,
          wide: true,
          numeric: true,
          cell: ({ last_run }) =>
            typeof last_run?.cost === 'number' ? formatCost(last_run.cost, scrapers.cost_unit) : '–',
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
      <TextLink
        to="/monitors/$id"
        params={{ id: monitor.id }}
        size="sm"
        className={classes.strong}
        title={monitor.name}
      >
        {monitor.name}
      </TextLink>
      <small data-narrow>{scheduleText(monitor.schedule)}</small>
      <div data-narrow className={classes.narrow}>
        <MonitorPill monitor={monitor} />
      </div>
    </>
  );
}
