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
      title="Forget this site?"
      confirmLabel="Forget it"
      danger
      busy={forget.isPending}
      error={forget.error}
      onConfirm={() =>
        forget.mutate(undefined, {
          onSuccess: () => {
            notifyDone(`${host} was forgotten.`);
            dialog.close();
          },
        })
      }
    >
      The next scrapes learn again what works on <b>{host}</b>, which may cost a few attempts. This cannot be
      taken back; records and what is pinned stay.
    </ConfirmDialog>
  );
}
