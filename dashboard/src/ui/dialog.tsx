import { Trans } from '@lingui/react/macro';
import { Button, Drawer, Group, Modal, Stack, Text } from '@mantine/core';
import type { UseMutationResult } from '@tanstack/react-query';
import { Fragment, type ReactNode, useEffect, useRef, useState } from 'react';
import { notifySuccess } from './notice.tsx';
import { ErrorNotice } from './page-state.tsx';

export interface DialogState<Subject> {
  readonly opened: boolean;
  /** The object that the dialog is about. It stays while the dialog closes, so that the content does not change. */
  readonly subject: Subject | null;
  /** Different at each opening. As `key` of the dialog, it resets its state. */
  readonly openCount: number;
  readonly open: (subject: Subject) => void;
  readonly close: () => void;
}

/** A little longer than Mantine needs to return the focus itself. */
const CLOSING_MS = 20;

/** The state of a dialog for one of several objects. When it closes, the focus returns to the element that opened it. */
export function useDialog<Subject>(): DialogState<Subject> {
  const [subject, setSubject] = useState<Subject | null>(null);
  const [openCount, setOpenCount] = useState(0);
  const [opened, setOpened] = useState(false);
  const opener = useRef<HTMLElement | null>(null);
  // Opened one render later, because Mantine remembers the focused element only when `opened` changes to true.
  useEffect(() => setOpened(openCount > 0), [openCount]);
  // If a dialog replaces an open one, Mantine does not notice that it was opened, and would not return the focus.
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

interface FormDrawerProps<Subject> {
  readonly dialog: DialogState<Subject>;
  readonly title: string;
  readonly onClose?: () => void;
  readonly children: (subject: Subject) => ReactNode;
}

/** A drawer at the side, with a form about the subject of the dialog. */
export function FormDrawer<Subject>({ dialog, title, onClose, children }: FormDrawerProps<Subject>) {
  const { opened, subject, openCount, close } = dialog;
  return (
    <Drawer opened={opened} onClose={onClose ?? close} title={title} position="right" size="md">
      {subject !== null && <Fragment key={openCount}>{children(subject)}</Fragment>}
    </Drawer>
  );
}

interface ConfirmDialogProps<Input> {
  readonly dialog: Pick<DialogState<unknown>, 'opened' | 'close'>;
  readonly title: string;
  /** What will happen, and whether it can be undone. */
  readonly children: ReactNode;
  /** A verb: `Revoke the key`. */
  readonly confirmLabel: string;
  /** Of the other button, if the action itself is to cancel something. */
  readonly dismissLabel?: string;
  /** The action destroys something. */
  readonly danger?: boolean;
  readonly action: UseMutationResult<unknown, Error, Input>;
  readonly input: NoInfer<Input>;
  /** Says that it is done. */
  readonly done?: string;
  /** After the action. Default: the dialog closes. */
  readonly onDone?: () => void;
}

/** Asks for confirmation of an action, and starts it. */
export function ConfirmDialog<Input>(props: ConfirmDialogProps<Input>) {
  const { dialog, title, children, confirmLabel, dismissLabel, danger = false } = props;
  const { action, input, done, onDone } = props;
  const onSuccess = () => {
    if (done !== undefined) notifySuccess(done);
    (onDone ?? dialog.close)();
  };
  return (
    <Modal opened={dialog.opened} onClose={dialog.close} title={title}>
      <Stack px="xs" pb="xs">
        <Text component="div" c="var(--sl-text-soft)">
          {children}
        </Text>
        <ErrorNotice error={action.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={dialog.close} data-autofocus={danger || undefined}>
            {dismissLabel ?? <Trans>Cancel</Trans>}
          </Button>
          <Button
            color={danger ? 'red.9' : undefined}
            onClick={() => action.mutate(input, { onSuccess })}
            loading={action.isPending}
            data-autofocus={!danger || undefined}
          >
            {confirmLabel}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
