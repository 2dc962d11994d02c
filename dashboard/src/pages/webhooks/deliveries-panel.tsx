import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, SegmentedControl } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useCanChange } from '../../api/session.ts';
import { type Delivery, deliveriesQuery, useRedeliver } from '../../api/webhooks.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { DateTime } from '../../ui/date-time.tsx';
import { formatCount } from '../../ui/format.ts';
import { IconCircleCheck, IconCircleX, IconClock, IconPlay, IconWebhook } from '../../ui/icons.tsx';
import { notifyError, notifySuccess } from '../../ui/notice.tsx';
import { EmptyState } from '../../ui/page-state.tsx';
import { PagedList } from '../../ui/paged-list.tsx';
import { Panel } from '../../ui/panel.tsx';
import { type Look, StatePill } from '../../ui/pill.tsx';
import { TextLink } from '../../ui/text.tsx';
import classes from './webhooks.module.css';

const webhooksRoute = getRouteApi('/signed-in/webhooks');

const STATES: Readonly<Record<Delivery['state'], Look>> = {
  queued: [t`Waiting`, 'amber', IconClock],
  sending: [t`Sending`, 'blue', IconPlay],
  delivered: [t`Delivered`, 'green', IconCircleCheck],
  failed: [t`Given up`, 'red', IconCircleX],
};

/** Messages of the last 30 days, which can be sent again. */
export function DeliveriesPanel() {
  const { state } = webhooksRoute.useSearch();
  const navigate = webhooksRoute.useNavigate();
  const query = useInfiniteQuery(deliveriesQuery({ state }));
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
      <PagedList
        query={query}
        empty={<NoDeliveries isFiltered={state !== undefined} />}
        more={t`Show older deliveries`}
      >
        {(items) => <DeliveriesTable items={items} />}
      </PagedList>
    </Panel>
  );
}

/** What was sent of a job, to its webhook and to channels. Renders nothing if nothing was. */
export function JobDeliveriesPanel({ id }: { readonly id: string }) {
  const query = useInfiniteQuery(deliveriesQuery({ source: id }));
  if (query.data?.pages.some(({ items }) => items.length > 0) !== true) return null;
  return (
    <Panel title={t`Deliveries`} description={t`Messages to webhooks and channels, newest first.`} flush>
      <PagedList query={query} empty={null} more={t`Show older deliveries`}>
        {(items) => <DeliveriesTable items={items} isOfJob />}
      </PagedList>
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

interface DeliveriesTableProps {
  readonly items: readonly Delivery[] | null;
  /** Of one job: links to it would go nowhere. */
  readonly isOfJob?: boolean;
}

function DeliveriesTable({ items, isOfJob = false }: DeliveriesTableProps) {
  return (
    <DataTable
      caption={t`Deliveries, newest first`}
      columns={[
        {
          label: t`Event`,
          lead: true,
          className: classes.event,
          cell: (delivery) => (
            <Message delivery={delivery} withSource={!isOfJob || delivery.source === 'channel'} />
          ),
        },
        { label: t`State`, nowrap: true, cell: (delivery) => <DeliveryState delivery={delivery} /> },
        { label: t`Status`, wide: true, numeric: true, cell: ({ status }) => status ?? '–' },
        { label: t`Tries`, wide: true, numeric: true, cell: ({ tries }) => formatCount(tries) },
        {
          label: t`Created`,
          wide: true,
          numeric: true,
          cell: ({ created_at }) => <DateTime at={created_at} as="relative" />,
        },
        { label: t`Action`, wide: true, cell: (delivery) => <Redeliver delivery={delivery} /> },
      ]}
      rows={items}
      rowKey={({ id }) => id}
      skeletonRows={4}
    />
  );
}

interface DeliveryProps {
  readonly delivery: Delivery;
}

function Message({ delivery, withSource }: DeliveryProps & { readonly withSource: boolean }) {
  const { type, url, error, answer } = delivery;
  return (
    <>
      <span className={classes.name}>{type}</span> {withSource && <SourceLink delivery={delivery} />}
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
    </>
  );
}

function DeliveryState({ delivery }: DeliveryProps) {
  const { state, tries, next_at } = delivery;
  return (
    <>
      <StatePill look={STATES[state]} />
      {state === 'queued' && tries > 0 && (
        <div>
          <DateTime at={next_at} as="relative" />
        </div>
      )}
      <div data-narrow className={classes.redeliver}>
        <Redeliver delivery={delivery} />
      </div>
    </>
  );
}

function Redeliver({ delivery: { id, state } }: DeliveryProps) {
  const redeliver = useRedeliver();
  const canChange = useCanChange();
  if (!canChange || (state !== 'delivered' && state !== 'failed')) return null;
  return (
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
  );
}

const SOURCES = {
  job: ['/jobs/$id', t`Job`],
  monitor: ['/monitors/$id', t`Monitor`],
  scrape: ['/history/$id', t`Record`],
} as const;

/** A link to what the message is about; nothing for a test. */
function SourceLink({ delivery: { source, source_id: id } }: DeliveryProps) {
  if (source === 'test' || source === 'alert') return null;
  if (source === 'channel')
    return (
      <TextLink to="/channels" size="sm" underline="always">
        <Trans>Channels</Trans>
      </TextLink>
    );
  if (source === 'profile')
    return (
      <TextLink to="/profiles" size="sm" underline="always">
        <Trans>Profiles</Trans>
      </TextLink>
    );
  const [to, label] = SOURCES[source];
  return (
    <TextLink to={to} params={{ id }} size="sm" underline="always">
      {label}
    </TextLink>
  );
}
