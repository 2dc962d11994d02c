import { setImmediate } from 'node:timers/promises';

/** Texts up to this length (bytes) are read at once: that takes no longer than the rest of a request. */
const SMALL_BYTES = 65_536;

/** Whether a text of so many bytes waits for a turn of its own. */
export const isLarge = (bytes: number): boolean => bytes > SMALL_BYTES;

let last: Promise<void> = Promise.resolve();

/**
 * Waits for a turn of the event loop in which no other large text is read or masked, so that requests between them are answered.
 * @param bytes length of the text
 * @returns null: it is small, and may be read at once
 */
export function turnFor(bytes: number): Promise<void> | null {
  if (!isLarge(bytes)) return null;
  // An immediate that is made by an immediate runs in the next turn.
  last = last.then(() => setImmediate());
  return last;
}
