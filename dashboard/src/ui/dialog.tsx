import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { ErrorNotice } from './page-state.tsx';

export interface DialogState<Subject> {
  readonly opened: boolean;
  /** What it is about; kept while it closes, so that it does not change before it is gone. */
  readonly subject: Subject | null;
  /** Another one at each opening: as `key` of the dialog, that starts anew. */
  readonly openCount: number;
  readonly open: (subject: Subject) => void;
  readonly close: () => void;
}

/** Longer than Mantine takes to give the focus back by itself. */
const CLOSING_MS = 20;

/** A dialog that is opened for one of several things. Closed, it gives the focus back to where it was opened. */
export function useDialog<Subject>(): DialogState<Subject> {
  const [subject, setSubject] = useState<Subject | null>(null);
  const [openCount, setOpenCount] = useState(0);
  const [opened, setOpened] = useState(false);
  const opener = useRef<HTMLElement | null>(null);
  // Once it is there and closed: it keeps in mind where the focus was only when it sees itself being opened.
  useEffect(() => setOpened(openCount > 0), [openCount]);
  // A dialog that took the place of another while that was open was never seen being opened: it gives nothing back.
  useEffect(() => {
    if (opened || opener.current === null) return;
    const { activeElement } = document;
    const timer = setTimeout(() => {
      if (document.activeElement === document.body || document.activeElement === activeElement)
        opener.current?.focus({ preventScroll: true });
    }, CLOSING_MS);
    return () => clearTimeout(timer);
  }, [opened]);
  return {
    opened,
    subject,
    openCount,
    open: (next) => {
      opener.current = document.activeElement as HTMLElement | null;
      setSubject(next);
      setOpened(false);
      setOpenCount(openCount + 1);
    },
    close: () => setOpened(false),
  };
}

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
