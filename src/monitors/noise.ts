import { diffArrays } from 'diff';
import { compileRegex } from '../domain/caller-regex.ts';
import { isFailure } from '../domain/failure.ts';
import { PLURAL, REPLACEMENT, withoutParts } from './ignored-parts.ts';
import { isDateWord } from './time-words.ts';

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
  /** Rules that would hide the change, the best one first. */
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
  // Of each line the best rule that is frequent.
  const safe = safeRules(frequent, stableLines(runs));
  const ruleOf = ({ rules }: ChangedLine) => rules.find((rule) => safe.has(rule));
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

/** The lines that are in all runs. */
function stableLines(runs: readonly (readonly string[])[]): readonly string[] {
  const sets = runs.slice(1).map((lines) => new Set(lines));
  return [...new Set(runs[0])].filter((line) => sets.every((lines) => lines.has(line)));
}

/** The rules that hide no line which stays as it is: they would hide its changes, too. */
function safeRules(rules: ReadonlySet<string>, stable: readonly string[]): ReadonlySet<string> {
  const isSafe = (rule: string): boolean => {
    if (!rule.startsWith(LINE_START)) return true;
    const pattern = compileRegex(rule.slice(1, -1), '');
    return !isFailure(pattern) && !stable.some((line) => pattern.test(line));
  };
  return new Set([...rules].filter(isSafe));
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
    // Powers of two, so that runs with other numbers of lines have a rule in common.
    const lines = 2 ** Math.ceil(Math.log2(Math.max(removed.value.length, added.value.length)));
    const [above, below] = [changes[at - 1]?.value.at(-1), changes[at + 2]?.value.at(0)];
    const between = SLACK.map((times) => betweenPattern(above, below, lines * times));
    for (const [index, line] of added.value.entries()) {
      const old =
        removed.value.length === added.value.length ? removed.value[index]! : mostAlike(removed.value, line);
      const rules = [linePattern(old, line, true), linePattern(old, line, false), ...between];
      yield { pair, line, rules: [...new Set(rules.filter((rule) => rule !== null))] };
    }
  }
}

/** Times as many lines may stand between two others, where their number changes. */
const SLACK = [1, 2, 4];
/** Lines among which the one that was before is looked for. */
const MAX_CANDIDATES = 50;

function mostAlike(lines: readonly string[], line: string): string {
  const words = new Set(tokensOf(line));
  const score = (other: string) => tokensOf(other).filter((token) => words.has(token)).length;
  return lines.slice(0, MAX_CANDIDATES).reduce((best, other) => (score(other) > score(best) ? other : best));
}

/** Words with digits and hyphens within them, numbers with their separators, blanks, and single other characters. */
const tokensOf = (line: string): readonly string[] =>
  line.match(
    /\p{N}+(?:[.,:'’]\p{N}+)*(?![\p{L}\p{M}\p{N}_-])|[\p{L}\p{M}\p{N}_]+(?:[-'’][\p{L}\p{M}\p{N}_]+)*|\s+|./gsu,
  ) ?? [];

const IS_NUMBER = /^\p{N}+(?:[.,:'’]\p{N}+)*$/u;
const LINE_START = '/(?m)^[ \\t]*';
const ANY_NUMBER = "\\pN[\\pN.,:'’]*";
const ANY_ID = '[\\pL\\pN_-]+';
/** White space within a line. */
const BLANKS = '[^\\S\\n]+';
const ANY_WORD = '\\pL+';
const ANY_DATE = '.{1,40}';
const ANYTHING = '.*';

/**
 * A pattern for what two versions of a line have in common, from its start to its end, with wildcards for what differs; null: too
 * little is common. Dates and times are wildcards, because they are the same in runs that follow each other, and not for long.
 * @param anyNumbers numbers that happened to be the same are wildcards, too, but for prices
 */
function linePattern(before: string, after: string, anyNumbers: boolean): string | null {
  const [old, now] = [before, after].map((line) =>
    tokensOf(withoutParts(line, ['dates', 'relative_times'])),
  ) as [readonly string[], readonly string[]];
  const parts = diffArrays([...old], [...now], { maxEditLength: 200 });
  if (parts === undefined) return null;
  const pieces: string[] = [];
  const add = (piece: string) => {
    if (pieces.at(-1) !== piece || !WILDCARDS.has(piece)) pieces.push(piece);
  };
  let common = '';
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at]!;
    if (!part.added && !part.removed) {
      for (const [index, token] of part.value.entries()) {
        const isCounted = anyNumbers && IS_NUMBER.test(part.value[index - 2] ?? '');
        add(isCounted ? anyForm(token) : literal(token, anyNumbers && !isPriced(part.value, index)));
        if (!/\p{N}/u.test(token) && !isDateWord(token)) common += token;
      }
      continue;
    }
    const next = parts[at + 1];
    const isReplaced = part.removed && next?.added === true;
    add(isReplaced ? wildcardOf(part.value.join(''), next.value.join('')) : ANYTHING);
    if (isReplaced) at++;
  }
  const isVague = pieces.some((piece) => piece === ANYTHING || piece === ANY_DATE);
  const isGap = pieces.includes(ANYTHING);
  const enough = isGap
    ? (isMostOf(common, old) && isMostOf(common, now)) || isLongStart(parts[0]!)
    : letters(common) >= (isVague ? MIN_LETTERS : 0);
  return enough ? asRule(`${LINE_START.slice(1)}${pieces.join('')}[ \\t]*$`) : null;
}

