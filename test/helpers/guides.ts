import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './repository.ts';

/** A code block of a guide. */
export interface Example {
  readonly language: string;
  /** The words after the language: `POST /api/v1/scrape/`, or `not-run: <reason>`. */
  readonly note: string;
  readonly code: string;
  /** Line of the file where the block begins, from 1. */
  readonly line: number;
}

export interface Guide {
  readonly name: string;
  readonly examples: readonly Example[];
}

const FOLDER = join(ROOT, 'docs/guides');

/** The guides in docs/guides with their code blocks. */
export const readGuides = (): readonly Guide[] =>
  readdirSync(FOLDER)
    .filter((name) => name.endsWith('.md'))
    .map((name) => ({ name, examples: examplesOf(readFileSync(join(FOLDER, name), 'utf8')) }));

/** The fenced code blocks of a Markdown text. */
export function examplesOf(markdown: string): readonly Example[] {
  const examples: Example[] = [];
  let open: { language: string; note: string; line: number; lines: string[] } | null = null;
  for (const [index, line] of markdown.split('\n').entries()) {
    const fence = /^```(\S*)\s*(.*)$/.exec(line);
    if (open === null) {
      if (fence !== null) open = { language: fence[1]!, note: fence[2]!.trim(), line: index + 1, lines: [] };
    } else if (fence === null) {
      open.lines.push(line);
    } else {
      const { lines, ...rest } = open;
      examples.push({ ...rest, code: `${lines.join('\n')}\n` });
      open = null;
    }
  }
  return examples;
}
