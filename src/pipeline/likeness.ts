import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** What is kept of a content, to compare it with others. One of both is there. */
export interface ContentPrint {
  /** Hashes of all runs of `SHINGLE_WORDS` words, each once; null: the content has no words. */
  readonly shingles: ReadonlySet<number> | null;
  /** SHA-256 of the bytes; null: the content has words. */
  readonly digest: string | null;
  /** Of the text, at most `MAX_WORDS`. */
  readonly words: number;
  readonly bytes: number;
}

/** Words that are compared: about twenty printed pages. */
const MAX_WORDS = 10_000;
/** Text that is searched for words, in UTF-16 units. */
const MAX_TEXT = 2 ** 20;
const SHINGLE_WORDS = 3;
/** Letters and digits. Scripts without blanks between words: each character is a word. */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])[\p{L}\p{N}\p{M}])+/gu;
const HASHED_AT_ONCE = 2 ** 20;

/**
 * @param text the main content; null: the content is not text
 * @param bytes the content
 */
export async function contentPrint(text: string | null, bytes: Uint8Array): Promise<ContentPrint> {
  const words = text === null ? [] : wordsOf(text);
  return words.length > 0
    ? { shingles: shinglesOf(words), digest: null, words: words.length, bytes: bytes.length }
    : { shingles: null, digest: await digestOf(bytes), words: 0, bytes: bytes.length };
}

function wordsOf(text: string): string[] {
  const words: string[] = [];
  for (const [word] of text.slice(0, MAX_TEXT).toLowerCase().matchAll(WORD)) {
    words.push(word);
    if (words.length === MAX_WORDS) break;
  }
  return words;
}

function shinglesOf(words: readonly string[]): ReadonlySet<number> {
  const shingles = new Set<number>();
  // A shorter text is one run.
  const last = Math.max(0, words.length - SHINGLE_WORDS);
  for (let at = 0; at <= last; at++) shingles.add(hashOf(words.slice(at, at + SHINGLE_WORDS).join(' ')));
  return shingles;
}

/** FNV-1a with 32 bits, over UTF-16 units. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash;
}

/** In pieces, so that other requests get their turns. */
async function digestOf(bytes: Uint8Array): Promise<string> {
  const hash = createHash('sha256');
  for (let at = 0; at < bytes.length; at += HASHED_AT_ONCE) {
    hash.update(bytes.subarray(at, at + HASHED_AT_ONCE));
    await nextTurn();
  }
  return hash.digest('base64');
}

/**
 * How alike two contents are, from 0 to 1: of all runs of three words in them, the share that is in both (Jaccard index of
 * their shingles). Contents without words are 1 if all their bytes are the same, otherwise 0.
 */
export function likeness(a: ContentPrint, b: ContentPrint): number {
  if (a.shingles === null || b.shingles === null) return a.digest !== null && a.digest === b.digest ? 1 : 0;
  let common = 0;
  for (const shingle of a.shingles) if (b.shingles.has(shingle)) common++;
  return common / (a.shingles.size + b.shingles.size - common);
}

/** A way to scrape a page, as it went. */
export interface TriedWay {
  /** The page was got, and judged to be the page. */
  readonly isGood: boolean;
  /** null: there is no content, or it could not be read. */
  readonly print: ContentPrint | null;
  /** In the currency of the operator; null: it is not known. */
  readonly cost: number | null;
  readonly durationMs: number;
}

/** A way whose content is less like the fullest one has not got the same page. */
const MIN_LIKENESS = 0.8;

/**
 * The ways that one could use, the best first. They are good, and have the content of the page: that of the good way with the
 * most words, or one that is alike, because a shell or a wall that was taken for the page has fewer words than the page. Of them, the
 * cheapest is the best, then the fastest; a way whose cost is not known comes after all others.
 */
export function usableWays<W extends TriedWay>(tried: readonly W[]): readonly W[] {
  const good = tried.filter(({ isGood }) => isGood);
  const fullest = good
    .flatMap(({ print }) => print ?? [])
    .sort((a, b) => b.words - a.words || b.bytes - a.bytes)[0];
  const usable =
    fullest === undefined
      ? good
      : good.filter(({ print }) => print !== null && likeness(print, fullest) >= MIN_LIKENESS);
  const priceOf = ({ cost }: W) => cost ?? Number.POSITIVE_INFINITY;
  return usable.sort((a, b) => {
    const [price, other] = [priceOf(a), priceOf(b)];
    return price === other ? a.durationMs - b.durationMs : price - other;
  });
}
