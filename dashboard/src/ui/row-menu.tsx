import { ActionIcon, Menu } from '@mantine/core';
import { type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react';
import { IconDots } from './icons.tsx';

interface RowMenuProps {
  /** Of what: `Actions for maria@example.com`. */
  readonly label: string;
  /** `Menu.Item`s. */
  readonly children: ReactNode;
}

/** What can be done with one row of a table. */
export function RowMenu({ label, children }: RowMenuProps) {
  const button = useRef<HTMLButtonElement>(null);
  useFocusNextRow(button);
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

const MARK = 'data-row-action';

/**
 * For a button that may take its own row away. The focus then goes to the same button of the next row, else of the one
 * before, else to the table; it would fall to the top of the page.
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
      // While it works it is disabled, and has the focus all the same.
      held = element.matches(':disabled');
    };
    element.setAttribute(MARK, '');
    element.addEventListener('focus', onFocus);
    element.addEventListener('blur', onBlur);
    return () => {
      element.removeEventListener('focus', onFocus);
      element.removeEventListener('blur', onBlur);
      const pass = focusSuccessor(element);
      // A dialog may be open that keeps this element in mind, to give the focus back to it.
      element.focus = () => (element.isConnected ? HTMLElement.prototype.focus.call(element) : pass());
      // Others may come and go in the same step.
      if (held) queueMicrotask(() => document.activeElement === document.body && pass());
    };
  }, [button]);
}

/** Gives the focus to whoever is in the place of the element then. */
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
