import { useForgetSite } from '../../api/sites.ts';
import { ConfirmDialog, type DialogState } from '../../ui/dialog.tsx';
import { notifySuccess } from '../../ui/notice.tsx';

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
            notifySuccess(`${host} was forgotten.`);
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
