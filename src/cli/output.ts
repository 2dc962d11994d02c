import { open } from 'node:fs/promises';
import { CommandError } from './command.ts';

/** Standard output or a file. Must be disposed. */
export interface Output extends AsyncDisposable {
  /**
   * Resolves when the text is written, so that a slow reader is waited for.
   * @throws ClosedOutput if standard output takes no more; CommandError if the file cannot be written
   */
  write(text: string): Promise<void>;
}

/** Standard output takes no more, mostly because its reader has ended, as `head` does. Other causes are printed by main.ts. */
export class ClosedOutput extends Error {}

/** @param path null or `-`: standard output. A file that exists is overwritten */
export async function openOutput(path: string | null): Promise<Output> {
  if (path === null || path === '-') return { write: writeStdout, [Symbol.asyncDispose]: async () => {} };
  const file = await orCommandError(path, open(path, 'w'));
  return {
    write: async (text) => void (await orCommandError(path, file.appendFile(text))),
    [Symbol.asyncDispose]: () => file.close(),
  };
}

const writeStdout = (text: string): Promise<void> =>
  new Promise((resolve, reject) =>
    process.stdout.write(text, (error) =>
      error === null || error === undefined ? resolve() : reject(new ClosedOutput()),
    ),
  );

/** Settles as `work` does. @throws CommandError with the path, if it fails */
export async function orCommandError<T>(path: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw new CommandError(`${path} cannot be written: ${(error as Error).message}`);
  }
}

/** Text of a page for a terminal: without the control characters that would steer it. */
export const forTerminal = (text: string): string => text.replace(/[^\P{Cc}\n\t]/gu, '\uFFFD');
