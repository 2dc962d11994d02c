import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Modal, NumberInput, Radio, Stack, Text, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useRouter } from '@tanstack/react-router';
import { fieldErrors, formError, type Schema, type User } from '../../api/client.ts';
import { useUser } from '../../api/session.ts';
import { useChangeUser, useCreateUser, useResetSecondFactor } from '../../api/users.ts';
import { ConfirmDialog, type DialogState } from '../../ui/dialog.tsx';
import { notifySuccess } from '../../ui/notice.tsx';
import { ErrorNotice } from '../../ui/page-state.tsx';
import { SetUpLink } from './set-up-link.tsx';
import {
  concurrencyOf,
  DEFAULT_LIMIT,
  ROLES,
  roleLabel,
  USER_FIELDS,
  type UserValues,
  userValidation,
} from './user-values.ts';

const NEW_USER: UserValues = { email: '', role: 'user', concurrency: '' };

/** The form of a new user, and then the link for setting their password. */
export function CreateUser({ dialog }: { readonly dialog: DialogState<'new'> }) {
  const create = useCreateUser();
  const form = useForm({ initialValues: NEW_USER, validate: userValidation });
  const submit = form.onSubmit((values) =>
    create.mutate(
      { email: values.email.trim(), role: values.role, concurrency: concurrencyOf(values) },
      { onError: (error) => form.setErrors(fieldErrors(error, USER_FIELDS)) },
    ),
  );
  const { data: created } = create;
  return (
    <Modal
      opened={dialog.opened}
      onClose={dialog.close}
      closeOnClickOutside={false}
      size={500}
      title={created === undefined ? t`Add a user` : t`User added`}
    >
      {created === undefined ? (
        <form onSubmit={submit} noValidate>
          <Stack px="xs" pb="xs">
            <ErrorNotice error={formError(create.error, USER_FIELDS)} />
            <TextInput
              label={t`E-mail`}
              type="email"
              placeholder="maria@example.com"
              description={t`Used to sign in. No e-mail is sent.`}
              autoComplete="off"
              data-autofocus
              {...form.getInputProps('email')}
            />
            <RoleAndLimitFields form={form} />
            <Group justify="flex-end" gap="xs">
              <Button variant="default" onClick={dialog.close}>
                <Trans>Cancel</Trans>
              </Button>
              <Button type="submit" loading={create.isPending}>
                <Trans>Add the user</Trans>
              </Button>
            </Group>
          </Stack>
        </form>
      ) : (
        <SetUpLink user={created} atOnce onDone={dialog.close} />
      )}
    </Modal>
  );
}

interface EditUserProps {
  readonly dialog: DialogState<User>;
  readonly user: User;
}

/** Edits role and limit. */
export function EditUser({ dialog, user }: EditUserProps) {
  const isSelf = useUser().id === user.id;
  const router = useRouter();
  const change = useChangeUser(user.id);
  const before: UserValues = {
    email: user.email,
    role: user.role,
    concurrency: user.concurrency_is_default ? '' : user.concurrency,
  };
  const form = useForm({ initialValues: before });
  const onSuccess = ({ email, role }: User) => {
    notifySuccess(t`${email} is saved.`);
    dialog.close();
    // Users may not see this page.
    if (isSelf && role === 'user') void router.navigate({ to: '/' });
  };
  const submit = form.onSubmit((values) =>
    change.mutate(userPatch(values, before), {
      onSuccess,
      onError: (error) => form.setErrors(fieldErrors(error, USER_FIELDS)),
    }),
  );
  return (
    <Modal opened={dialog.opened} onClose={dialog.close} size={500} title={t`Role and limit`}>
      <form onSubmit={submit} noValidate>
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
      <Radio.Group label={t`Role`} {...form.getInputProps('role')}>
        <Stack gap={10} mt={4}>
          {ROLES.map(({ role, meaning }) => (
            <Radio key={role} value={role} label={roleLabel(role)} description={meaning} />
          ))}
        </Stack>
      </Radio.Group>
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

interface ResetSecondFactorProps {
  readonly dialog: DialogState<User>;
  readonly user: User;
}

/** For users who have lost their device and their recovery codes. */
export function ResetSecondFactor({ dialog, user }: ResetSecondFactorProps) {
  const reset = useResetSecondFactor(user.id);
  return (
    <ConfirmDialog
      opened={dialog.opened}
      onClose={dialog.close}
      title={t`Reset the second factor?`}
      confirmLabel={t`Reset the second factor`}
      danger
      busy={reset.isPending}
      error={reset.error}
      onConfirm={() =>
        reset.mutate(undefined, {
          onSuccess: () => {
            notifySuccess(t`The second factor of ${user.email} is removed.`);
            dialog.close();
          },
        })
      }
    >
      <Trans>
        <b>{user.email}</b> signs in with the password alone, until they turn on a second factor again.
      </Trans>
    </ConfirmDialog>
  );
}

interface DisableUserProps {
  readonly dialog: DialogState<User>;
  readonly user: User;
}

/** Disables or enables a user. */
export function DisableUser({ dialog, user }: DisableUserProps) {
  const change = useChangeUser(user.id);
  const disabled = user.disabled_at !== null;
  return (
    <ConfirmDialog
      opened={dialog.opened}
      onClose={dialog.close}
      title={disabled ? t`Enable the user?` : t`Disable the user?`}
      confirmLabel={disabled ? t`Enable the user` : t`Disable the user`}
      danger={!disabled}
      busy={change.isPending}
      error={change.error}
      onConfirm={() =>
        change.mutate(
          { disabled: !disabled },
          {
            onSuccess: () => {
              notifySuccess(disabled ? t`${user.email} is enabled.` : t`${user.email} is disabled.`);
              dialog.close();
            },
          },
        )
      }
    >
      {disabled ? (
        <Trans>
          <b>{user.email}</b> can sign in again, and their keys work again.
        </Trans>
      ) : (
        <Trans>
          <b>{user.email}</b> is signed out and their keys stop working at once. Nothing is deleted; you can
          enable the user again.
        </Trans>
      )}
    </ConfirmDialog>
  );
}
