import { readFileSync } from 'node:fs';
import { writeOrCheck } from './write-or-check.ts';

/** Replaces the text between `<!-- name:start -->` and `<!-- name:end -->` of a file; with `--check` it only compares. */
export function replaceBetween(file: string, name: string, text: string): void {
  const [begin, end] = [`<!-- ${name}:start -->`, `<!-- ${name}:end -->`];
  const before = readFileSync(file, 'utf8');
  const [from, to] = [before.indexOf(begin), before.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`${file} must contain ${begin} and, after it, ${end}`);
  writeOrCheck(file, `${before.slice(0, from)}${begin}\n${text}\n${before.slice(to)}`);
}
