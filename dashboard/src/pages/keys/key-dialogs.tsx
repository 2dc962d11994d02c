import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Drawer, Modal, NumberInput, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { ReactNode } from 'react';
import {
  type ApiKey,
  type CreatedKey,
  useChangeKey,
  useCreateKey,
  useRevokeKey,
  useRotateKey,
} from '../../api/keys.ts';
import { BASE_PATH } from '../../app/page-config.ts';
import { ApiForm } from '../../ui/api-form.tsx';
import { CodeBlock, CodeTabs, OneTimeSecret } from '../../ui/code-block.tsx';
import { ConfirmDialog, type DialogState } from '../../ui/dialog.tsx';
import { formatLocal } from '../../ui/format.ts';
import { notifySuccess } from '../../ui/notice.tsx';
import { firstCallSnippets } from './first-call.ts';
import { KeyForm } from './key-form.tsx';
import { shortKey } from './key-state.ts';
import { createBody, NEW_KEY, patchBody, valuesOfKey } from './key-values.ts';
import classes from './keys.module.css';

/** Shows the form for a new key, and then the created key. */
export function CreateKey({ dialog }: { readonly dialog: DialogState<'new'> }) {
  const create = useCreateKey();
  const { data: created } = create;
  return (
    <KeyDrawer
      opened={dialog.opened}
      onClose={dialog.close}
      title={created === undefined ? t`Create a key` : t`Key “${created.name}” is ready`}
      locked={created !== undefined}
      busy={create.isPending}
    >
      {created === undefined ? (
        <KeyForm
          initial={NEW_KEY}
          isNew
          currentExpiry={null}
          submitLabel={t`Create the key`}
          busy={create.isPending}
          error={create.error}
          onSubmit={(values, onError) => create.mutate(createBody(values), { onError })}
          onCancel={dialog.close}
        />
      ) : (
        <NewKey created={created} onDone={dialog.close} />
      )}
    </KeyDrawer>
  );
}

interface KeyDialogProps {
  readonly dialog: Pick<DialogState<unknown>, 'opened' | 'close'>;
  readonly apiKey: ApiKey;
}

function EditKey({ dialog, apiKey }: KeyDialogProps) {
  const change = useChangeKey(apiKey.id);
  const before = valuesOfKey(apiKey);
  return (
    <KeyDrawer opened={dialog.opened} onClose={dialog.close} title={t`Edit “${apiKey.name}”`} locked={false}>
      <KeyForm
        initial={before}
        currentExpiry={apiKey.expires_at}
        submitLabel={t`Save`}
        busy={change.isPending}
        error={change.error}
        onSubmit={(values, onError) =>
          change.mutate(patchBody(values, before), {
            onError,
            onSuccess: ({ name }) => {
              notifySuccess(t`“${name}” is saved. It applies from now on.`);
              dialog.close();
            },
          })
        }
        onCancel={dialog.close}
      />
    </KeyDrawer>
  );
}

const ROTATE_FIELDS = ['overlap_hours'];

/** Rotates a key: asks how long both keys work, then shows the new one. */
function RotateKey({ dialog, apiKey }: KeyDialogProps) {
  const rotate = useRotateKey(apiKey.id);
  const form = useForm<{ overlap_hours: number | string }>({
    initialValues: { overlap_hours: 24 },
    validate: {
      overlap_hours: (hours) => (isOverlap(hours) ? null : t`Enter a number from 0 to 24.`),
    },
  });
  if (rotate.data !== undefined) {
    return (
      <KeyDrawer opened={dialog.opened} onClose={dialog.close} title={t`The new key is ready`} locked>
        <NewKey created={rotate.data} onDone={dialog.close}>
          <Text size="sm">{oldKeyText(apiKey, rotate.variables.overlap_hours ?? 0, 'worked')}</Text>
        </NewKey>
      </KeyDrawer>
    );
  }
  const hours = form.values.overlap_hours;
  return (
    <Modal
      opened={dialog.opened}
      onClose={dialog.close}
      title={t`Rotate “${apiKey.name}”`}
      // Otherwise nobody would see the new key, although the old one may not work any more.
      closeOnEscape={!rotate.isPending}
      closeOnClickOutside={!rotate.isPending}
      closeButtonProps={{ 'aria-label': t`Close`, disabled: rotate.isPending }}
    >
      <ApiForm
        form={form}
        action={rotate}
        bodyOf={({ overlap_hours }) => ({ overlap_hours: Number(overlap_hours) })}
        members={ROTATE_FIELDS}
        intro={
          <Text c="var(--sl-text-soft)">
            <Trans>
              You get a new key with the same settings. Both work during the overlap, so you can replace the
              old key without downtime. Choose 0 if it was leaked.
            </Trans>{' '}
            {apiKey.expires_at !== null && (
              <Trans>
                The new key expires when the old one would have: {formatLocal(apiKey.expires_at)}.
              </Trans>
            )}
          </Text>
        }
        submitLabel={t`Rotate the key`}
        onCancel={dialog.close}
        locked
      >
        <NumberInput
          label={t`Overlap in hours`}
          min={0}
          max={24}
          clampBehavior="none"
          data-autofocus
          description={isOverlap(hours) ? oldKeyText(apiKey, Number(hours), 'works') : t`From 0 to 24.`}
          {...form.getInputProps('overlap_hours')}
        />
      </ApiForm>
    </Modal>
  );
}

