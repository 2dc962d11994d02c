/** Reads unified diffs. */

export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
  /** Line numbers before and after; null: the line is not there. */
  readonly before: number | null;
  readonly after: number | null;
}

/** The hunks of a unified diff, which may have been cut. */
export function parseDiff(diff: string): readonly (readonly DiffLine[])[] {
  const hunks: DiffLine[][] = [];
  let before = 0;
  let after = 0;
  for (const line of diff.replace(/\n$/, '').split('\n')) {
    const [, beforeStart, afterStart] = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line) ?? [];
    if (beforeStart !== undefined) {
      before = Number(beforeStart);
      after = Number(afterStart);
      hunks.push([]);
      continue;
    }
    // The names of the files, before the first hunk; `\ No newline at end of file`.
    const hunk = hunks.at(-1);
    if (hunk === undefined || line.startsWith('\\')) continue;
    const text = line.slice(1);
    if (line.startsWith('+')) hunk.push({ kind: 'added', text, before: null, after: after++ });
    else if (line.startsWith('-')) hunk.push({ kind: 'removed', text, before: before++, after: null });
    else hunk.push({ kind: 'same', text, before: before++, after: after++ });
  }
  return hunks;
}

export interface DiffPair {
  readonly before: DiffLine | null;
  readonly after: DiffLine | null;
}

/** The lines of a hunk side by side: removed lines beside the added ones that follow them. */
export function pairLines(lines: readonly DiffLine[]): readonly DiffPair[] {
  const pairs: DiffPair[] = [];
  let removed: DiffLine[] = [];
  let added: DiffLine[] = [];
  const flush = () => {
    for (let row = 0; row < Math.max(removed.length, added.length); row++)
      pairs.push({ before: removed[row] ?? null, after: added[row] ?? null });
    removed = [];
    added = [];
  };
  for (const line of lines) {
    if (line.kind === 'removed' && added.length > 0) flush();
    if (line.kind === 'removed') removed.push(line);
    else if (line.kind === 'added') added.push(line);
    else {
      flush();
      pairs.push({ before: line, after: line });
    }
  }
  flush();
  return pairs;
}
