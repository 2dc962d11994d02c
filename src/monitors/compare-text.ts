import { diffArrays, formatPatch, OMIT_HEADERS, structuredPatch } from 'diff';
import type { CallerRegex } from '../domain/caller-regex.ts';
import type { IgnoredPart } from '../domain/monitors.ts';
import { withoutParts } from './ignored-parts.ts';
import { withoutNoisyUrls } from './noisy-urls.ts';

/** What is ignored when two texts are compared. */
export interface IgnoredText {
  readonly parts: readonly IgnoredPart[];
  /** All that they match; of an expression with a group only what the group matches. */
  readonly patterns: readonly CallerRegex[];
}

export interface TextDifference {
  readonly added: number;
  readonly removed: number;
  readonly similarity: number;
  /** Unified diff of the texts as they are compared, without headers of files; null: they are equal. */
  readonly diff: string | null;
}

/** Edits after which two texts count as wholly different: a diff of them would help nobody, and takes long. */
const MAX_EDITS = 5_000;
const CONTEXT_LINES = 3;

/** Where HTML, which may be one line, has a line for each block. */
const BETWEEN_BLOCKS =
  /(?<=>)(?=<(?:p|div|ul|ol|li|dl|dt|dd|h[1-6]|table|thead|tbody|tr|td|th|section|article|main|aside|header|footer|nav|figure|figcaption|blockquote|pre|hr|form|details)\b)/gi;

/**
 * The lines of a text that are compared: without white space at their ends, without empty ones, their URLs without parameters that
 * change at each visit.
 */
export function comparedLines(text: string, { parts, patterns }: IgnoredText): string[] {
  let rest = withoutNoisyUrls(/^\s*</.test(text) ? text.replace(BETWEEN_BLOCKS, '\n') : text);
  for (const pattern of patterns) rest = withoutMatches(rest, pattern);
  const lines = withoutParts(rest, parts)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return parts.includes('order') ? lines.sort() : lines;
}

/** Replaces what a pattern matches, or of it what its group matches, by nothing. */
function withoutMatches(text: string, pattern: CallerRegex): string {
  let result = '';
  let rest = text;
  for (const { text: matched, group } of pattern.matches(text)) {
    const at = rest.indexOf(matched);
    const kept = group === null ? '' : matched.replace(group, () => '');
    result += rest.slice(0, at) + kept;
    rest = rest.slice(at + matched.length);
  }
  return result + rest;
}

/** Compares two texts line by line. */
export function compareTexts(before: string, after: string, ignored: IgnoredText): TextDifference {
  return compareLines(comparedLines(before, ignored), comparedLines(after, ignored));
}

/** Compares lists of lines. */
export function compareLines(before: readonly string[], after: readonly string[]): TextDifference {
  const total = before.length + after.length;
  const changes = diffArrays([...before], [...after], { maxEditLength: MAX_EDITS });
  if (changes === undefined) {
    const diff = `@@ -1,${before.length} +1,${after.length} @@\n The texts have too little in common for a diff.\n`;
    return { added: after.length, removed: before.length, similarity: 0, diff };
  }
  let added = 0;
  let removed = 0;
  for (const change of changes) {
    if (change.added) added += change.count;
    else if (change.removed) removed += change.count;
  }
  const similarity = total === 0 ? 1 : (total - added - removed) / total;
  return { added, removed, similarity, diff: added + removed === 0 ? null : unifiedDiff(before, after) };
}

function unifiedDiff(before: readonly string[], after: readonly string[]): string | null {
  const options = { context: CONTEXT_LINES, maxEditLength: MAX_EDITS };
  const patch = structuredPatch('before', 'after', joined(before), joined(after), '', '', options);
  return patch === undefined ? null : formatPatch(patch, OMIT_HEADERS);
}

const joined = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');
