import { Drawer } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './keys.module.css';

interface KeyDrawerProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** What is inside would be lost: only a button closes it. */
  readonly held: boolean;
  readonly children: ReactNode;
}

/** At the side, and on a phone all of the screen. */
export function KeyDrawer({ opened, onClose, title, held, children }: KeyDrawerProps) {
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      title={title}
      position="right"
      size={540}
      closeOnClickOutside={false}
      closeOnEscape={!held}
      classNames={{ content: classes.drawer, header: classes.drawerHead, body: classes.drawerBody }}
    >
      {children}
    </Drawer>
  );
}
