import type { User } from '../../api/client.ts';
import { useChangeUser } from '../../api/users.ts';
import { ConfirmDialog, type DialogState } from '../../ui/dialog.tsx';
import { notifySuccess } from '../../ui/notice.tsx';

interface DisableUserProps {
  readonly dialog: DialogState<User>;
  readonly user: User;
}

/** Locks a user out, or lets them in again. */
export function DisableUser({ dialog, user }: DisableUserProps) {
  const change = useChangeUser(user.id);
  const disabled = user.disabled_at !== null;
  return (
    <ConfirmDialog
      opened={dialog.opened}
      onClose={dialog.close}
      title={disabled ? 'Enable the user?' : 'Disable the user?'}
      confirmLabel={disabled ? 'Enable the user' : 'Disable the user'}
      danger={!disabled}
      busy={change.isPending}
      error={change.error}
      onConfirm={() =>
        change.mutate(
          { disabled: !disabled },
          {
            onSuccess: () => {
              notifySuccess(`${user.email} is ${disabled ? 'enabled' : 'disabled'}.`);
              dialog.close();
            },
          },
        )
      }
    >
      {disabled ? (
        <>
          <b>{user.email}</b> can sign in again, and their keys work again.
        </>
      ) : (
        <>
          <b>{user.email}</b> is signed out and their keys stop working at once. Nothing is deleted; you can
          enable the user again.
        </>
      )}
    </ConfirmDialog>
  );
}
