import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';

/** Writes a generated file; with `--check` on the command line it only reports a file that is out of date. */
export function writeOrCheck(file: string, text: string): void {
  if (!process.argv.includes('--check')) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return;
  }
  if (textOf(file) === text) return;
  console.error(`${basename(file)} is out of date; run: npm run generate`);
  process.exitCode = 1;
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
