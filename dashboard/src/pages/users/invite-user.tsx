import { t } from '@lingui/core/macro';
import { Modal, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type Role, useInvite } from '../../api/users.ts';
import { ApiForm } from '../../ui/api-form.tsx';
import type { DialogState } from '../../ui/dialog.tsx';
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
        <ApiForm
          form={form}
          action={invite}
          bodyOf={({ email, role }) => ({ email: email.trim(), role })}
          members={FIELDS}
          submitLabel={t`Invite the user`}
          onCancel={dialog.close}
        >
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
        </ApiForm>
      ) : (
        <OneTimeLink email={sent.email} link={sent} onDone={dialog.close} />
      )}
    </Modal>
  );
}
