import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './repository.ts';

/** A code block of a guide. */
export interface Example {
  readonly language: string;
  /** The words after the language, without the `curl` or `cli` of a tab: `POST /api/v1/scrape/`, or `not-run: <reason>`. */
  readonly note: string;
  readonly code: string;
  /** Line of the file where the block begins, from 1. */
  readonly line: number;
  /** Whether only empty lines are between this block and the one before it. */
  readonly adjacent: boolean;
}

export interface Guide {
  /** From the root of the repository: `docs/recipes/login.md`. */
  readonly path: string;
  /** The whole file. */
  readonly text: string;
  readonly examples: readonly Example[];
}

/** The files of docs/guides or docs/recipes with their code blocks. */
export const readGuides = (folder: 'guides' | 'recipes'): readonly Guide[] =>
  readdirSync(join(ROOT, 'docs', folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => readGuide(`docs/${folder}/${name}`));

/** A file with its code blocks. @param path from the root of the repository */
export function readGuide(path: string): Guide {
  const text = readFileSync(join(ROOT, path), 'utf8');
  return { path, text, examples: examplesOf(text) };
}

/** The fenced code blocks of a Markdown text. */
export function examplesOf(markdown: string): readonly Example[] {
  const examples: Example[] = [];
  let open: (Omit<Example, 'code'> & { readonly lines: string[] }) | null = null;
  let adjacent = false;
  for (const [index, line] of markdown.split('\n').entries()) {
    const fence = /^```(\S*)\s*(.*)$/.exec(line);
    if (open === null) {
      if (fence !== null)
        open = {
          language: fence[1]!,
          note: fence[2]!.replace(/^(?:curl|cli)\b/, '').trim(),
          line: index + 1,
          adjacent,
          lines: [],
        };
      else if (line.trim() !== '') adjacent = false;
    } else if (fence === null) {
      open.lines.push(line);
    } else {
      const { lines, ...rest } = open;
      examples.push({ ...rest, code: `${lines.join('\n')}\n` });
      open = null;
      adjacent = true;
    }
  }
  return examples;
}
