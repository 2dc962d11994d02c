import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Modal, NumberInput, Text } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useRouter } from '@tanstack/react-router';
import type { Schema, User } from '../../api/client.ts';
import { useUser } from '../../api/session.ts';
import {
  type Invitation,
  useChangeUser,
  useResetSecondFactor,
  useRevokeInvitation,
  useUnlink,
} from '../../api/users.ts';
import { ApiForm } from '../../ui/api-form.tsx';
import { ConfirmDialog, type DialogState } from '../../ui/dialog.tsx';
import { notifySuccess } from '../../ui/notice.tsx';
import { SetUpLinkDialog } from './one-time-link.tsx';
import { RoleField } from './role-field.tsx';
import { concurrencyOf, DEFAULT_LIMIT, USER_FIELDS, type UserValues } from './user-values.ts';

interface UserDialogProps {
  readonly dialog: Pick<DialogState<unknown>, 'opened' | 'close'>;
  readonly user: User;
}

/** Edits role and limit. */
function EditUser({ dialog, user }: UserDialogProps) {
  const isSelf = useUser().id === user.id;
  const router = useRouter();
  const before: UserValues = {
    role: user.role,
    concurrency: user.concurrency_is_default ? '' : user.concurrency,
  };
  const form = useForm({ initialValues: before });
  return (
    <Modal opened={dialog.opened} onClose={dialog.close} size={500} title={t`Role and limit`}>
      <ApiForm
        form={form}
        action={useChangeUser(user.id)}
        bodyOf={(values) => userPatch(values, before)}
        members={USER_FIELDS}
        onSuccess={({ email, role }) => {
          notifySuccess(t`${email} is saved.`);
          dialog.close();
          // Users may not see this page.
          if (isSelf && role === 'user') void router.navigate({ to: '/' });
        }}
        intro={
          <Text c="var(--sl-text-soft)" style={{ overflowWrap: 'anywhere' }}>
            {user.email}
          </Text>
        }
        submitLabel={t`Save`}
        onCancel={dialog.close}
      >
        <RoleAndLimitFields form={form} />
      </ApiForm>
    </Modal>
  );
}

function userPatch(values: UserValues, before: UserValues): Schema<'UserPatch'> {
  return {
    ...(values.role === before.role ? {} : { role: values.role }),
    ...(concurrencyOf(values) === concurrencyOf(before) ? {} : { concurrency: concurrencyOf(values) }),
  };
}

/** The settings of a user for administrators. */
function RoleAndLimitFields({ form }: { readonly form: UseFormReturnType<UserValues> }) {
  return (
    <>
      <RoleField {...form.getInputProps('role')} />
      <NumberInput
        label={t`Concurrent requests`}
        placeholder={t`Default ${DEFAULT_LIMIT}`}
        description={t`Limit for all keys of this user together. Default: ${DEFAULT_LIMIT}.`}
        min={1}
        max={100_000}
        clampBehavior="none"
        allowDecimal={false}
        allowNegative={false}
        {...form.getInputProps('concurrency')}
      />
    </>
  );
}

/** For users who have lost their device and their recovery codes. */
function ResetSecondFactor({ dialog, user: { id, email } }: UserDialogProps) {
  return (
    <ConfirmDialog
      dialog={dialog}
      action={useResetSecondFactor(id)}
      input={undefined}
      confirmLabel={t`Reset the second factor`}
      title={t`Reset the second factor?`}
      danger
      done={t`The second factor of ${email} is removed.`}
    >
      <Trans>
        <b>{email}</b> signs in with the password alone, until they turn on a second factor again.
      </Trans>
    </ConfirmDialog>
  );
}

/** For users whose account at the OpenID provider was replaced by another one. */
function UnlinkUser({ dialog, user: { id, email } }: UserDialogProps) {
  return (
    <ConfirmDialog
      dialog={dialog}
      action={useUnlink(id)}
      input={undefined}
      confirmLabel={t`Unlink the user`}
      title={t`Unlink the user from single sign-on?`}
      danger
      done={t`${email} is no longer linked to an account at the provider.`}
    >
      <Trans>
        The next account at the provider with the verified address <b>{email}</b> is linked to this user. Open
        sessions go on.
      </Trans>
    </ConfirmDialog>
  );
}

/** Disables or enables a user. */
function DisableUser({ dialog, user: { id, email, disabled_at } }: UserDialogProps) {
  const disabled = disabled_at !== null;
  return (
    <ConfirmDialog
      dialog={dialog}
      action={useChangeUser(id)}
      input={{ disabled: !disabled }}
      confirmLabel={disabled ? t`Enable the user` : t`Disable the user`}
      title={disabled ? t`Enable the user?` : t`Disable the user?`}
      danger={!disabled}
      done={disabled ? t`${email} is enabled.` : t`${email} is disabled.`}
    >
      {disabled ? (
        <Trans>
          <b>{email}</b> can sign in again, and their keys work again.
        </Trans>
      ) : (
        <Trans>
          <b>{email}</b> is signed out and their keys stop working at once. Nothing is deleted; you can enable
          the user again.
        </Trans>
      )}
    </ConfirmDialog>
  );
}

const DIALOGS = {
  edit: EditUser,
  link: SetUpLinkDialog,
  resetFactor: ResetSecondFactor,
  unlink: UnlinkUser,
  toggleDisabled: DisableUser,
};

/** What can be done with a user. */
export type UserAction = keyof typeof DIALOGS;

export function UserDialog({ action, ...props }: UserDialogProps & { readonly action: UserAction }) {
  const Dialog = DIALOGS[action];
  return <Dialog {...props} />;
}

interface RevokeInvitationProps {
  readonly dialog: DialogState<Invitation>;
  readonly invitation: Invitation;
}

export function RevokeInvitation({ dialog, invitation: { id, email } }: RevokeInvitationProps) {
  return (
    <ConfirmDialog
      dialog={dialog}
      action={useRevokeInvitation(id)}
      input={undefined}
      confirmLabel={t`Revoke the invitation`}
      title={t`Revoke the invitation?`}
      danger
      done={t`The invitation of ${email} is revoked.`}
    >
      <Trans>
        The link of <b>{email}</b> stops working, and the user is deleted. You can invite them again.
      </Trans>
    </ConfirmDialog>
  );
}
