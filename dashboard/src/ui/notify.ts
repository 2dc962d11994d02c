import { notifications } from '@mantine/notifications';
import { wordsOf } from './error-state.tsx';

const CLOSE = { 'aria-label': 'Dismiss' };

/** A word at the edge of the page about something that was done. */
export function notifyDone(message: string): void {
  notifications.show({ message, color: 'green', autoClose: 4_000, closeButtonProps: CLOSE });
}

/** Trouble that has no better place on the page. */
export function notifyError(error: unknown): void {
  const { title, text } = wordsOf(error);
  notifications.show({ title, message: text, color: 'red', autoClose: 8_000, closeButtonProps: CLOSE });
}
