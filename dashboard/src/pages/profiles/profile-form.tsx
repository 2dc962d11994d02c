import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Checkbox, Group, Text, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type Profile, useSaveProfile } from '../../api/profiles.ts';
import { ApiForm } from '../../ui/api-form.tsx';
import { type DialogState, FormDrawer } from '../../ui/dialog.tsx';
import { CODE_AREA, VERBATIM } from '../../ui/input-props.ts';
import { LoadFileButton } from '../../ui/load-file-button.tsx';
import { notifySuccess } from '../../ui/notice.tsx';
import { ChannelFields } from '../channels/notify-fields.tsx';
import { bodyOf, type ProfileValues, validations, valuesOf } from './profile-values.ts';

/** null: a new profile. */
export type ProfileSubject = { readonly profile: Profile | null };

export function ProfileDrawer({ dialog }: { readonly dialog: DialogState<ProfileSubject> }) {
  const name = dialog.subject?.profile?.name;
  return (
    <FormDrawer dialog={dialog} title={name === undefined ? t`Add a profile` : t`Renew or edit “${name}”`}>
      {({ profile }) => <ProfileForm profile={profile} onDone={dialog.close} />}
    </FormDrawer>
  );
}

interface ProfileFormProps {
  readonly profile: Profile | null;
  readonly onDone: () => void;
}

function ProfileForm({ profile, onDone }: ProfileFormProps) {
  const form = useForm<ProfileValues>({
    initialValues: valuesOf(profile),
    validate: validations(profile),
  });
  return (
    <ApiForm
      form={form}
      action={useSaveProfile(profile?.name ?? null)}
      bodyOf={(values) => bodyOf(values, profile)}
      members={['name', 'storage_state', 'cookies_txt', 'sites', 'shared', 'channels']}
      fieldNames={{ storage_state: 'log_in', cookies_txt: 'log_in' }}
      onSuccess={({ name }) => {
        notifySuccess(t`The profile “${name}” is saved.`);
        onDone();
      }}
      submitLabel={profile === null ? t`Add the profile` : t`Save`}
      onCancel={onDone}
      inDrawer
    >
      <TextInput
        label={t`Name`}
        placeholder="shop"
        maxLength={64}
        {...VERBATIM}
        data-autofocus
        {...form.getInputProps('name')}
      />
      <div>
        <Textarea
          {...CODE_AREA}
          label={t`Cookies and storage`}
          description={
            profile === null
              ? t`A storage state of Playwright, cookies as JSON, or a cookies file. The values are stored encrypted and never shown again.`
              : t`Replaces what is stored, to log in anew. Empty: it stays.`
          }
          minRows={4}
          maxRows={10}
          {...form.getInputProps('log_in')}
        />
        <Group mt="xs" gap="sm">
          <LoadFileButton
            accept=".json,.txt,application/json,text/plain"
            onLoad={(text) => form.setFieldValue('log_in', text)}
          />
        </Group>
        <Text size="sm" c="var(--sl-text-soft)" mt="xs">
          <Trans>
            From your own browser, on your own machine:{' '}
            <code className="mono">sluice profile upload shop --from chrome --domain shop.example</code>
          </Trans>
        </Text>
      </div>
      <TextInput
        label={t`Sites`}
        placeholder="shop.example"
        description={t`Only these sites get the cookies. Separate several with commas. Empty: the sites of the cookies.`}
        {...VERBATIM}
        {...form.getInputProps('sites')}
      />
      <Checkbox
        label={t`Other users may use it`}
        description={t`They cannot change it, and cannot read its values.`}
        {...form.getInputProps('shared', { type: 'checkbox' })}
      />
      <ChannelFields
        label={t`When it is logged out, tell me by these channels`}
        inputProps={form.getInputProps('channels')}
      />
    </ApiForm>
  );
}
