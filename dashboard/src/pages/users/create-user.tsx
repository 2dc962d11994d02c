import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { fieldErrors, formError } from '../../api/client.ts';
import { useCreateUser } from '../../api/users.ts';
import type { DialogState } from '../../ui/dialog.tsx';
import { ErrorNotice } from '../../ui/page-state.tsx';
import { RoleAndLimitFields } from './role-and-limit-fields.tsx';
import { SetUpLink } from './set-up-link.tsx';
import { limitOf, USER_FIELDS, type UserValues, userRules } from './user-values.ts';

const NEW_USER: UserValues = { email: '', role: 'user', concurrency: '' };

/** The form of a new user, and then the link with which they set their password. */
export function CreateUser({ dialog }: { readonly dialog: DialogState<'new'> }) {
  const create = useCreateUser();
  const form = useForm({ initialValues: NEW_USER, validate: userRules });
  const submit = form.onSubmit((values) =>
    create.mutate(
      { email: values.email.trim(), role: values.role, concurrency: limitOf(values) },
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
      title={created === undefined ? 'Add a user' : 'User added'}
    >
      {created === undefined ? (
        <form onSubmit={submit} noValidate>
          <Stack px="xs" pb="xs">
            <ErrorNotice error={formError(create.error, USER_FIELDS)} />
            <TextInput
              label="E-mail"
              type="email"
              placeholder="maria@example.com"
              description="Used to sign in. No e-mail is sent."
              autoComplete="off"
              data-autofocus
              {...form.getInputProps('email')}
            />
            <RoleAndLimitFields form={form} />
            <Group justify="flex-end" gap="xs">
              <Button variant="default" onClick={dialog.close}>
                Cancel
              </Button>
              <Button type="submit" loading={create.isPending}>
                Add the user
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
