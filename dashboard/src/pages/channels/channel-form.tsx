import { t } from '@lingui/core/macro';
import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type Channel, useSaveChannel } from '../../api/channels.ts';
import { useUser } from '../../api/session.ts';
import { ApiForm } from '../../ui/api-form.tsx';
import { type DialogState, FormDrawer } from '../../ui/dialog.tsx';
import { CODE_AREA, VERBATIM } from '../../ui/input-props.ts';
import { notifySuccess } from '../../ui/notice.tsx';
import {
  addressesOf,
  CHANNEL_LABELS,
  type ChannelValues,
  channelTarget,
  headersOf,
  targetOf,
} from './channel-values.ts';

/** null: a new channel. */
export type ChannelSubject = { readonly channel: Channel | null };

interface ChannelDrawerProps {
  readonly dialog: DialogState<ChannelSubject>;
  readonly types: readonly Channel['type'][];
  readonly onSaved?: (channel: Channel) => void;
}

export function ChannelDrawer({ dialog, types, onSaved }: ChannelDrawerProps) {
  const name = dialog.subject?.channel?.name;
  return (
    <FormDrawer dialog={dialog} title={name === undefined ? t`Add a channel` : t`Edit “${name}”`}>
      {({ channel }) => (
        <ChannelForm
          channel={channel}
          types={types}
          onDone={(saved) => {
            onSaved?.(saved);
            dialog.close();
          }}
          onCancel={dialog.close}
        />
      )}
    </FormDrawer>
  );
}

interface ChannelFormProps {
  readonly channel: Channel | null;
  readonly types: readonly Channel['type'][];
  readonly onDone: (saved: Channel) => void;
  readonly onCancel: () => void;
}

function ChannelForm({ channel, types, onDone, onCancel }: ChannelFormProps) {
  const { email } = useUser();
  const form = useForm<ChannelValues>({
    initialValues:
      channel === null
        ? { name: '', type: 'slack', target: '', headers: '' }
        : { name: channel.name, type: channel.type, target: startOf(channel), headers: '' },
    validate: {
      target: (target, { type }) => {
        // The path of a Slack URL is never shown, so an empty field leaves it as it is.
        if (target.trim() === '' && channel !== null && type === 'slack') return null;
        if (type === 'email') return addressesOf(target).length === 0 ? t`Enter an address.` : null;
        return URL.canParse(target.trim()) ? null : t`Enter a URL.`;
      },
      headers: (headers) => (headersOf(headers) === null ? t`Write each as “Name: value”.` : null),
    },
  });
  const { type } = form.values;
  const kept = Object.keys(channel?.headers ?? {}).join(', ');
  return (
    <ApiForm
      form={form}
      action={useSaveChannel(channel?.id ?? null)}
      bodyOf={(values) => ({
        name: values.name.trim() || CHANNEL_LABELS[values.type],
        ...(channel === null ? { type: values.type } : {}),
        ...changedTarget(values, channel),
      })}
      members={['name', 'type', 'url', 'to', 'headers']}
      fieldNames={{ url: 'target', to: 'target' }}
      onSuccess={(saved) => {
        const { name } = saved;
        notifySuccess(t`“${name}” is saved. “Send a test” in its menu shows whether messages arrive.`);
        onDone(saved);
      }}
      submitLabel={channel === null ? t`Add the channel` : t`Save`}
      onCancel={onCancel}
      inDrawer
    >
      <NativeSelect
        label={t`Type`}
        description={
          types.includes('email')
            ? undefined
            : t`To offer e-mail, the operator of this service sets SLUICE_SMTP_URL and SLUICE_SMTP_FROM.`
        }
        data={types.map((value) => ({ value, label: CHANNEL_LABELS[value] }))}
        disabled={channel !== null}
        value={type}
        onChange={({ currentTarget: { value } }) => {
          form.setValues({ type: value as Channel['type'], target: value === 'email' ? email : '' });
          form.clearErrors();
        }}
      />
      <TextInput
        label={type === 'email' ? t`Addresses` : t`URL`}
        placeholder={type === 'slack' && channel !== null ? t`As before` : undefined}
        description={
          type === 'email'
            ? t`Separate several addresses with commas.`
            : type === 'slack'
              ? t`The URL of an incoming webhook of Slack, Mattermost or the like.`
              : t`Gets signed messages. Redirects are not followed.`
        }
        data-autofocus
        {...VERBATIM}
        {...form.getInputProps('target')}
      />
      <TextInput
        label={t`Name`}
        placeholder={CHANNEL_LABELS[type]}
        maxLength={200}
        autoComplete="off"
        {...form.getInputProps('name')}
      />
      {type === 'webhook' && (
        <Textarea
          {...CODE_AREA}
          label={t`Headers`}
          placeholder={HEADER_EXAMPLE}
          description={
            kept === ''
              ? t`One per line. Their values are never shown again.`
              : t`Stored: ${kept}. Empty: they stay. Otherwise these replace them.`
          }
          minRows={2}
          maxRows={6}
          {...form.getInputProps('headers')}
        />
      )}
    </ApiForm>
  );
}

const HEADER_EXAMPLE = 'Authorization: Bearer …';

const startOf = (channel: Channel): string => (channel.type === 'slack' ? '' : channelTarget(channel));

/** Where it sends to is left out if it stays: then its failures are not forgotten. */
function changedTarget(values: ChannelValues, channel: Channel | null) {
  if (channel !== null && values.headers.trim() === '' && values.target.trim() === startOf(channel))
    return {};
  return targetOf(values);
}
