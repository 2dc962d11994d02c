import { Drawer } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './shell.module.css';

interface MenuDrawerProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly title: ReactNode;
  readonly children: ReactNode;
}

/** The sidebar on phones. */
export function MenuDrawer({ opened, onClose, title, children }: MenuDrawerProps) {
  return (
    <Drawer opened={opened} onClose={onClose} title={title} size={280} classNames={{ body: classes.drawer }}>
      {children}
    </Drawer>
  );
}
