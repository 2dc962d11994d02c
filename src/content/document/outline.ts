import { type ElementNode, shownChildrenOf, type TreeNode } from './page-tree.ts';
import { type CssDisplay, displayFor } from './visible-text.ts';

/**
 * The elements of a page that are shown, in document order, with what they hold. All lists have one value for each element,
 * so the rules need no recursion: the elements inside of element `n` are those from `n + 1` to `end[n] - 1`.
 */
export interface Outline {
  readonly nodes: readonly ElementNode[];
  /** Index of the parent; -1 for the first element. */
  readonly parent: Int32Array;
  readonly end: Int32Array;
  /** Characters of the text in the element itself, in its inline elements too if it is a block. White space counts once. */
  readonly run: Int32Array;
  /** How many characters of `run` are in links. */
  readonly linkedRun: Int32Array;
  /** Characters of all text inside. */
  readonly text: Float64Array;
  /** How many characters of `text` are in links. */
  readonly linked: Float64Array;
  /** How often the text inside has the word cookie. */
  readonly cookies: Int32Array;
  /** How often the text inside has the sign ©. */
  readonly rights: Int32Array;
  /** A hash of the text inside: equal texts have equal hashes. */
  readonly hash: Int32Array;
  /** Characters of the sentences inside: of runs that are long and are not links. */
  readonly prose: Float64Array;
}

/** A shorter run is a label, a title or a button rather than a sentence. */
export const SENTENCE_CHARACTERS = 60;

/** @param excluded elements that do not count */
export function outlineOf(root: ElementNode, xml: boolean, excluded: ReadonlySet<TreeNode>): Outline {
  const { nodes, parent, end, run, linkedRun, runHash, cookies, rights } = collect(root, xml, excluded);
  const count = nodes.length;
  const text = new Float64Array(count);
  const linked = new Float64Array(count);
  const prose = new Float64Array(count);
  for (let n = count - 1; n >= 0; n--) {
    text[n]! += run[n]!;
    linked[n]! += linkedRun[n]!;
    if (run[n]! >= SENTENCE_CHARACTERS && linkedRun[n]! < run[n]! / 2) prose[n]! += run[n]! - linkedRun[n]!;
    const outer = parent[n]!;
    if (outer === -1) continue;
    text[outer]! += text[n]!;
    linked[outer]! += linked[n]!;
    prose[outer]! += prose[n]!;
    cookies[outer]! += cookies[n]!;
    rights[outer]! += rights[n]!;
  }
  const hash = textHashes(run, runHash, end);
  return { nodes, parent, end, run, linkedRun, text, linked, prose, hash, cookies, rights };
}

/** The outermost elements in `outer` that neither hold one of `kept` nor stand in one. */
export function outside({ parent, end }: Outline, outer: number, kept: readonly number[]): number[] {
  const onPath = new Set<number>();
  for (const each of kept) for (let n = each; n !== outer; n = parent[n]!) onPath.add(n);
  const whole = new Set(kept);
  const found: number[] = [];
  for (let n = outer + 1; n < end[outer]!; ) {
    if (whole.has(n)) n = end[n]!;
    else if (onPath.has(n)) n++;
    else {
      found.push(n);
      n = end[n]!;
    }
  }
  return found;
}

const HASH_BASE = 0x01000193;

/** Hashes of all texts, from those of the runs: a polynomial over the runs inside. */
function textHashes(run: Int32Array, runHash: Int32Array, end: Int32Array): Int32Array {
  const count = run.length;
  /** The hash of all runs before an element. */
  const before = new Int32Array(count + 1);
  /** How many runs are before an element. */
  const runsBefore = new Int32Array(count + 1);
  const powers = new Int32Array(count + 1).fill(1);
  for (let n = 0; n < count; n++) {
    const has = run[n]! > 0;
    before[n + 1] = has ? (Math.imul(before[n]!, HASH_BASE) + runHash[n]!) | 0 : before[n]!;
    runsBefore[n + 1] = runsBefore[n]! + (has ? 1 : 0);
    powers[n + 1] = Math.imul(powers[n]!, HASH_BASE);
  }
  const hash = new Int32Array(count);
  for (let n = 0; n < count; n++) {
    const runs = runsBefore[end[n]!]! - runsBefore[n]!;
    hash[n] = (before[end[n]!]! - Math.imul(before[n]!, powers[runs]!)) | 0;
  }
  return hash;
}

