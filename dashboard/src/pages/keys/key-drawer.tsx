import { Drawer } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './keys.module.css';

interface KeyDrawerProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** What is inside would be lost: only a button closes it. */
  readonly held: boolean;
  /** A key is being made, which nobody would see: nothing closes it. */
  readonly busy?: boolean;
  readonly children: ReactNode;
}

/** At the side, and on a phone all of the screen. */
export function KeyDrawer({ opened, onClose, title, held, busy = false, children }: KeyDrawerProps) {
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      title={title}
      position="right"
      size={540}
      closeOnClickOutside={false}
      closeOnEscape={!held && !busy}
      closeButtonProps={{ 'aria-label': 'Close', disabled: busy }}
      classNames={{ content: classes.drawer, header: classes.drawerHead, body: classes.drawerBody }}
    >
      {children}
    </Drawer>
  );
}
