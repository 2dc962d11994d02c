import { compileRegex } from '../domain/caller-regex.ts';
import { isFailure } from '../domain/failure.ts';
import { type Change, type CompareOptions, IGNORED_PARTS } from '../domain/monitors.ts';
import { compareData } from './compare-data.ts';
import type { IgnoredText } from './compare-text.ts';

/** A unified diff is cut after so many characters. */
const MAX_DIFF_CHARS = 200_000;
/** Pictures of the same page differ in a few pixels, such as a blinking cursor. */
const MIN_PICTURE_SHARE = 0.001;

type Comparison = Pick<Change, 'state' | 'added' | 'removed' | 'similarity' | 'diff' | 'fields' | 'picture'>;

/** Of two pages that do not differ. */
export const NO_DIFFERENCE: Omit<Comparison, 'state'> = {
  added: 0,
  removed: 0,
  similarity: 1,
  diff: null,
  fields: [],
  picture: null,
};

const NOTHING: Comparison = { state: 'same', ...NO_DIFFERENCE };

/** Compares what two runs read of a page (see `readSnapshot`). The libraries that compare are loaded by the first difference. */
export async function comparePages(
  before: Uint8Array,
  after: Uint8Array,
  options: CompareOptions,
): Promise<Comparison> {
  if (Buffer.compare(before, after) === 0) return NOTHING;
  switch (options.format) {
    case 'screenshot': {
      const { comparePictures } = await import('./compare-pictures.ts');
      const picture = comparePictures(before, after);
      const share = picture?.share ?? 1;
      const differs = share > Math.max(MIN_PICTURE_SHARE, options.minChange);
      return { ...NOTHING, state: differs ? 'changed' : 'same', similarity: 1 - share, picture };
    }
    case 'bytes':
      return { ...NOTHING, state: 'changed', similarity: 0 };
    case 'extract':
    case 'json':
    case 'structured': {
      const { fields, ...counts } = compareData(JSON.parse(textOf(before)), JSON.parse(textOf(after)));
      return withState({ ...NOTHING, ...counts, fields }, options);
    }
    default: {
      const { compareTexts } = await import('./compare-text.ts');
      const difference = compareTexts(textOf(before), textOf(after), ignoredText(options.ignore));
      const diff = difference.diff?.slice(0, MAX_DIFF_CHARS) ?? null;
      return withState({ ...NOTHING, ...difference, diff }, options);
    }
  }
}

function withState(comparison: Comparison, { minChange }: CompareOptions): Comparison {
  const differs = comparison.added + comparison.removed > 0 && 1 - comparison.similarity >= minChange;
  return { ...comparison, state: differs ? 'changed' : 'same' };
}

/** The entries of `ignore` that are about text: regular expressions and names of parts. */
export function ignoredText(ignore: readonly string[]): IgnoredText {
  const patterns = ignore
    .filter((entry) => /^\/.*\/$/s.test(entry))
    .map((entry) => compileRegex(entry.slice(1, -1), '/compare/ignore'));
  return {
    parts: IGNORED_PARTS.filter((part) => ignore.includes(part)),
    // They were checked when the monitor was made.
    patterns: patterns.flatMap((pattern) => (isFailure(pattern) ? [] : [pattern])),
  };
}

const textOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