interface OpenElement {
  readonly index: number;
  /** The element whose run the text belongs to. */
  readonly block: number;
  readonly inLink: boolean;
  readonly children: readonly TreeNode[];
  nextIndex: number;
}

function collect(root: ElementNode, xml: boolean, excluded: ReadonlySet<TreeNode>) {
  const nodes: ElementNode[] = [root];
  const parents: number[] = [-1];
  const ends: number[] = [0];
  const runs: number[] = [0];
  const linkedRuns: number[] = [0];
  const hashes: number[] = [0];
  const cookies: number[] = [0];
  const rights: number[] = [0];
  const open: OpenElement[] = [
    { index: 0, block: 0, inLink: root.tagName === 'a', children: shownChildrenOf(root), nextIndex: 0 },
  ];
  while (open.length > 0) {
    const frame = open[open.length - 1]!;
    const node = frame.children[frame.nextIndex++];
    if (node === undefined) {
      ends[frame.index] = nodes.length;
      open.pop();
    } else if (node.value !== undefined) {
      const length = collapsedLength(node.value);
      runs[frame.block]! += length;
      if (length > 0) hashes[frame.block] = hashOf(node.value, hashes[frame.block]!);
      if (length > 5) cookies[frame.block]! += cookieCount(node.value);
      if (node.value.includes('©')) rights[frame.block]!++;
      if (frame.inLink) linkedRuns[frame.block]! += length;
    } else if (node.tagName !== undefined && !excluded.has(node)) {
      const display = displayFor(node, xml);
      if (display === 'none') continue;
      const index = nodes.push(node as ElementNode) - 1;
      parents.push(frame.index);
      ends.push(0);
      runs.push(0);
      linkedRuns.push(0);
      hashes.push(0);
      cookies.push(0);
      rights.push(0);
      const block = isInline(display) ? frame.block : index;
      const inLink = frame.inLink || node.tagName === 'a';
      open.push({ index, block, inLink, children: shownChildrenOf(node), nextIndex: 0 });
    }
  }
  return {
    nodes,
    parent: Int32Array.from(parents),
    end: Int32Array.from(ends),
    run: Int32Array.from(runs),
    linkedRun: Int32Array.from(linkedRuns),
    runHash: Int32Array.from(hashes),
    cookies: Int32Array.from(cookies),
    rights: Int32Array.from(rights),
  };
}

const isInline = (display: CssDisplay) => display === 'inline' || display === 'break';

/** Length of a text whose white space is collapsed. */
function collapsedLength(text: string): number {
  let length = 0;
  let space = true;
  for (let n = 0; n < text.length; n++) {
    const code = text.charCodeAt(n);
    const isSpace = code === 32 || (code >= 9 && code <= 13);
    if (!isSpace || !space) length++;
    space = isSpace;
  }
  return space && length > 0 ? length - 1 : length;
}

/** A hash of the characters that are not white space. */
function hashOf(text: string, start: number): number {
  let hash = start;
  for (let n = 0; n < text.length; n++) {
    const code = text.charCodeAt(n);
    if (code > 32) hash = Math.imul(hash ^ code, HASH_BASE);
  }
  return hash;
}

const COOKIE = /cookie/gi;

function cookieCount(text: string): number {
  let count = 0;
  COOKIE.lastIndex = 0;
  while (COOKIE.test(text)) count++;
  return count;
}
