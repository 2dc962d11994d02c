import { Modal } from '@mantine/core';
import type { User } from '../../api/client.ts';
import type { DialogState } from '../../ui/dialog.tsx';
import { SetUpLink } from './set-up-link.tsx';

interface UserLinkProps {
  readonly dialog: DialogState<User>;
  readonly user: User;
}

/** For a user who has no password yet, or has forgotten it. */
export function UserLink({ dialog, user }: UserLinkProps) {
  return (
    <Modal
      opened={dialog.opened}
      onClose={dialog.close}
      closeOnClickOutside={false}
      size={500}
      title={user.has_password ? 'Reset the password' : 'New set-up link'}
    >
      <SetUpLink user={user} onDone={dialog.close} />
    </Modal>
  );
}
