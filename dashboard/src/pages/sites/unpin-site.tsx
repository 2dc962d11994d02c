import { useUnpinSite } from '../../api/sites.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { notifyDone } from '../../ui/notify.ts';
import type { DialogState } from '../../ui/use-dialog.ts';

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
      title="Take the pin away?"
      confirmLabel="Take it away"
      busy={unpin.isPending}
      error={unpin.error}
      onConfirm={() =>
        unpin.mutate(undefined, {
          onSuccess: () => {
            notifyDone(`Nothing is pinned for ${host} any more.`);
            dialog.close();
          },
        })
      }
    >
      The router decides at <b>{host}</b> again by what it has learned.
    </ConfirmDialog>
  );
}
