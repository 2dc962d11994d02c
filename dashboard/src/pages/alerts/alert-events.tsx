import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type AlertEvent, alertEventsQuery } from '../../api/alerts.ts';
import { DataTable, SkeletonRows } from '../../ui/data-table.tsx';
import { DateTime } from '../../ui/date-time.tsx';
import { IconAlert, IconCircleCheck } from '../../ui/icons.tsx';
import { EmptyState, ErrorState } from '../../ui/page-state.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Pill } from '../../ui/pill.tsx';
import { CHANNEL_LABELS } from './alert-kinds.ts';
import classes from './alerts.module.css';

/** What fired and was resolved in the last 90 days. */
export function EventsPanel() {
  const query = useInfiniteQuery(alertEventsQuery);
  const items = query.data?.pages.flatMap((page) => page.items) ?? null;
  return (
    <Panel title={t`History`} description={t`Of the last 90 days, newest first.`} flush>
      {query.error !== null && items === null ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : items?.length === 0 ? (
        <EmptyState icon={IconCircleCheck} title={t`Nothing has fired yet`} level={3}>
          <Trans>
            Here you see when an alert fired, when it was resolved, and whether its messages arrived.
          </Trans>
        </EmptyState>
      ) : (
        <DataTable
          caption={t`Events of alerts, newest first`}
          busy={items === null}
          head={
            <>
              <th scope="col">
                <Trans>Event</Trans>
              </th>
              <th scope="col">
                <Trans>State</Trans>
              </th>
              <th scope="col">
                <Trans>Messages</Trans>
              </th>
              <th scope="col">
                <Trans>Time</Trans>
              </th>
            </>
          }
        >
          {items === null ? (
            <SkeletonRows rows={3} columns={4} />
          ) : (
            items.map((event) => <EventRow key={event.id} event={event} />)
          )}
        </DataTable>
      )}
      {query.hasNextPage && (
        <div className={classes.more}>
          <Button
            variant="default"
            loading={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            <Trans>Show older events</Trans>
          </Button>
        </div>
      )}
    </Panel>
  );
}

function EventRow({ event }: { readonly event: AlertEvent }) {
  const { rule, state, summary, at } = event;
  return (
    <tr>
      <td className={classes.name}>
        {rule.name}
        <small>{summary}</small>
      </td>
      <td>
        {state === 'firing' ? (
          <Pill tone="red" icon={IconAlert}>
            <Trans>Fired</Trans>
          </Pill>
        ) : (
          <Pill tone="green" icon={IconCircleCheck}>
            <Trans>Resolved</Trans>
          </Pill>
        )}
      </td>
      <td className={classes.name}>{messagesText(event)}</td>
      <td>
        <DateTime at={at} as="relative" />
      </td>
    </tr>
  );
}

const DELIVERY_STATES = {
  queued: t`waiting`,
  sending: t`sending`,
  delivered: t`delivered`,
  failed: t`given up`,
} as const;

function messagesText({ silenced, deliveries }: AlertEvent): string {
  if (silenced) return t`Silenced`;
  return (
    deliveries.map(({ type, state }) => `${CHANNEL_LABELS[type]}: ${DELIVERY_STATES[state]}`).join(', ') ||
    '–'
  );
}
