import { t } from '@lingui/core/macro';
import { notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';
import type { Icon } from './icons.tsx';
import classes from './notice.module.css';
import { errorText } from './page-state.tsx';

interface NoticeProps {
  /** `red`: the request was refused; screen readers announce it at once. */
  readonly tone: 'amber' | 'red' | 'slate';
  readonly icon: Icon;
  readonly title: string;
  readonly children: ReactNode;
}

/** A notice about a request or its result. */
export function Notice({ tone, icon: NoticeIcon, title, children }: NoticeProps) {
  return (
    <div className={classes.notice} data-tone={tone} role={tone === 'red' ? 'alert' : 'status'}>
      <NoticeIcon size={18} />
      <div className={classes.text}>
        <b>{title}</b>
        {children}
      </div>
    </div>
  );
}

const CLOSE_BUTTON = { 'aria-label': t`Dismiss` };

/** Shows a short message at the edge of the page, after a successful action. */
export function notifySuccess(message: string): void {
  notifications.show({ message, color: 'green', autoClose: 4_000, closeButtonProps: CLOSE_BUTTON });
}

/** Shows that something did not work, which is no error of the call. */
export function notifyProblem(title: string, message: string): void {
  notifications.show({ title, message, color: 'red', autoClose: 8_000, closeButtonProps: CLOSE_BUTTON });
}

/** Shows an error that has no better place on the page. */
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
