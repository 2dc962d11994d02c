import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { ErrorNotice } from './error-state.tsx';

interface ConfirmDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** What will happen, and whether it can be undone. */
  readonly children: ReactNode;
  /** A verb: `Revoke the key`. */
  readonly confirmLabel: string;
  /** It destroys something. */
  readonly danger?: boolean;
  readonly onConfirm: () => void;
  /** It is being done. */
  readonly busy: boolean;
  /** Why it could not be done. */
  readonly error?: unknown;
}

/** Asks before something is done that cannot be taken back. The caller closes it when it is done. */
export function ConfirmDialog({
  opened,
  onClose,
  title,
  children,
  confirmLabel,
  danger = false,
  onConfirm,
  busy,
  error,
}: ConfirmDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={title}>
      <Stack px="xs" pb="xs">
        <Text component="div" c="var(--sl-text-soft)">
          {children}
        </Text>
        <ErrorNotice error={error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose} data-autofocus={danger || undefined}>
            Cancel
          </Button>
          <Button
            color={danger ? 'red.9' : undefined}
            onClick={onConfirm}
            loading={busy}
            data-autofocus={!danger || undefined}
          >
            {confirmLabel}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
