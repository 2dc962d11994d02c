import { ActionIcon, Menu } from '@mantine/core';
import { type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react';
import { IconDots } from './icons.tsx';

interface RowMenuProps {
  /** Label of the menu: `Actions for maria@example.com`. */
  readonly label: string;
  /** `Menu.Item`s. */
  readonly children: ReactNode;
}

/** A menu of actions for one row of a table. */
export function RowMenu({ label, children }: RowMenuProps) {
  const button = useRef<HTMLButtonElement>(null);
  useFocusNextRow(button);
  return (
    // Not `hideDetached`: scrolling to the menu before it is positioned would hide it permanently.
    <Menu position="bottom-end" width={196} hideDetached={false}>
      <Menu.Target>
        <ActionIcon ref={button} aria-label={label} c="var(--sl-text-soft)">
          <IconDots />
        </ActionIcon>
      </Menu.Target>
      {/* The item disappears, so a dialog that it opens must return the focus to the button. */}
      <Menu.Dropdown onClickCapture={() => button.current?.focus()}>{children}</Menu.Dropdown>
    </Menu>
  );
}

const MARK = 'data-row-action';

/**
 * For a button that may remove its own row. Then the focus moves to the same button of the next row, or else of the previous
 * one, or else to the table. Otherwise, the browser would move it to the top of the page.
 */
export function useFocusNextRow(button: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = button.current;
    if (element === null) return;
    let held = false;
    const onFocus = () => {
      held = true;
    };
    const onBlur = () => {
      // While the action is running, the button is disabled but still has the focus.
      held = element.matches(':disabled');
    };
    element.setAttribute(MARK, '');
    element.addEventListener('focus', onFocus);
    element.addEventListener('blur', onBlur);
    return () => {
      element.removeEventListener('focus', onFocus);
      element.removeEventListener('blur', onBlur);
      const pass = focusSuccessor(element);
      // An open dialog may remember this element, to return the focus to it.
      element.focus = () => (element.isConnected ? HTMLElement.prototype.focus.call(element) : pass());
      // Other rows may be added or removed in the same update.
      if (held) queueMicrotask(() => document.activeElement === document.body && pass());
    };
  }, [button]);
}

/** @returns a function that focuses the element which is then in the same position */
function focusSuccessor(element: HTMLElement): () => void {
  const rows = element.closest('table, ul');
  const all = () => [...(rows?.querySelectorAll<HTMLElement>(`[${MARK}]`) ?? [])];
  const at = all().indexOf(element);
  const table = element.closest<HTMLElement>('[tabindex="0"]');
  return () => {
    const left = rows?.isConnected === true ? all() : [];
    const heir = left[Math.min(at, left.length - 1)] ?? (table?.isConnected === true ? table : null);
    (heir ?? document.getElementById('main'))?.focus({ preventScroll: true });
  };
}
