import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Channel, channelsQuery } from '../../api/channels.ts';
import { useDialog } from '../../ui/dialog.tsx';
import { ChannelDrawer, type ChannelSubject } from './channel-form.tsx';
import { CHANNEL_LABELS } from './channel-values.ts';

export type NotifyEvent = 'changed' | 'failed' | 'done';

/** The fields that say who is told of what. Their names are those of the API. */
export interface NotifyValues {
  /** Ids of channels. */
  readonly channels: string[];
  readonly notify_on: string[];
}

export const MONITOR_NOTIFY: NotifyValues = { channels: [], notify_on: ['changed', 'failed'] };
export const SCHEDULE_NOTIFY: NotifyValues = { channels: [], notify_on: ['failed'] };
export const JOB_NOTIFY: NotifyValues = { channels: [], notify_on: ['done', 'failed'] };

const MONITOR_EVENTS: readonly (readonly [event: NotifyEvent, label: string])[] = [
  ['changed', t`A change`],
  ['failed', t`Failures`],
  ['done', t`Runs without a change`],
];
const SCHEDULE_EVENTS: readonly (readonly [event: NotifyEvent, label: string])[] = [
  ['failed', t`Failures`],
  ['done', t`Runs that have worked`],
];
const JOB_EVENTS: readonly (readonly [event: NotifyEvent, label: string])[] = [
  ['done', t`Its end`],
  ['failed', t`Its failure`],
];
const EVENTS = { monitor: MONITOR_EVENTS, schedule: SCHEDULE_EVENTS, job: JOB_EVENTS };

/** The members of the body. */
export const notifyOf = ({ channels, notify_on }: NotifyValues) => ({
  channels,
  notify_on: notify_on as NotifyEvent[],
});

/** The same for something new: without channels, none is named. */
export function newNotifyOf(values: NotifyValues) {
  const { channels, notify_on } = notifyOf(values);
  return { ...(channels.length === 0 ? {} : { channels }), notify_on };
}

/** Names of channels; ids of those of somebody else. */
export function useChannelNames(channels: readonly string[]): readonly string[] {
  const { data } = useQuery({ ...channelsQuery, enabled: channels.length > 0 });
  return channels.map((id) => data?.items.find((channel) => channel.id === id)?.name ?? id);
}

interface InputProps {
  readonly value?: string[];
  readonly onChange?: (value: string[]) => void;
}

interface NotifyFieldsProps {
  readonly source: keyof typeof EVENTS;
  /** Of the form of Mantine. */
  readonly inputProps: (field: keyof NotifyValues) => InputProps;
}

/** Who is told of what. Notifications in the dashboard need no channel. */
export function NotifyFields({ source, inputProps }: NotifyFieldsProps) {
  return (
    <Stack>
      <Checkbox.Group
        label={t`Tell me of`}
        description={t`Also shown in the notifications of the dashboard.`}
        {...inputProps('notify_on')}
      >
        <Group gap="lg" mt={6}>
          {EVENTS[source].map(([event, label]) => (
            <Checkbox key={event} value={event} label={label} />
          ))}
        </Group>
      </Checkbox.Group>
      <ChannelFields inputProps={inputProps('channels')} />
    </Stack>
  );
}

/** Which channels tell. A new one is made here, too. @param label of the choice, unless the fields around say of what */
export function ChannelFields({ label, inputProps }: { label?: string; inputProps: InputProps }) {
  const { data } = useQuery(channelsQuery);
  const channels = data?.items ?? [];
  const dialog = useDialog<ChannelSubject>();
  return (
    <Stack>
      {channels.length > 0 && <ChannelChoice label={label} channels={channels} inputProps={inputProps} />}
      {data !== undefined && (
        <Group gap="sm">
          <Button variant="default" size="xs" onClick={() => dialog.open({ channel: null })}>
            <Trans>Add a channel</Trans>
          </Button>
          {channels.length === 0 && (
            <Text size="sm" c="dimmed">
              <Trans>To be told by Slack, e-mail or a webhook.</Trans>
            </Text>
          )}
          <ChannelDrawer
            dialog={dialog}
            types={data.channel_types}
            onSaved={({ id }) => inputProps.onChange?.([...(inputProps.value ?? []), id])}
          />
        </Group>
      )}
    </Stack>
  );
}

interface ChannelChoiceProps {
  readonly label?: string;
  readonly channels: readonly Channel[];
  /** Of the form of Mantine: the ids of those that are chosen. */
  readonly inputProps: object;
}

export const ChannelChoice = ({ label = t`By these channels`, channels, inputProps }: ChannelChoiceProps) => (
  <Checkbox.Group label={label} {...inputProps}>
    <Group gap="lg" mt={6}>
      {channels.map(({ id, name, type, state }) => (
        <Checkbox
          key={id}
          value={id}
          label={`${name} (${CHANNEL_LABELS[type]})`}
          description={state === 'paused' ? t`Paused` : undefined}
        />
      ))}
    </Group>
  </Checkbox.Group>
);