const WILDCARDS: ReadonlySet<string> = new Set([ANY_NUMBER, ANY_ID, ANY_DATE, ANYTHING]);

/** The most exact wildcard for both texts. */
function wildcardOf(before: string, after: string): string {
  if (IS_NUMBER.test(before) && IS_NUMBER.test(after)) return ANY_NUMBER;
  if (stemOf(before) === stemOf(after)) return anyForm(before);
  const isId = (text: string) => /^[\p{L}\p{N}_-]+$/u.test(text);
  return isId(before) && isId(after) && /\p{N}/u.test(before + after) ? ANY_ID : ANYTHING;
}

const stemOf = (word: string): string => (/^\p{L}+$/u.test(word) ? word.replace(PLURAL, '') : word);

/** A word that may have the endings of the singular and of the plural. */
const anyForm = (word: string): string =>
  /^\p{L}{3,}$/u.test(word) ? `${escaped(stemOf(word))}\\pL{0,3}` : literal(word, false);

function literal(token: string, anyNumbers: boolean): string {
  if (token === REPLACEMENT) return ANY_DATE;
  // A day of the week or a month apart from its date.
  if (isDateWord(token)) return ANY_WORD;
  if (anyNumbers && IS_NUMBER.test(token)) return ANY_NUMBER;
  return /^\s+$/.test(token) ? BLANKS : escaped(token);
}

/** Whether a sign of a currency, or per cent, stands beside a number. */
function isPriced(tokens: readonly string[], index: number): boolean {
  const beside = [tokens[index - 2], tokens[index - 1], tokens[index + 1], tokens[index + 2]];
  return beside.some((token) => token !== undefined && /^(?:\p{Sc}|%|[A-Z]{3})$/u.test(token));
}

const letters = (text: string): number => text.replace(/[^\p{L}]/gu, '').length;

/** Whether the letters of a text are at least half of those of a line, without words with digits. */
function isMostOf(common: string, line: readonly string[]): boolean {
  const all = letters(line.filter((token) => !/\p{N}/u.test(token)).join(''));
  return letters(common) >= MIN_LETTERS && letters(common) * 2 >= all;
}

/** Whether the lines begin with the same two words. */
function isLongStart(first: {
  readonly added: boolean;
  readonly removed: boolean;
  readonly value: readonly string[];
}): boolean {
  const words = first.added || first.removed ? [] : first.value.filter((word) => /\p{L}{2}/u.test(word));
  return words.length >= 2;
}

/** Characters of the lines around that are looked at. */
const NEIGHBOUR_CHARS = 120;

/** A pattern for at most so many lines between two that stay, or the start or the end of the text. */
function betweenPattern(above: string | undefined, below: string | undefined, lines: number): string | null {
  if (above === undefined && below === undefined) return null;
  const text = (line: string) =>
    tokensOf(withoutParts(line, ['dates', 'relative_times']))
      .map((token) => literal(token, false))
      .join('');
  const start =
    above === undefined ? '\\A\\s*' : `(?:^|\\n)[^\\n]*${text(above.slice(-NEIGHBOUR_CHARS))}[ \\t]*\\n`;
  const end = below === undefined ? '\\s*\\z' : `\\s*${text(below.slice(0, NEIGHBOUR_CHARS))}`;
  return asRule(`${start}((?:\\s*\\S[^\\n]*(?:\\n|\\z)){1,${lines}})${end}`);
}

const asRule = (pattern: string): string | null =>
  pattern.length > MAX_PATTERN_LENGTH ? null : `/${pattern}/`;

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