const isOverlap = (hours: number | string): boolean =>
  hours !== '' && Number(hours) >= 0 && Number(hours) <= 24;

function oldKeyText({ expires_at }: ApiKey, hours: number, tense: 'works' | 'worked'): string {
  if (hours === 0) return tense === 'works' ? t`The old key stops at once.` : t`The old key has stopped.`;
  const end = Date.now() + hours * 3_600_000;
  const until = expires_at === null ? end : Math.min(end, Date.parse(expires_at));
  return t`The old key works until ${formatLocal(new Date(until).toISOString())}.`;
}

function RevokeKey({ dialog, apiKey }: KeyDialogProps) {
  return (
    <ConfirmDialog
      dialog={dialog}
      title={t`Revoke “${apiKey.name}”?`}
      confirmLabel={t`Revoke the key`}
      danger
      action={useRevokeKey()}
      input={apiKey.id}
      done={t`“${apiKey.name}” is revoked.`}
    >
      <Trans>
        Requests with <code className={classes.short}>{shortKey(apiKey)}</code> are refused at once. This
        cannot be undone. To replace the key without downtime, rotate it instead.
      </Trans>
    </ConfirmDialog>
  );
}

const DIALOGS = { edit: EditKey, rotate: RotateKey, revoke: RevokeKey };

/** What can be done with a key. */
export type KeyAction = keyof typeof DIALOGS;

export function KeyDialog({ action, ...props }: KeyDialogProps & { readonly action: KeyAction }) {
  const Dialog = DIALOGS[action];
  return <Dialog {...props} />;
}

interface KeyDrawerProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** Escape does not close the drawer, because it shows a key that cannot be shown again. */
  readonly locked: boolean;
  /** Nothing closes the drawer, because a key is being created that nobody would see. */
  readonly busy?: boolean;
  readonly children: ReactNode;
}

/** A drawer at the side; on phones it fills the screen. */
function KeyDrawer({ opened, onClose, title, locked, busy = false, children }: KeyDrawerProps) {
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      title={title}
      position="right"
      size={540}
      closeOnClickOutside={false}
      closeOnEscape={!locked && !busy}
      closeButtonProps={{ 'aria-label': t`Close`, disabled: busy }}
      classNames={{ content: classes.drawer, header: classes.drawerHead, body: classes.drawerBody }}
    >
      {children}
    </Drawer>
  );
}

interface NewKeyProps {
  readonly created: CreatedKey;
  /** Further notes about the key. */
  readonly children?: ReactNode;
  readonly onDone: () => void;
}

/** Shows a new key, which is only possible once, and how to use it. */
function NewKey({ created, children, onDone }: NewKeyProps) {
  const baseUrl = `${location.origin}${BASE_PATH}`;
  return (
    <div className={classes.form}>
      <Stack className={classes.fields} role="status">
        <OneTimeSecret label={t`API key`} secret={created.key}>
          <Trans>
            Copy it now. Only a hash is stored, so it cannot be shown again; you can always create another.
          </Trans>
        </OneTimeSecret>
        {children}
        <div>
          <h3 className={classes.part}>
            <Trans>Set the environment variable</Trans>
          </h3>
          <Text size="sm" c="dimmed" mb="xs">
            <Trans>Never put it into code or version control.</Trans>
          </Text>
          <CodeBlock label={t`environment`} code={`export SLUICE_KEY='${created.key}'`} wrap />
        </div>
        <div>
          <h3 className={classes.part}>
            <Trans>Send a first request</Trans>
          </h3>
          <CodeTabs name={t`Languages`} tabs={firstCallSnippets(created, baseUrl)} />
        </div>
      </Stack>
      <div className={classes.foot}>
        <Button onClick={onDone} data-autofocus>
          <Trans>Done</Trans>
        </Button>
      </div>
    </div>
  );
}
