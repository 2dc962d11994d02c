import { type ApiKey, useRevokeKey } from '../../api/keys.ts';
import { ConfirmDialog, type DialogState } from '../../ui/dialog.tsx';
import { notifySuccess } from '../../ui/notice.tsx';
import { shortKey } from './key-state.ts';
import classes from './keys.module.css';

interface RevokeKeyProps {
  readonly dialog: DialogState<ApiKey>;
  readonly apiKey: ApiKey;
}

export function RevokeKey({ dialog, apiKey }: RevokeKeyProps) {
  const revoke = useRevokeKey();
  return (
    <ConfirmDialog
      opened={dialog.opened}
      onClose={dialog.close}
      title={`Revoke “${apiKey.name}”?`}
      confirmLabel="Revoke the key"
      danger
      busy={revoke.isPending}
      error={revoke.error}
      onConfirm={() =>
        revoke.mutate(apiKey.id, {
          onSuccess: () => {
            notifySuccess(`“${apiKey.name}” is revoked.`);
            dialog.close();
          },
        })
      }
    >
      Requests with <code className={classes.short}>{shortKey(apiKey)}</code> are refused at once. This cannot
      be undone. To replace the key without downtime, rotate it instead.
    </ConfirmDialog>
  );
}
