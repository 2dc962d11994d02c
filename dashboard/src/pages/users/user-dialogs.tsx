import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Modal, NumberInput, Stack, Text } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import type { UseMutationResult } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { fieldErrors, formError, type Schema, type User } from '../../api/client.ts';
import { useUser } from '../../api/session.ts';
import {
  type Invitation,
  useChangeUser,
  useResetSecondFactor,
  useRevokeInvitation,
  useUnlink,
} from '../../api/users.ts';
import { ConfirmDialog, type DialogState } from '../../ui/dialog.tsx';
import { useFieldErrors } from '../../ui/field-errors.ts';
import { notifySuccess } from '../../ui/notice.tsx';
import { ErrorNotice } from '../../ui/page-state.tsx';
import { RoleField } from './role-field.tsx';
import { concurrencyOf, DEFAULT_LIMIT, USER_FIELDS, type UserValues } from './user-values.ts';

interface UserDialogProps {
  readonly dialog: DialogState<User>;
  readonly user: User;
}

/** Edits role and limit. */
export function EditUser({ dialog, user }: UserDialogProps) {
  const isSelf = useUser().id === user.id;
  const router = useRouter();
  const change = useChangeUser(user.id);
  const before: UserValues = {
    role: user.role,
    concurrency: user.concurrency_is_default ? '' : user.concurrency,
  };
  const form = useForm({ initialValues: before });
  const errors = useFieldErrors(form);
  const onSuccess = ({ email, role }: User) => {
    notifySuccess(t`${email} is saved.`);
    dialog.close();
    // Users may not see this page.
    if (isSelf && role === 'user') void router.navigate({ to: '/' });
  };
  const submit = form.onSubmit((values) =>
    change.mutate(userPatch(values, before), {
      onSuccess,
      onError: (error) => errors.show(fieldErrors(error, USER_FIELDS)),
    }),
  );
  return (
    <Modal opened={dialog.opened} onClose={dialog.close} size={500} title={t`Role and limit`}>
      <form ref={errors.ref} onSubmit={submit} noValidate>
        <Stack px="xs" pb="xs">
          <Text c="var(--sl-text-soft)" style={{ overflowWrap: 'anywhere' }}>
            {user.email}
          </Text>
          <ErrorNotice error={formError(change.error, USER_FIELDS)} />
          <RoleAndLimitFields form={form} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={dialog.close}>
              <Trans>Cancel</Trans>
            </Button>
            <Button type="submit" loading={change.isPending}>
              <Trans>Save</Trans>
            </Button>
          </Group>
        </Stack>
      </form>
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

interface ConfirmChangeProps<Variables> {
  readonly dialog: Pick<DialogState<unknown>, 'opened' | 'close'>;
  readonly change: UseMutationResult<unknown, Error, Variables>;
  readonly variables: Variables;
  /** The action, a verb: `Disable the user`. */
  readonly label: string;
  readonly title: string;
  readonly danger: boolean;
  /** Says that it is done. */
  readonly done: string;
  /** What will happen. */
  readonly children: ReactNode;
}

/** Asks for confirmation of a change, makes it, and closes. */
function ConfirmChange<Variables>({
  dialog,
  change,
  variables,
  label,
  title,
  danger,
  done,
  children,
}: ConfirmChangeProps<Variables>) {
  const onSuccess = () => {
    notifySuccess(done);
    dialog.close();
  };
  return (
    <ConfirmDialog
      opened={dialog.opened}
      onClose={dialog.close}
      title={title}
      confirmLabel={label}
      danger={danger}
      busy={change.isPending}
      error={change.error}
      onConfirm={() => change.mutate(variables, { onSuccess })}
    >
      {children}
    </ConfirmDialog>
  );
}

/** For users who have lost their device and their recovery codes. */
export function ResetSecondFactor({ dialog, user: { id, email } }: UserDialogProps) {
  return (
    <ConfirmChange
      dialog={dialog}
      change={useResetSecondFactor(id)}
      variables={undefined}
      label={t`Reset the second factor`}
      title={t`Reset the second factor?`}
      danger
      done={t`The second factor of ${email} is removed.`}
    >
      <Trans>
        <b>{email}</b> signs in with the password alone, until they turn on a second factor again.
      </Trans>
    </ConfirmChange>
  );
}

/** For users whose account at the OpenID provider was replaced by another one. */
export function UnlinkUser({ dialog, user: { id, email } }: UserDialogProps) {
  return (
    <ConfirmChange
      dialog={dialog}
      change={useUnlink(id)}
      variables={undefined}
      label={t`Unlink the user`}
      title={t`Unlink the user from single sign-on?`}
      danger
      done={t`${email} is no longer linked to an account at the provider.`}
    >
      <Trans>
        The next account at the provider with the verified address <b>{email}</b> is linked to this user. Open
        sessions go on.
      </Trans>
    </ConfirmChange>
  );
}

/** Disables or enables a user. */
export function DisableUser({ dialog, user: { id, email, disabled_at } }: UserDialogProps) {
  const disabled = disabled_at !== null;
  return (
    <ConfirmChange
      dialog={dialog}
      change={useChangeUser(id)}
      variables={{ disabled: !disabled }}
      label={disabled ? t`Enable the user` : t`Disable the user`}
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
    </ConfirmChange>
  );
}

interface RevokeInvitationProps {
  readonly dialog: DialogState<Invitation>;
  readonly invitation: Invitation;
}

export function RevokeInvitation({ dialog, invitation: { id, email } }: RevokeInvitationProps) {
  return (
    <ConfirmChange
      dialog={dialog}
      change={useRevokeInvitation(id)}
      variables={undefined}
      label={t`Revoke the invitation`}
      title={t`Revoke the invitation?`}
      danger
      done={t`The invitation of ${email} is revoked.`}
    >
      <Trans>
        The link of <b>{email}</b> stops working, and the user is deleted. You can invite them again.
      </Trans>
    </ConfirmChange>
  );
}
