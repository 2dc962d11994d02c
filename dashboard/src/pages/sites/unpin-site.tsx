import { useUnpinSite } from '../../api/sites.ts';
import { ConfirmDialog, type DialogState } from '../../ui/dialog.tsx';
import { notifySuccess } from '../../ui/notice.tsx';

interface UnpinSiteProps {
  readonly dialog: DialogState<string>;
  readonly host: string;
}

export function UnpinSite({ dialog, host }: UnpinSiteProps) {
  const unpin = useUnpinSite(host);
  return (
    <ConfirmDialog
      opened={dialog.opened}
      onClose={dialog.close}
      title="Remove the pin?"
      confirmLabel="Remove it"
      busy={unpin.isPending}
      error={unpin.error}
      onConfirm={() =>
        unpin.mutate(undefined, {
          onSuccess: () => {
            notifySuccess(`The pin for ${host} was removed.`);
            dialog.close();
          },
        })
      }
    >
      For <b>{host}</b> the router decides again by what it has learned.
    </ConfirmDialog>
  );
}
