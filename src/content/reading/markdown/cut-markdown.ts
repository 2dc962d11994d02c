import { truncateText } from '../../document/visible-text.ts';

/**
 * A part of Markdown that ends at an empty line. A single block that is too long is cut within.
 * @param maxChars in UTF-16 units
 */
export function cutMarkdown(
  markdown: string,
  offset: number,
  maxChars: number,
): { readonly markdown: string; readonly nextOffset: number | null } {
  const rest = markdown.slice(offset);
  if (rest.length <= maxChars) return { markdown: rest, nextOffset: null };
  const fitting = truncateText(rest, maxChars);
  const block = rest.lastIndexOf('\n\n', maxChars) + 2;
  const part = block > 2 && block <= maxChars + 2 ? rest.slice(0, block) : fitting;
  return { markdown: part.trimEnd(), nextOffset: offset + part.length };
}
