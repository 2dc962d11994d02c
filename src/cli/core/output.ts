import { open } from 'node:fs/promises';
import { styleText } from 'node:util';
import { type CommandContext, CommandError } from './command.ts';

/** Standard output or a file. Must be disposed. */
export interface Output extends AsyncDisposable {
  /**
   * Resolves when the text is written, so that a slow reader is waited for.
   * @throws ClosedOutput if standard output takes no more; CommandError if the file cannot be written
   */
  write(text: string | Uint8Array): Promise<void>;
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

const writeStdout = (text: string | Uint8Array): Promise<void> =>
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

/** Text in a colour or style, if the stream is a terminal with colours. `NO_COLOR` and `FORCE_COLOR` decide otherwise. */
export const styled = (
  style: Parameters<typeof styleText>[0],
  text: string,
  stream: NodeJS.WriteStream,
): string => styleText(style, text, { stream });

/** A table for people: columns as wide as their widest cell, below a line with their names. */
export function tableText(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const clean = rows.map((row) => row.map((cell) => forTerminal(cell).replaceAll(/\s/g, ' ')));
  const widths = head.map((name, i) => Math.max(name.length, ...clean.map((row) => row[i]!.length)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => cell.padEnd(widths[i]!))
      .join('  ')
      .trimEnd();
  return [styled('bold', line(head), process.stdout), ...clean.map(line)].map((text) => `${text}\n`).join('');
}

/** Writes rows: a table on a terminal, lines with tabs in a pipe, or lines of JSON. */
export function writeRows<const T extends string>(
  { out }: CommandContext,
  names: readonly T[],
  rows: readonly Readonly<Record<T, string>>[],
  json: boolean,
): void {
  if (json) for (const row of rows) out(JSON.stringify(row));
  else if (process.stdout.isTTY)
    out(
      tableText(
        names.map((name) => name.toUpperCase().replace('_', ' ')),
        rows.map((row) => names.map((name) => row[name])),
      ).trimEnd(),
    );
  else for (const row of rows) out(names.map((name) => row[name]).join('\t'));
}

/** Lines of names and values for people. Values that are null are left out. */
export function factsText(facts: readonly (readonly [name: string, value: string | null])[]): string[] {
  const width = Math.max(...facts.map(([name]) => name.length));
  return facts.flatMap(([name, value]) =>
    value === null ? [] : `${styled('dim', name.padEnd(width), process.stdout)}  ${forTerminal(value)}`,
  );
}
