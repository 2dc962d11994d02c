import { mimeOf } from '../content/mime.ts';
import { readFacts } from './page-facts.ts';

const SAME_WORDS = 0.85;
const SAME_LENGTH = 0.7;
const OTHER_WORDS = 0.5;
const WORD = /[^\p{L}\p{N}]+/u;
const HTML = [['content-type', 'text/html; charset=utf-8']] as const;

/** What a page shows, in words: UTF-8 of HTML. */
export function wordsOf(html: Uint8Array): ReadonlySet<string> {
  const { text } = readFacts(html, { ...mimeOf(HTML, html), kind: 'html' }, false);
  return new Set(
    text
      .toLowerCase()
      .split(WORD)
      .filter((word) => word !== ''),
  );
}

/**
 * Whether one page shows what another does that is known to be good: true, false, or null when that cannot be told,
 * as of pages that change from one moment to the next.
 */
export function showsSame(good: ReadonlySet<string>, other: ReadonlySet<string>): boolean | null {
  if (good.size === 0) return null;
  let common = 0;
  for (const word of other) if (good.has(word)) common++;
  const contained = other.size === 0 ? 0 : common / other.size;
  const covers = common / good.size;
  if (contained >= SAME_WORDS && covers >= SAME_LENGTH) return true;
  return covers <= OTHER_WORDS ? false : null;
}
