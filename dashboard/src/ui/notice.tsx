import { notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';
import type { Icon } from './icons.tsx';
import classes from './notice.module.css';
import { errorText } from './page-state.tsx';

interface NoticeProps {
  /** `red`: the request was turned away, which is read out at once. */
  readonly tone: 'amber' | 'red' | 'slate';
  readonly icon: Icon;
  readonly title: string;
  readonly children: ReactNode;
}

/** Something to know of the request or of what came of it. */
export function Notice({ tone, icon: Mark, title, children }: NoticeProps) {
  return (
    <div className={classes.notice} data-tone={tone} role={tone === 'red' ? 'alert' : 'status'}>
      <Mark size={18} />
      <div className={classes.words}>
        <b>{title}</b>
        {children}
      </div>
    </div>
  );
}

const CLOSE_BUTTON = { 'aria-label': 'Dismiss' };

/** A word at the edge of the page about something that was done. */
export function notifySuccess(message: string): void {
  notifications.show({ message, color: 'green', autoClose: 4_000, closeButtonProps: CLOSE_BUTTON });
}

/** Trouble that has no better place on the page. */
export function notifyError(error: unknown): void {
  const { title, text } = errorText(error);
  notifications.show({
    title,
    message: text,
    color: 'red',
    autoClose: 8_000,
    closeButtonProps: CLOSE_BUTTON,
  });
}
