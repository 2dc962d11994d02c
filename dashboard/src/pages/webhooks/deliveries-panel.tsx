import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, SegmentedControl } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useCanChange } from '../../api/session.ts';
import { type Delivery, deliveriesQuery, useRedeliver } from '../../api/webhooks.ts';
import { DataTable, SkeletonRows } from '../../ui/data-table.tsx';
import { DateTime } from '../../ui/date-time.tsx';
import { formatCount } from '../../ui/format.ts';
import {
  type Icon,
  IconCircleCheck,
  IconCircleX,
  IconClock,
  IconPlay,
  IconWebhook,
} from '../../ui/icons.tsx';
import { notifyError, notifySuccess } from '../../ui/notice.tsx';
import { EmptyState, ErrorState } from '../../ui/page-state.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Pill, type Tone } from '../../ui/pill.tsx';
import { TextLink } from '../../ui/text.tsx';
import classes from './webhooks.module.css';

const webhooksRoute = getRouteApi('/signed-in/webhooks');

const STATES: Readonly<Record<Delivery['state'], readonly [label: string, tone: Tone, icon: Icon]>> = {
  queued: [t`Waiting`, 'amber', IconClock],
  sending: [t`Sending`, 'blue', IconPlay],
  delivered: [t`Delivered`, 'green', IconCircleCheck],
  failed: [t`Given up`, 'red', IconCircleX],
};

/** Messages of the last 30 days, which can be sent again. */
export function DeliveriesPanel() {
  const { state } = webhooksRoute.useSearch();
  const navigate = webhooksRoute.useNavigate();
  const query = useInfiniteQuery(deliveriesQuery(state));
  const items = query.data?.pages.flatMap((page) => page.items) ?? null;
  return (
    <Panel title={t`Deliveries`} description={t`Of the last 30 days, newest first.`} flush>
      <div className={classes.head}>
        <SegmentedControl
          aria-label={t`Which deliveries`}
          size="sm"
          value={state ?? 'all'}
          onChange={(next) =>
            void navigate({
              search: { state: next === 'all' ? undefined : (next as Delivery['state']) },
              replace: true,
            })
          }
          data={[
            { value: 'all', label: t`All` },
            { value: 'queued', label: t`Waiting` },
            { value: 'delivered', label: t`Delivered` },
            { value: 'failed', label: t`Given up` },
          ]}
        />
      </div>
      {query.error !== null && items === null ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : items?.length === 0 ? (
        <NoDeliveries isFiltered={state !== undefined} />
      ) : (
        <DeliveriesTable items={items} />
      )}
      {query.hasNextPage && (
        <div className={classes.more}>
          <Button
            variant="default"
            loading={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            <Trans>Show older deliveries</Trans>
          </Button>
        </div>
      )}
    </Panel>
  );
}

function NoDeliveries({ isFiltered }: { readonly isFiltered: boolean }) {
  return (
    <EmptyState
      icon={IconWebhook}
      title={isFiltered ? t`No such deliveries` : t`No deliveries yet`}
      level={3}
    >
      {isFiltered ? (
        t`No delivery is in this state.`
      ) : (
        <Trans>
          Set a default webhook below, or give a job its own <code className="mono">webhook</code>. “Send a
          test” tries a receiver at once.
        </Trans>
      )}
    </EmptyState>
  );
}

function DeliveriesTable({ items }: { readonly items: readonly Delivery[] | null }) {
  return (
    <DataTable
      caption={t`Deliveries, newest first`}
      busy={items === null}
      head={
        <>
          <th scope="col">
            <Trans>Event</Trans>
          </th>
          <th scope="col">
            <Trans>State</Trans>
          </th>
          <th scope="col" data-wide data-numeric>
            <Trans>Status</Trans>
          </th>
          <th scope="col" data-wide data-numeric>
            <Trans>Tries</Trans>
          </th>
          <th scope="col" data-wide data-numeric>
            <Trans>Created</Trans>
          </th>
          <th scope="col">
            <Trans>Action</Trans>
          </th>
        </>
      }
    >
      {items === null ? (
        <SkeletonRows rows={4} columns={6} />
      ) : (
        items.map((delivery) => <DeliveryRow key={delivery.id} delivery={delivery} />)
      )}
    </DataTable>
  );
}

function DeliveryRow({ delivery }: { readonly delivery: Delivery }) {
  const { id, type, url, state, status, tries, error, answer, created_at, next_at } = delivery;
  const redeliver = useRedeliver();
  const canChange = useCanChange();
  const [label, tone, icon] = STATES[state];
  const hasEnded = state === 'delivered' || state === 'failed';
  return (
    <tr>
      <td className={classes.event}>
        <span className={classes.name}>{type}</span> <SourceLink delivery={delivery} />
        <small>{url}</small>
        {error !== null && <small>{error}</small>}
        {answer !== null && answer !== '' && (
          <details>
            <summary>
              <Trans>Response</Trans>
            </summary>
            <pre>{answer}</pre>
          </details>
        )}
      </td>
      <td className={classes.nowrap}>
        <Pill tone={tone} icon={icon}>
          {label}
        </Pill>
        {state === 'queued' && tries > 0 && (
          <div>
            <DateTime at={next_at} as="relative" />
          </div>
        )}
      </td>
      <td data-wide data-numeric>
        {status ?? '–'}
      </td>
      <td data-wide data-numeric>
        {formatCount(tries)}
      </td>
      <td data-wide data-numeric>
        <DateTime at={created_at} as="relative" />
      </td>
      <td>
        {hasEnded && canChange && (
          <Button
            variant="default"
            size="xs"
            disabled={redeliver.isPending}
            onClick={() =>
              redeliver.mutate(id, {
                onSuccess: () => notifySuccess(t`The message is sent again.`),
                onError: notifyError,
              })
            }
          >
            <Trans>Redeliver</Trans>
          </Button>
        )}
      </td>
    </tr>
  );
}

/** A link to what the message is about; nothing for a test. */
function SourceLink({ delivery: { source, source_id: id } }: { readonly delivery: Delivery }) {
  if (source === 'job')
    return (
      <TextLink to="/jobs/$id" params={{ id }} size="sm" underline="always">
        <Trans>Job</Trans>
      </TextLink>
    );
  if (source === 'monitor')
    return (
      <TextLink to="/monitors/$id" params={{ id }} size="sm" underline="always">
        <Trans>Monitor</Trans>
      </TextLink>
    );
  if (source === 'scrape')
    return (
      <TextLink to="/history/$id" params={{ id }} size="sm" underline="always">
        <Trans>Record</Trans>
      </TextLink>
    );
  return null;
}
