/** How much of a text is on the page at once: a few screens; more would make browsers slow. */
export const PART_LENGTH = 64 * 1024;
/** And how many lines, which are an element each. */
const PART_LINES = 2_000;

export interface TextPart {
  readonly from: number;
  readonly to: number;
  /** Of its first line, from 1. */
  readonly line: number;
}

/**
 * A text in parts that are shown one at a time. A part ends with a line where one ends in its last half; it never
 * ends within a character.
 */
export function textParts(text: string): readonly TextPart[] {
  const parts: TextPart[] = [];
  let from = 0;
  let line = 1;
  while (from < text.length) {
    const longest = partEnd(text, from);
    const { to, lines } = linesIn(text, from, longest);
    parts.push({ from, to, line });
    line += lines;
    from = to;
  }
  return parts.length === 0 ? [{ from: 0, to: 0, line: 1 }] : parts;
}

function partEnd(text: string, from: number): number {
  if (text.length - from <= PART_LENGTH) return text.length;
  const most = from + PART_LENGTH;
  const half = from + PART_LENGTH / 2;
  // Cut out first: in a text of one line the search would run through all of it for each part.
  const newline = text.slice(half, most).lastIndexOf('\n');
  if (newline !== -1) return half + newline + 1;
  const unit = text.charCodeAt(most - 1);
  return unit >= 0xd800 && unit <= 0xdbff ? most - 1 : most;
}

/** How many lines end there, and where: it stops when they are enough for a part. */
function linesIn(text: string, from: number, to: number): { readonly to: number; readonly lines: number } {
  const part = text.slice(from, to);
  let lines = 0;
  for (let at = part.indexOf('\n'); at !== -1; at = part.indexOf('\n', at + 1)) {
    if (++lines === PART_LINES) return { to: from + at + 1, lines };
  }
  return { to, lines };
}
