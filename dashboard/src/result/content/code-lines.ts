import type { Stretch } from './highlight.ts';

export interface CodePiece {
  readonly text: string;
  readonly kind: string;
}

/** A part of a text by lines, each in coloured pieces. A text of one line that is very long stays one line. */
export function codeLines(text: string, stretches: readonly Stretch[]): readonly (readonly CodePiece[])[] {
  const lines: CodePiece[][] = [[]];
  for (const { from, to, kind } of stretches) {
    const [first, ...more] = text.slice(from, to).split('\n');
    if (first !== '') lines.at(-1)!.push({ text: first!, kind });
    for (const line of more) lines.push(line === '' ? [] : [{ text: line, kind }]);
  }
  // The newline at the end of a part ends its last line, and begins none.
  if (lines.length > 1 && lines.at(-1)!.length === 0) lines.pop();
  return lines;
}
