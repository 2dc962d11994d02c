import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import {
  type Channel,
  channelsQuery,
  useDeleteChannel,
  useResumeChannel,
  useTestChannel,
} from '../../api/channels.ts';
import { useCanChange } from '../../api/session.ts';
import { ChangersOnly } from '../../ui/changers-only.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { DateTime } from '../../ui/date-time.tsx';
import { ConfirmDialog, type DialogState, useDialog } from '../../ui/dialog.tsx';
import { formatCount } from '../../ui/format.ts';
import { IconAlert, IconChannels, IconCircleCheck, IconPause } from '../../ui/icons.tsx';
import { notifyError, notifyProblem, notifySuccess } from '../../ui/notice.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState, ErrorState } from '../../ui/page-state.tsx';
import { Panel } from '../../ui/panel.tsx';
import { type Look, StatePill } from '../../ui/pill.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import { ChannelDrawer, type ChannelSubject } from './channel-form.tsx';
import { CHANNEL_LABELS, channelTarget } from './channel-values.ts';

const STATES: Readonly<Record<Channel['state'], Look>> = {
  ok: [t`OK`, 'green', IconCircleCheck],
  failing: [t`Fails`, 'amber', IconAlert],
  paused: [t`Paused`, 'red', IconPause],
};

/** Where people are told. */
export function ChannelsPage() {
  const { data, error, refetch } = useQuery(channelsQuery);
  const form = useDialog<ChannelSubject>();
  const removal = useDialog<Channel>();
  const canChange = useCanChange();
  const add = (
    <Button onClick={() => form.open({ channel: null })} disabled={data === undefined}>
      <Trans>Add a channel</Trans>
    </Button>
  );
  return (
    <>
      <PageHeader
        title={t`Channels`}
        description={t`Where Sluice tells people: of changes of monitors, of ends of jobs, of profiles that are logged out, and of alerts.`}
        actions={<ChangersOnly>{add}</ChangersOnly>}
      />
      <Panel title={t`Your channels`} flush>
        {error !== null && data === undefined ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : data?.items.length === 0 ? (
          <EmptyState icon={IconChannels} title={t`No channels yet`} level={3}>
            {canChange ? (
              <Trans>
                Add Slack, an e-mail address or a webhook. Monitors, jobs, profiles and alerts can then tell
                people by it.
              </Trans>
            ) : (
              <Trans>Each channel belongs to the user who added it. A viewer cannot add channels.</Trans>
            )}
          </EmptyState>
        ) : (
          <ChannelsTable items={data?.items ?? null} form={form} removal={removal} />
        )}
      </Panel>
      {data !== undefined && <ChannelDrawer dialog={form} types={data.channel_types} />}
      {removal.subject !== null && <RemovalDialog dialog={removal} channel={removal.subject} />}
    </>
  );
}

interface ChannelsTableProps {
  /** null: loading. */
  readonly items: readonly Channel[] | null;
  readonly form: DialogState<ChannelSubject>;
  readonly removal: DialogState<Channel>;
}

function ChannelsTable({ items, form, removal }: ChannelsTableProps) {
  return (
    <DataTable
      caption={t`Channels, newest first`}
      columns={[
        {
          label: t`Name`,
          lead: true,
          minWidth: '9rem',
          cell: (channel) => (
            <>
              <div>{channel.name}</div>
              <small>{`${CHANNEL_LABELS[channel.type]}: ${channelTarget(channel)}`}</small>
              {channel.last_error !== null && <small>{channel.last_error}</small>}
            </>
          ),
        },
        { label: t`State`, cell: (channel) => <ChannelState channel={channel} /> },
        { label: t`Used by`, wide: true, lead: true, minWidth: '8rem', cell: usesText },
        {
          label: t`Last message`,
          wide: true,
          numeric: true,
          cell: ({ last_delivered_at: at }) => <DateTime at={at} as="relative" fallback="–" />,
        },
        {
          label: t`Actions`,
          hidden: true,
          width: '1%',
          cell: (channel) => (
            <ChangersOnly>
              <ChannelMenu channel={channel} form={form} removal={removal} />
            </ChangersOnly>
          ),
        },
      ]}
      rows={items}
      rowKey={({ id }) => id}
      skeletonRows={3}
    />
  );
}

function ChannelState({ channel: { state, failing_since: since } }: { readonly channel: Channel }) {
  return (
    <>
      <StatePill look={STATES[state]} />
      {since !== null && (
        <div>
          <small>
            <Trans>
              since <DateTime at={since} as="relative" />
            </Trans>
          </small>
        </div>
      )}
    </>
  );
}

const MAX_USES = 3;

function usesText({ used_by: uses }: Channel): string {
  if (uses.length === 0) return t`Nothing`;
  const names = uses.slice(0, MAX_USES).map(({ name, id }) => name ?? id);
  const more = uses.length - names.length;
  const shown = names.join(', ');
  return more === 0 ? shown : t`${shown} and ${formatCount(more)} more`;
}

function ChannelMenu({ channel, form, removal }: Omit<ChannelsTableProps, 'items'> & { channel: Channel }) {
  const { id, name, state } = channel;
  const test = useTestChannel();
  const resume = useResumeChannel();
  const onTested = ({ ok, error }: { readonly ok: boolean; readonly error: string | null }) => {
    if (ok) notifySuccess(t`The test message to “${name}” has arrived.`);
    else notifyProblem(t`The test message to “${name}” did not arrive`, error ?? '');
  };
  return (
    <RowMenu
      label={t`Actions for ${name}`}
      actions={[
        {
          label: t`Send a test`,
          onClick: () => test.mutate(id, { onSuccess: onTested, onError: notifyError }),
        },
        { label: t`Edit`, onClick: () => form.open({ channel }) },
        state === 'paused' && {
          label: t`Resume`,
          onClick: () =>
            resume.mutate(id, {
              onSuccess: () => notifySuccess(t`“${name}” sends again.`),
              onError: notifyError,
            }),
        },
        'divider',
        { label: t`Delete`, color: 'red', onClick: () => removal.open(channel) },
      ]}
    />
  );
}

function RemovalDialog({
  dialog,
  channel,
}: {
  readonly dialog: DialogState<Channel>;
  readonly channel: Channel;
}) {
  const { id, name, used_by: uses } = channel;
  return (
    <ConfirmDialog
      dialog={dialog}
      title={t`Delete “${name}”?`}
      confirmLabel={t`Delete the channel`}
      danger
      action={useDeleteChannel()}
      input={id}
      done={t`The channel is deleted.`}
    >
      {uses.length === 0 ? (
        <Trans>Nothing uses it. This cannot be undone.</Trans>
      ) : (
        <>
          {plural(uses.length, {
            one: '# monitor, job, profile or alert tells people by it, and will not do so any more:',
            other: '# monitors, jobs, profiles or alerts tell people by it, and will not do so any more:',
          })}{' '}
          {usesText(channel)}
        </>
      )}
    </ConfirmDialog>
  );
}
