import { ActionIcon, Menu, type MenuItemProps } from '@mantine/core';
import { type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react';
import { IconDots } from './icons.tsx';
import classes from './row-menu.module.css';

interface RowMenuProps {
  /** Label of the menu: `Actions for maria@example.com`. */
  readonly label: string;
  /** false: not shown now. */
  readonly actions: readonly (RowAction | 'divider' | false)[];
}

/** An item of the menu. */
interface RowAction extends Pick<MenuItemProps, 'c' | 'color' | 'disabled' | 'leftSection'> {
  readonly label: string;
  readonly onClick?: () => void;
  /** The menu stays open, and the focus in it, because only there does Escape close it. */
  readonly staysOpen?: boolean;
  /** Renders the item as a link. */
  readonly renderRoot?: (props: object) => ReactNode;
}

/** A menu of actions for a row of a table. */
export function RowMenu({ label, actions }: RowMenuProps) {
  const button = useRef<HTMLButtonElement>(null);
  useFocusNextRow(button);
  return (
    // With `hideDetached`, a scroll to the menu before it is positioned would hide it permanently.
    <Menu position="bottom-end" width={196} hideDetached={false}>
      <Menu.Target>
        <ActionIcon ref={button} aria-label={label} c="var(--sl-text)" className={classes.button}>
          <IconDots size={20} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown
        onClickCapture={({ target }) => {
          // The item disappears, so a dialog that it opens must return the focus to the button.
          if ((target as Element).closest(`[${STAYS_OPEN}]`) === null) button.current?.focus();
        }}
      >
        {actions.map((action, index) =>
          action === 'divider' ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: the actions have no ids
            <Menu.Divider key={index} />
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: the actions have no ids
            action !== false && <RowItem key={index} {...action} />
          ),
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

const RowItem = ({ label, staysOpen = false, ...props }: RowAction) => (
  <Menu.Item {...props} {...(staysOpen ? { closeMenuOnClick: false, [STAYS_OPEN]: true } : {})}>
    {label}
  </Menu.Item>
);

const STAYS_OPEN = 'data-stays-open';

/** Attribute of all buttons that `useFocusNextRow` handles. */
const ROW_ACTION = 'data-row-action';

/**
 * For a button that may remove its own row. Then the focus moves to the same button of the next row, or else of the previous
 * one, or else to the table. Otherwise, the browser would move it to the top of the page.
 */
export function useFocusNextRow(button: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = button.current;
    if (element === null) return;
    let hadFocus = false;
    const onFocus = () => {
      hadFocus = true;
    };
    const onBlur = () => {
      // While the action is running, the button is disabled but still has the focus.
      hadFocus = element.matches(':disabled');
    };
    element.setAttribute(ROW_ACTION, '');
    element.addEventListener('focus', onFocus);
    element.addEventListener('blur', onBlur);
    return () => {
      element.removeEventListener('focus', onFocus);
      element.removeEventListener('blur', onBlur);
      const focusNext = successorFocus(element);
      // An open dialog may have remembered this element, and will call its `focus` when it closes.
      element.focus = () => (element.isConnected ? HTMLElement.prototype.focus.call(element) : focusNext());
      // In a microtask, because other rows may be added or removed in the same update.
      if (hadFocus) queueMicrotask(() => document.activeElement === document.body && focusNext());
    };
  }, [button]);
}

/** @returns a function that focuses the button which has taken the position of the removed element */
function successorFocus(element: HTMLElement): () => void {
  const list = element.closest('table, ul');
  const buttonsInList = () => [...(list?.querySelectorAll<HTMLElement>(`[${ROW_ACTION}]`) ?? [])];
  const index = buttonsInList().indexOf(element);
  const scrollRegion = element.closest<HTMLElement>('[tabindex="0"]');
  return () => {
    const remaining = list?.isConnected === true ? buttonsInList() : [];
    const successor =
      remaining[Math.min(index, remaining.length - 1)] ??
      (scrollRegion?.isConnected === true ? scrollRegion : document.getElementById('main'));
    successor?.focus({ preventScroll: true });
  };
}
