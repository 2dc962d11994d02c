import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { VerdictKind, Wall } from '../../../src/domain/verdict.ts';
import { bare, type Sample } from '../a-page.ts';
import type { Case } from './case.ts';

interface Line extends Omit<Sample, 'body'> {
  readonly name: string;
  /** Without it the page is `ok`. */
  readonly kind?: VerdictKind;
  readonly wall?: Wall;
  readonly title?: string;
  readonly head?: string;
  readonly body?: string;
  /** All that came, in place of title, head and body. */
  readonly raw?: string;
}

/** A table of short pages, one JSON object a line. */
export function shortPages(file: 'lookalikes' | 'disguised'): readonly Case[] {
  const lines = readFileSync(join(import.meta.dirname, `${file}.jsonl`), 'utf8')
    .trim()
    .split('\n');
  return lines.map((text): Case => {
    const {
      name,
      kind = 'ok',
      wall = null,
      title = '',
      head,
      body = '',
      raw,
      ...rest
    } = JSON.parse(text) as Line;
    return [name, kind, { ...rest, body: raw ?? bare(title, body, head) }, { wall }];
  });
}
