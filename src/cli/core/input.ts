import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { CommandError, WRONG_USAGE } from './command.ts';

let isStdinUsed = false;

/**
 * The content of a file.
 * @param file a path, or `-` for standard input, which can be read once
 * @throws CommandError
 */
export async function readInput(file: string): Promise<Buffer> {
  if (file === '-' && isStdinUsed) throw new CommandError('standard input is used twice', WRONG_USAGE);
  isStdinUsed ||= file === '-';
  return await (file === '-' ? buffer(process.stdin) : readFile(file)).catch((error: unknown) => {
    throw new CommandError(`${file} cannot be read: ${(error as Error).message}`, WRONG_USAGE);
  });
}

/** UTF-8 text, without a byte order mark. @param file for the message @throws CommandError */
export function textOf(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new CommandError(`${file} is not UTF-8`, WRONG_USAGE);
  }
}
