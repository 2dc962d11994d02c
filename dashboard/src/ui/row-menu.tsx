import { ActionIcon, Menu } from '@mantine/core';
import { type ReactNode, useRef } from 'react';
import { IconDots } from './icons.tsx';
import { useFocusHeir } from './use-focus-heir.ts';

interface RowMenuProps {
  /** Of what: `Actions for maria@example.com`. */
  readonly label: string;
  /** `Menu.Item`s. */
  readonly children: ReactNode;
}

/** What can be done with one row of a table. */
export function RowMenu({ label, children }: RowMenuProps) {
  const button = useRef<HTMLButtonElement>(null);
  useFocusHeir(button);
  return (
    // Not `hideDetached`: what scrolls to it before it has its place would hide it for good.
    <Menu position="bottom-end" width={196} hideDetached={false}>
      <Menu.Target>
        <ActionIcon ref={button} aria-label={label} c="var(--sl-text-soft)">
          <IconDots />
        </ActionIcon>
      </Menu.Target>
      {/* The item goes away: a dialog that it opens is to give the focus back to the button. */}
      <Menu.Dropdown onClickCapture={() => button.current?.focus()}>{children}</Menu.Dropdown>
    </Menu>
  );
}
