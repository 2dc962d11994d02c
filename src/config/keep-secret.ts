import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { keptText } from './kept-text.ts';

/** The secret of this installation, made at the first start and kept in a file only its owner can read. */
export function keepSecret(file: string): string {
  const kept = keptText(file).read();
  if (kept !== null && kept !== '') return kept;
  // Whole under another name first: a process may be killed between any two steps.
  const made = `${file}.${process.pid}`;
  writeFileSync(made, randomBytes(32).toString('base64url'), { mode: 0o600 });
  try {
    if (kept === null) linkSync(made, file);
    else renameSync(made, file);
  } catch (error) {
    // Of two processes that start at once, one makes it and the other reads it.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(made, { force: true });
  }
  return readFileSync(file, 'utf8').trim();
}
