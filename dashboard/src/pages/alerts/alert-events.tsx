import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type AlertEvent, alertEventsQuery } from '../../api/alerts.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { DateTime } from '../../ui/date-time.tsx';
import { IconAlert, IconCircleCheck } from '../../ui/icons.tsx';
import { EmptyState } from '../../ui/page-state.tsx';
import { PagedList } from '../../ui/paged-list.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Pill } from '../../ui/pill.tsx';
import { CHANNEL_LABELS } from './alert-kinds.ts';

/** What fired and was resolved in the last 90 days. */
export function EventsPanel({ ofAll }: { readonly ofAll: boolean }) {
  const query = useInfiniteQuery(alertEventsQuery(ofAll));
  return (
    <Panel title={t`History`} description={t`Of the last 90 days, newest first.`} flush>
      <PagedList
        query={query}
        empty={
          <EmptyState icon={IconCircleCheck} title={t`Nothing has fired yet`} level={3}>
            <Trans>
              Here you see when an alert fired, when it was resolved, and whether its messages arrived.
            </Trans>
          </EmptyState>
        }
        more={t`Show older events`}
      >
        {(items) => (
          <DataTable
            caption={t`Events of alerts, newest first`}
            columns={[
              {
                label: t`Event`,
                lead: true,
                minWidth: '8rem',
                cell: ({ rule, summary }) => (
                  <>
                    {rule.name}
                    <small>{summary}</small>
                  </>
                ),
              },
              { label: t`State`, cell: ({ state }) => <EventState state={state} /> },
              { label: t`Messages`, lead: true, minWidth: '8rem', cell: messagesText },
              { label: t`Time`, cell: ({ at }) => <DateTime at={at} as="relative" /> },
            ]}
            rows={items}
            rowKey={({ id }) => id}
            skeletonRows={3}
          />
        )}
      </PagedList>
    </Panel>
  );
}

const EventState = ({ state }: Pick<AlertEvent, 'state'>) =>
  state === 'firing' ? (
    <Pill tone="red" icon={IconAlert}>{t`Fired`}</Pill>
  ) : (
    <Pill tone="green" icon={IconCircleCheck}>{t`Resolved`}</Pill>
  );

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
