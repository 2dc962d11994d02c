import { diffArrays } from 'diff';

/** A rule that would hide lines which change in most runs. */
export interface NoiseProposal {
  /** An entry of `compare.ignore`. */
  readonly ignore: string;
  /** In how many of the compared pairs of runs it would have hidden a change. */
  readonly runs: number;
  /** Pairs of runs that were compared. */
  readonly of: number;
  /** Lines as they were. */
  readonly examples: readonly string[];
}

/** Pairs of runs that a proposal needs, so that a single edit of the page is never noise. */
const MIN_PAIRS = 2;
/** Share of the pairs in which the line must have changed. */
const MIN_SHARE = 0.6;
const MAX_PROPOSALS = 20;
const MAX_EXAMPLES = 3;
/** Letters that two lines must have in common to be two versions of one. */
const MIN_LETTERS = 4;
const MAX_EDITS = 2_000;
/** Limit of the length of a regular expression of a caller, less the slashes. */
const MAX_PATTERN_LENGTH = 480;

/** A line that changed between two runs. */
interface ChangedLine {
  /** Index of the pair of runs. */
  readonly pair: number;
  readonly line: string;
  /** Rules that would hide the change, the most exact one first. */
  readonly rules: readonly string[];
}

/**
 * Finds lines that change in most runs: clocks, counters, advertisements, random ids.
 * @param runs the compared lines of the latest runs, the oldest first
 */
export function findNoise(runs: readonly (readonly string[])[]): NoiseProposal[] {
  const pairs = runs.length - 1;
  if (pairs < MIN_PAIRS) return [];
  const changed = runs.slice(1).flatMap((after, pair) => [...changesOf(runs[pair]!, after, pair)]);
  const enough = Math.max(MIN_PAIRS, pairs * MIN_SHARE);
  const frequent = new Set(
    [...pairsByRule(changed, ({ rules }) => rules)].flatMap(([rule, found]) =>
      found.size >= enough ? [rule] : [],
    ),
  );
  // Of each line the most exact rule that is frequent.
  const ruleOf = ({ rules }: ChangedLine) => rules.find((rule) => frequent.has(rule));
  const hidden = changed.filter((change) => ruleOf(change) !== undefined);
  return [...pairsByRule(hidden, (change) => [ruleOf(change)!])]
    .sort(([, a], [, b]) => b.size - a.size)
    .slice(0, MAX_PROPOSALS)
    .map(([ignore, found]) => ({
      ignore,
      runs: found.size,
      of: pairs,
      examples: examplesOf(hidden, ignore),
    }));
}

/** The pairs of runs in which each rule would have hidden a change. */
function pairsByRule(
  changes: readonly ChangedLine[],
  rulesOf: (change: ChangedLine) => readonly string[],
): Map<string, Set<number>> {
  const found = new Map<string, Set<number>>();
  for (const change of changes)
    for (const rule of rulesOf(change)) found.set(rule, (found.get(rule) ?? new Set()).add(change.pair));
  return found;
}

function examplesOf(changes: readonly ChangedLine[], rule: string): string[] {
  const lines = changes
    .filter(({ rules, line }) => line !== '' && rules.includes(rule))
    .map(({ line }) => line);
  return [...new Set(lines)].slice(0, MAX_EXAMPLES);
}

/** Whether the lines are the same in another order. */
function isReordered(before: readonly string[], after: readonly string[]): boolean {
  if (before.length !== after.length) return false;
  const sorted = [...before].sort();
  const now = [...after].sort();
  return sorted.every((line, at) => line === now[at]) && before.some((line, at) => line !== after[at]);
}

/** The lines that changed between two runs, if something replaces them. Lines that were only added or removed are no noise. */
function* changesOf(
  before: readonly string[],
  after: readonly string[],
  pair: number,
): Generator<ChangedLine> {
  if (isReordered(before, after)) {
    yield { pair, line: '', rules: ['order'] };
    return;
  }
  const changes = diffArrays([...before], [...after], { maxEditLength: MAX_EDITS }) ?? [];
  for (let at = 0; at < changes.length; at++) {
    const removed = changes[at]!;
    const added = changes[at + 1];
    if (!removed.removed || added === undefined || !added.added) continue;
    const between = betweenPattern(changes[at - 1]?.value.at(-1), changes[at + 2]?.value.at(0));
    const isPaired = removed.value.length === added.value.length;
    for (const [index, line] of added.value.entries()) {
      const shared = isPaired ? sharedPattern(removed.value[index]!, line) : null;
      yield { pair, line, rules: [shared, between].filter((rule) => rule !== null) };
    }
  }
}

/** A pattern for what two lines have in common, with wildcards for the words that differ; null: too little is common. */
function sharedPattern(before: string, after: string): string | null {
  const words = (line: string) => line.match(/[\p{L}\p{M}]+|\p{N}+|\s+|[^\p{L}\p{M}\p{N}\s]/gu) ?? [];
  const parts = diffArrays(words(before), words(after), { maxEditLength: 200 });
  if (parts === undefined) return null;
  let common = '';
  let pattern = '';
  for (const part of parts) {
    if (part.added || part.removed) {
      if (!pattern.endsWith('.*')) pattern += '.*';
      continue;
    }
    const text = part.value.join('');
    // Single characters and blanks that happen to be the same say nothing about the line.
    if (!/[\p{L}]{2}/u.test(text)) {
      if (!pattern.endsWith('.*')) pattern += '.*';
      continue;
    }
    common += text;
    pattern += escaped(text.trim());
    if (text.endsWith(' ')) pattern += '\\s*';
  }
  const enough =
    isMostOf(common, before) && isMostOf(common, after)
      ? letters(common) >= MIN_LETTERS
      : isLongStart(parts[0]!);
  return enough ? asRule(`(?m)^.*${pattern}.*$`.replaceAll('.*.*', '.*')) : null;
}

const letters = (text: string): number => text.replace(/[^\p{L}]/gu, '').length;
const isMostOf = (common: string, line: string): boolean => letters(common) * 2 >= letters(line);

/** Whether the lines begin with the same two words. */
function isLongStart(first: {
  readonly added: boolean;
  readonly removed: boolean;
  readonly value: readonly string[];
}): boolean {
  const words = first.added || first.removed ? [] : first.value.filter((word) => /\p{L}{2}/u.test(word));
  return words.length >= 2;
}

/** A pattern for whatever stands between two lines that stay; null: there is none on a side. */
function betweenPattern(above: string | undefined, below: string | undefined): string | null {
  if (above === undefined || below === undefined) return null;
  return asRule(`(?s)(?:^|\\n)${escaped(above)}\\n(.*?)\\n${escaped(below)}`);
}

const asRule = (pattern: string): string | null =>
  pattern.length > MAX_PATTERN_LENGTH ? null : `/${pattern}/`;

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
