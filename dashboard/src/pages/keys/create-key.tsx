import { useCreateKey } from '../../api/keys.ts';
import type { DialogState } from '../../ui/dialog.tsx';
import { KeyDrawer } from './key-drawer.tsx';
import { KeyForm } from './key-form.tsx';
import { KeyShown } from './key-shown.tsx';
import { createBody, NEW_KEY } from './key-values.ts';

/** The form of a new key, and then the key. */
export function CreateKey({ dialog }: { readonly dialog: DialogState<'new'> }) {
  const create = useCreateKey();
  const { data: created } = create;
  return (
    <KeyDrawer
      opened={dialog.opened}
      onClose={dialog.close}
      title={created === undefined ? 'Create a key' : `Key “${created.name}” is ready`}
      held={created !== undefined}
      busy={create.isPending}
    >
      {created === undefined ? (
        <KeyForm
          initial={NEW_KEY}
          currentExpiry={null}
          submitLabel="Create the key"
          busy={create.isPending}
          error={create.error}
          onSubmit={(values, onError) => create.mutate(createBody(values), { onError })}
          onCancel={dialog.close}
        />
      ) : (
        <KeyShown created={created} onDone={dialog.close} />
      )}
    </KeyDrawer>
  );
}
