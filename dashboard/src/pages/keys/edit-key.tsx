import { type ApiKey, useChangeKey } from '../../api/keys.ts';
import type { DialogState } from '../../ui/dialog.tsx';
import { notifySuccess } from '../../ui/notice.tsx';
import { KeyDrawer } from './key-drawer.tsx';
import { KeyForm } from './key-form.tsx';
import { patchBody, valuesOf } from './key-values.ts';

interface EditKeyProps {
  readonly dialog: DialogState<ApiKey>;
  readonly apiKey: ApiKey;
}

export function EditKey({ dialog, apiKey }: EditKeyProps) {
  const change = useChangeKey(apiKey.id);
  const before = valuesOf(apiKey);
  return (
    <KeyDrawer opened={dialog.opened} onClose={dialog.close} title={`Edit “${apiKey.name}”`} held={false}>
      <KeyForm
        initial={before}
        currentExpiry={apiKey.expires_at}
        submitLabel="Save"
        busy={change.isPending}
        error={change.error}
        onSubmit={(values, onError) =>
          change.mutate(patchBody(values, before), {
            onError,
            onSuccess: ({ name }) => {
              notifySuccess(`“${name}” is saved. It applies from now on.`);
              dialog.close();
            },
          })
        }
        onCancel={dialog.close}
      />
    </KeyDrawer>
  );
}
