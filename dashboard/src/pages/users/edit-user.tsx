import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useRouter } from '@tanstack/react-router';
import { fieldErrors, formError, type Schema, type User } from '../../api/client.ts';
import { useUser } from '../../api/session.ts';
import { useChangeUser } from '../../api/users.ts';
import type { DialogState } from '../../ui/dialog.tsx';
import { notifySuccess } from '../../ui/notice.tsx';
import { ErrorNotice } from '../../ui/page-state.tsx';
import { RoleAndLimitFields } from './role-and-limit-fields.tsx';
import { limitOf, USER_FIELDS, type UserValues } from './user-values.ts';

interface EditUserProps {
  readonly dialog: DialogState<User>;
  readonly user: User;
}

/** Role and limit. */
export function EditUser({ dialog, user }: EditUserProps) {
  const own = useUser().id === user.id;
  const router = useRouter();
  const change = useChangeUser(user.id);
  const before: UserValues = {
    email: user.email,
    role: user.role,
    concurrency: user.concurrency_is_default ? '' : user.concurrency,
  };
  const form = useForm({ initialValues: before });
  const done = ({ email, role }: User) => {
    notifySuccess(`${email} is saved.`);
    dialog.close();
    // This page is theirs no longer.
    if (own && role !== 'admin') void router.navigate({ to: '/' });
  };
  const submit = form.onSubmit((values) =>
    change.mutate(changesOf(values, before), {
      onSuccess: done,
      onError: (error) => form.setErrors(fieldErrors(error, USER_FIELDS)),
    }),
  );
  return (
    <Modal opened={dialog.opened} onClose={dialog.close} size={500} title="Role and limit">
      <form onSubmit={submit} noValidate>
        <Stack px="xs" pb="xs">
          <Text c="var(--sl-text-soft)" style={{ overflowWrap: 'anywhere' }}>
            {user.email}
          </Text>
          <ErrorNotice error={formError(change.error, USER_FIELDS)} />
          <RoleAndLimitFields form={form} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={dialog.close}>
              Cancel
            </Button>
            <Button type="submit" loading={change.isPending}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function changesOf(values: UserValues, before: UserValues): Schema<'UserPatch'> {
  return {
    ...(values.role === before.role ? {} : { role: values.role }),
    ...(limitOf(values) === limitOf(before) ? {} : { concurrency: limitOf(values) }),
  };
}
