import { useForgetSite } from '../../api/sites.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { notifyDone } from '../../ui/notify.ts';
import type { DialogState } from '../../ui/use-dialog.ts';

interface ForgetSiteProps {
  readonly dialog: DialogState<string>;
  readonly host: string;
}

export function ForgetSite({ dialog, host }: ForgetSiteProps) {
  const forget = useForgetSite(host);
  return (
    <ConfirmDialog
      opened={dialog.opened}
      onClose={dialog.close}
      title="Forget what was learned?"
      confirmLabel="Forget it"
      danger
      busy={forget.isPending}
      error={forget.error}
      onConfirm={() =>
        forget.mutate(undefined, {
          onSuccess: () => {
            notifyDone(`What was learned of ${host} is forgotten.`);
            dialog.close();
          },
        })
      }
    >
      The next scrapes find out anew what <b>{host}</b> asks for, which may cost some attempts. This cannot be
      taken back; records and what is pinned stay.
    </ConfirmDialog>
  );
}
