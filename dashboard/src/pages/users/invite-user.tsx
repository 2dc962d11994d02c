import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { fieldErrors, formError } from '../../api/client.ts';
import { type Role, useInvite } from '../../api/users.ts';
import type { DialogState } from '../../ui/dialog.tsx';
import { useFieldErrors } from '../../ui/field-errors.ts';
import { ErrorNotice } from '../../ui/page-state.tsx';
import { OneTimeLink } from './one-time-link.tsx';
import { RoleField } from './role-field.tsx';

const FIELDS = ['email', 'role'] as const;

const emailProblem = (email: string) =>
  // The same rule as in the service: admin@localhost is valid.
  /^[^\s@]+@[^\s@]+$/.test(email.trim()) ? null : t`Enter an e-mail address, such as maria@example.com.`;

/** The form of an invitation, and then its link. */
export function InviteUser({ dialog }: { readonly dialog: DialogState<'new'> }) {
  const invite = useInvite();
  const form = useForm({
    initialValues: { email: '', role: 'user' as Role },
    validate: { email: emailProblem },
  });
  const errors = useFieldErrors(form);
  const submit = form.onSubmit(
    ({ email, role }) =>
      invite.mutate(
        { email: email.trim(), role },
        { onError: (error) => errors.show(fieldErrors(error, FIELDS)) },
      ),
    errors.focusFirst,
  );
  const { data: sent } = invite;
  return (
    <Modal
      opened={dialog.opened}
      onClose={dialog.close}
      closeOnClickOutside={false}
      size={500}
      title={sent === undefined ? t`Invite a user` : t`User invited`}
    >
      {sent === undefined ? (
        <form ref={errors.ref} onSubmit={submit} noValidate>
          <Stack px="xs" pb="xs">
            <ErrorNotice error={formError(invite.error, FIELDS)} />
            <TextInput
              label={t`E-mail`}
              type="email"
              placeholder="maria@example.com"
              description={t`Used to sign in. If a mail server is configured, the invitation is mailed to this address.`}
              autoComplete="off"
              data-autofocus
              {...form.getInputProps('email')}
            />
            <RoleField {...form.getInputProps('role')} />
            <Group justify="flex-end" gap="xs">
              <Button variant="default" onClick={dialog.close}>
                <Trans>Cancel</Trans>
              </Button>
              <Button type="submit" loading={invite.isPending}>
                <Trans>Invite the user</Trans>
              </Button>
            </Group>
          </Stack>
        </form>
      ) : (
        <OneTimeLink email={sent.email} link={sent} onDone={dialog.close} />
      )}
    </Modal>
  );
}
