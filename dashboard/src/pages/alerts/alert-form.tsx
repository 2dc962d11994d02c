import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import {
  Button,
  CloseButton,
  Drawer,
  Group,
  NumberInput,
  Select,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { type Alert, type AlertKind, useChangeAlert, useCreateAlert } from '../../api/alerts.ts';
import { useUser } from '../../api/session.ts';
import type { DialogState } from '../../ui/dialog.tsx';
import { notifySuccess } from '../../ui/notice.tsx';
import { ErrorNotice } from '../../ui/page-state.tsx';
import { ALERT_KINDS, CHANNEL_LABELS, channelTarget, kindsFor } from './alert-kinds.ts';

/** A new rule of a kind, or one that is edited. */
export type AlertSubject = { readonly kind: AlertKind } | { readonly alert: Alert };

type ChannelType = keyof typeof CHANNEL_LABELS;

interface Values {
  readonly kind: AlertKind;
  readonly name: string;
  readonly subject: string;
  /** In percent, or a number of runs. */
  readonly threshold: number | '';
  /** Channels that stay. */
  readonly kept: Alert['channels'];
  readonly channelType: ChannelType;
  readonly target: string;
}

function valuesOf(subject: AlertSubject): Values {
  if (!('alert' in subject)) {
    const { suggestion, threshold } = ALERT_KINDS[subject.kind];
    return {
      kind: subject.kind,
      name: suggestion,
      subject: '',
      threshold: threshold?.usual ?? '',
      kept: [],
      channelType: 'webhook',
      target: '',
    };
  }
  const { kind, name, conditions, channels } = subject.alert;
  const factor = ALERT_KINDS[kind].threshold?.unit === 'percent' ? 100 : 1;
  return {
    kind,
    name,
    subject: conditions.subject ?? '',
    threshold: Number(((conditions.threshold ?? 0) * factor).toPrecision(6)),
    kept: channels,
    channelType: 'webhook',
    target: '',
  };
}

function bodyOf(values: Values, before: Alert | null) {
  const { kind, name, subject, threshold, kept, channelType, target } = values;
  const text = ALERT_KINDS[kind].threshold;
  const value =
    text === null || threshold === '' ? undefined : text.unit === 'percent' ? threshold / 100 : threshold;
  // A changed threshold gets the usual distance to that of clearing.
  const { clear_threshold: clear, ...others } = before?.conditions ?? {};
  const isSame = value === undefined || value === before?.conditions.threshold;
  const added =
    target.trim() === ''
      ? []
      : channelType === 'email'
        ? [{ type: channelType, to: target.split(',').map((address) => address.trim()) }]
        : [{ type: channelType, url: target.trim() }];
  return {
    name: name.trim(),
    conditions: {
      ...others,
      ...(isSame && clear !== undefined ? { clear_threshold: clear } : {}),
      ...(value === undefined ? {} : { threshold: value }),
      subject: subject.trim() === '' ? null : subject.trim(),
    },
    channels: [...kept.map(({ id }) => ({ id })), ...added],
  };
}

export function AlertDrawer({ dialog }: { readonly dialog: DialogState<AlertSubject> }) {
  const { subject, opened, close, openCount } = dialog;
  const title = subject !== null && 'alert' in subject ? t`Edit “${subject.alert.name}”` : t`Create an alert`;
  return (
    <Drawer opened={opened} onClose={close} title={title} position="right" size="md">
      {subject !== null && <AlertForm key={openCount} subject={subject} onDone={close} />}
    </Drawer>
  );
}

function AlertForm({ subject, onDone }: { readonly subject: AlertSubject; readonly onDone: () => void }) {
  const before = 'alert' in subject ? subject.alert : null;
  const create = useCreateAlert();
  const change = useChangeAlert();
  const { role } = useUser();
  const form = useForm<Values>({
    initialValues: valuesOf(subject),
    validate: {
      name: (name) => (name.trim() === '' ? t`Enter a name.` : null),
      target: (target, { kept }) =>
        target.trim() === '' && kept.length === 0 ? t`Enter where the messages go.` : null,
    },
  });
  const { kind, kept, channelType } = form.values;
  const text = ALERT_KINDS[kind];
  const submit = form.onSubmit((values) => {
    const body = bodyOf(values, before);
    const onSuccess = ({ name }: Alert) => {
      notifySuccess(t`“${name}” is saved. “Send a test” in its menu shows whether the messages arrive.`);
      onDone();
    };
    if (before === null) create.mutate({ kind: values.kind, ...body }, { onSuccess });
    else change.mutate({ id: before.id, body }, { onSuccess });
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <ErrorNotice error={create.error ?? change.error} />
        <Select
          label={t`Alert me when`}
          description={text.description}
          data={kindsFor(role === 'admin').map((value) => ({ value, label: ALERT_KINDS[value].label }))}
          value={kind}
          disabled={before !== null}
          allowDeselect={false}
          onChange={(next) => {
            if (next !== null) form.setValues({ ...valuesOf({ kind: next as AlertKind }), kept });
          }}
        />
        <TextInput label={t`Name`} maxLength={200} {...form.getInputProps('name')} />
        {text.threshold !== null && (
          <NumberInput
            label={text.threshold.label}
            min={1}
            max={text.threshold.unit === 'percent' ? 100 : 1000}
            allowDecimal={text.threshold.unit === 'percent'}
            {...form.getInputProps('threshold')}
          />
        )}
        {text.subject !== null && (
          <TextInput
            label={text.subject}
            description={t`Empty: all of them, each by itself.`}
            spellCheck={false}
            {...form.getInputProps('subject')}
          />
        )}
        {kept.map((channel) => (
          <Group key={channel.id} justify="space-between" wrap="nowrap">
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {`${CHANNEL_LABELS[channel.type]}: ${channelTarget(channel)}`}
            </Text>
            <CloseButton
              aria-label={t`Remove ${CHANNEL_LABELS[channel.type]}: ${channelTarget(channel)}`}
              onClick={() =>
                form.setFieldValue(
                  'kept',
                  kept.filter(({ id }) => id !== channel.id),
                )
              }
            />
          </Group>
        ))}
        <Select
          label={kept.length === 0 ? t`Send messages by` : t`Add a channel`}
          data={Object.entries(CHANNEL_LABELS).map(([value, label]) => ({ value, label }))}
          allowDeselect={false}
          {...form.getInputProps('channelType')}
        />
        <TextInput
          label={channelType === 'email' ? t`Addresses` : t`URL`}
          description={
            channelType === 'email'
              ? t`Separate several addresses with commas.`
              : channelType === 'slack'
                ? t`The URL of an incoming webhook of Slack, Mattermost or the like.`
                : t`Gets signed messages. Redirects are not followed.`
          }
          autoComplete="off"
          spellCheck={false}
          {...form.getInputProps('target')}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onDone}>
            <Trans>Cancel</Trans>
          </Button>
          <Button type="submit" loading={create.isPending || change.isPending}>
            {before === null ? t`Create the alert` : t`Save`}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
