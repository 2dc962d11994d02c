import '../../theme/mantine-radio.css';
import { t } from '@lingui/core/macro';
import { Checkbox, CloseButton, Group, NumberInput, Radio, Select, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { type AlertKind, useSaveAlert } from '../../api/alerts.ts';
import { channelsQuery } from '../../api/channels.ts';
import { useUser } from '../../api/session.ts';
import { ApiForm } from '../../ui/api-form.tsx';
import { type DialogState, FormDrawer } from '../../ui/dialog.tsx';
import { VERBATIM } from '../../ui/input-props.ts';
import { notifySuccess } from '../../ui/notice.tsx';
import { ChannelChoice } from '../channels/notify-fields.tsx';
import { ALERT_KINDS, CHANNEL_LABELS, channelTarget, kindsFor } from './alert-kinds.ts';
import {
  ALERT_FIELDS,
  ALERT_VALIDATION,
  type AlertSubject,
  bodyOf,
  type FormContext,
  linkedSite,
  type Values,
  valuesOf,
} from './alert-values.ts';
import { MetricFields } from './metric-fields.tsx';
import { MetricTrial } from './metric-trial.tsx';
import { MoreSettings } from './more-settings.tsx';
import { SubjectField } from './subject-field.tsx';

interface AlertDrawerProps {
  readonly dialog: DialogState<AlertSubject>;
  readonly channelTypes: FormContext['channelTypes'];
  readonly onCancel: () => void;
}

export function AlertDrawer({ dialog, channelTypes, onCancel }: AlertDrawerProps) {
  const { subject, close } = dialog;
  const title = subject !== null && 'alert' in subject ? t`Edit “${subject.alert.name}”` : t`Create an alert`;
  return (
    <FormDrawer dialog={dialog} onClose={onCancel} title={title}>
      {(about) => (
        <AlertForm subject={about} channelTypes={channelTypes} onDone={close} onCancel={onCancel} />
      )}
    </FormDrawer>
  );
}

interface AlertFormProps {
  readonly subject: AlertSubject;
  readonly channelTypes: FormContext['channelTypes'];
  readonly onDone: () => void;
  readonly onCancel: () => void;
}

function AlertForm({ subject, channelTypes, onDone, onCancel }: AlertFormProps) {
  const before = 'alert' in subject ? subject.alert : null;
  const { role, email } = useUser();
  const context = { isAdmin: role === 'admin', email, channelTypes };
  const form = useForm<Values>({ initialValues: valuesOf(subject, context), validate: ALERT_VALIDATION });
  const { kind, kept, channelType, target } = form.values;
  const channels = useQuery(channelsQuery).data?.items ?? [];
  const text = ALERT_KINDS[kind];
  return (
    <ApiForm
      form={form}
      action={useSaveAlert(before?.id ?? null)}
      bodyOf={(values) => (before === null ? { kind: values.kind, ...bodyOf(values) } : bodyOf(values))}
      members={ALERT_FIELDS}
      // The channel is one field.
      fieldNames={{ channels: 'target' }}
      onSuccess={({ name }) => {
        notifySuccess(t`“${name}” is saved. “Send a test” in its menu shows whether the messages arrive.`);
        onDone();
      }}
      submitLabel={before === null ? t`Create the alert` : t`Save`}
      onCancel={onCancel}
      inDrawer
    >
      <Select
        label={t`Alert me when`}
        description={text.description}
        data={kindsFor(context.isAdmin).map((value) => ({ value, label: ALERT_KINDS[value].label }))}
        value={kind}
        disabled={before !== null}
        allowDeselect={false}
        onChange={(next) => {
          if (next === null) return;
          form.setValues({ ...valuesOf({ kind: next as AlertKind }, context), channelType, target });
          form.clearErrors();
        }}
      />
      <TextInput label={t`Name`} maxLength={200} {...form.getInputProps('name')} />
      {kind === 'metric' && (
        <>
          <MetricFields form={form} isAdmin={context.isAdmin} />
          <MetricTrial values={form.values} />
        </>
      )}
      {text.threshold !== null && (
        <NumberInput
          label={text.threshold.label}
          min={1}
          max={text.threshold.unit === 'runs' ? 1000 : 100}
          allowDecimal={text.threshold.unit !== 'runs'}
          {...form.getInputProps('conditions.threshold')}
        />
      )}
      {text.subject !== null && (
        <SubjectField
          kind={kind}
          value={form.values.conditions.subject}
          error={form.errors['conditions.subject']}
          onChange={(value) => form.setFieldValue('conditions.subject', value)}
        />
      )}
      {kind === 'site_success' && context.isAdmin && (
        <Checkbox
          label={t`Count the scrapes of all users`}
          description={t`Otherwise only yours are counted.`}
          {...form.getInputProps('conditions.all_users', { type: 'checkbox' })}
        />
      )}
      {channels.length > 0 && <ChannelChoice channels={channels} inputProps={form.getInputProps('shared')} />}
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
      <Radio.Group
        label={kept.length === 0 ? t`Send messages by` : t`Add a channel`}
        description={
          channelTypes.includes('email')
            ? undefined
            : t`To offer e-mail, the operator of this service sets SLUICE_SMTP_URL and SLUICE_SMTP_FROM.`
        }
        value={channelType}
        onChange={(next) => {
          form.setValues({
            channelType: next as Values['channelType'],
            target: next === 'email' && before === null ? email : '',
          });
          form.clearFieldError('target');
        }}
      >
        <Group mt="xs">
          {(['email', 'slack', 'webhook'] as const)
            .filter((type) => channelTypes.includes(type))
            .map((type) => (
              <Radio key={type} value={type} label={CHANNEL_LABELS[type]} />
            ))}
        </Group>
      </Radio.Group>
      <TextInput
        label={channelType === 'email' ? t`Addresses` : t`URL`}
        description={
          channelType === 'email'
            ? t`Separate several addresses with commas.`
            : channelType === 'slack'
              ? t`The URL of an incoming webhook of Slack, Mattermost or the like.`
              : t`Gets signed messages. Redirects are not followed.`
        }
        {...VERBATIM}
        // The other fields about a site are filled in.
        data-autofocus={linkedSite(subject) !== null || undefined}
        {...form.getInputProps('target')}
      />
      <MoreSettings key={kind} form={form} />
    </ApiForm>
  );
}
