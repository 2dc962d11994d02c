import type { Outline } from './outline.ts';

/**
 * The elements whose text occurs earlier on the page, word by word: copies for screens of another width, slides that
 * are cloned, posts that are quoted below themselves.
 * @param minLength a shorter text may well occur twice
 */
export function repeatedTexts(outline: Outline, root: number, minLength: number): number[] {
  const { nodes, end, text, hash, parent } = outline;
  const seen = new Set<string>();
  const found: number[] = [];
  for (let n = root + 1; n < end[root]!; n++) {
    if (text[n]! < minLength || nodes[n]!.tagName === 'pre') continue;
    const outer = parent[n]!;
    // An element alone in its parent has the same text.
    if (text[outer] === text[n] && hash[outer] === hash[n]) continue;
    const key = `${hash[n]} ${text[n]}`;
    if (!seen.has(key)) seen.add(key);
    else {
      found.push(n);
      n = end[n]! - 1;
    }
  }
  return found;
}
