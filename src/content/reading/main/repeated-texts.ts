import { type Outline, SENTENCE_CHARACTERS } from '../../document/outline.ts';
import { textContent } from '../../document/page-tree.ts';
import type { RepeatedItems } from '../../document/repeated-items.ts';
import { isAuthor, isDate } from './byline.ts';

/** Elements whose text may stand more than once. */
export const MAY_REPEAT: ReadonlySet<string> = new Set(['pre', 'td', 'th', 'tr', 'tbody']);

/**
 * The elements whose text occurs earlier on the page, word by word: copies for screens of another width, slides that
 * are cloned, posts that are quoted below themselves.
 * Rows and cells of tables may say the same, and stay. So do blocks of code.
 * @param minLength a shorter text may well occur twice
 */
export function repeatedTexts(outline: Outline, root: number, minLength: number): number[] {
  const { nodes, end, text, hash, parent } = outline;
  const seen = new Set<string>();
  const found: number[] = [];
  for (let n = root + 1; n < end[root]!; n++) {
    if (text[n]! < minLength || MAY_REPEAT.has(nodes[n]!.tagName)) continue;
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

/** A preview has at least so many characters, and its beginning is looked for so many times on a page. */
const MIN_PREVIEW = 100;
const MAX_PREVIEW = 5_000;
const MAX_PREVIEWS = 500;
const MAX_CUT_END = 60;
/** What stands at the end of a preview in place of the rest; also in a button. */
const CUT_END =
  /(?:\s|…|\.{3}|\((?:more|mehr)\)|(?:read|show|see|view) more|continue reading|weiterlesen|mehr (?:lesen|anzeigen)|lire la suite|voir plus|leer más|ver más|leggi tutto|meer lezen|читать далее)+$/i;

const SENTENCE_END = /[.!?:;)\]"'”’»。！？]$/u;

/** Texts that the next one begins with and goes on: previews beside the text that "Read more" opens. */
export function previews(outline: Outline, root: number): number[] {
  const { end, run, hash, text, parent } = outline;
  const firsts = new Map<string, number>();
  const found: number[] = [];
  let looked = 0;
  for (let n = root + 1; n < end[root]! && looked < MAX_PREVIEWS; n++) {
    if (run[n]! < SENTENCE_CHARACTERS) continue;
    const key = `${hash[n]} ${text[n]}`;
    const first = firsts.get(key);
    firsts.set(key, n);
    if (first === undefined || n < end[first]!) continue;
    looked++;
    let common = parent[n]!;
    while (common > first || end[common]! <= first) common = parent[common]!;
    const begun = withOuter(outline, first, common);
    const full = folded(outline, withOuter(outline, n, common)[0]!, 2 * MAX_PREVIEW);
    const preview = begun.find((each) => {
      if (text[each]! < MIN_PREVIEW || text[each]! > MAX_PREVIEW || hasText(outline, end[each]!, n))
        return false;
      const start = folded(outline, each, MAX_PREVIEW);
      const cut = start.slice(0, -MAX_CUT_END) + start.slice(-MAX_CUT_END).replace(CUT_END, '');
      return (cut !== start || !SENTENCE_END.test(start)) && cut.length < full.length && full.startsWith(cut);
    });
    if (preview !== undefined) found.push(preview);
  }
  return found;
}

/** Whether text stands between two elements: then the first is not the preview of the second. */
function hasText({ run }: Outline, from: number, to: number): boolean {
  for (let n = from; n < to; n++) if (run[n]! > 0) return true;
  return false;
}

/** The elements below `common` that begin with the element, the outermost first, and the element. */
function withOuter({ parent, run }: Outline, index: number, common: number): number[] {
  const found = [index];
  let next = index;
  for (let n = parent[index]!; n > common; n = parent[n]!) {
    for (let before = n; before < next; before++) if (run[before]! > 0) return found;
    found.unshift(n);
    next = n;
  }
  return found;
}

const folded = ({ nodes }: Outline, index: number, maxLength: number) =>
  textContent(nodes[index]!, maxLength).replace(/\s+/g, ' ').trim();

/** A label that repeats has at most so many characters, and stands in at least this share of the items. */
const MAX_LABEL = 40;
const MIN_ITEMS = 4;
const IN_ITEMS = 0.6;

/** Links with the same words in most items of a list: "Add to cart", "Compare", "Reply". */
export function repeatedLabels(outline: Outline, groups: readonly RepeatedItems[]): number[] {
  const lists = groups.filter(({ members }) => members.length >= MIN_ITEMS);
  return lists.flatMap((list) => labelsOf(outline, list));
}

function labelsOf({ nodes, end, text, hash, run, linked }: Outline, { members }: RepeatedItems): number[] {
  const places = new Map<string, number[]>();
  for (const member of members)
    for (let n = member + 1; n < end[member]!; n++) {
      const isLabel = text[n]! > 0 && text[n]! <= MAX_LABEL && linked[n] === text[n] && run[n] === text[n];
      // The only link of an item says where it leads.
      if (!isLabel || linked[member] === text[n]) continue;
      // Posts of one day, or of one author.
      if (nodes.slice(n, end[n]).some((node) => isDate(node) || isAuthor(node))) continue;
      const key = `${hash[n]} ${text[n]}`;
      const same = places.get(key);
      if (same === undefined) places.set(key, [n]);
      else same.push(n);
      n = end[n]! - 1;
    }
  const often = IN_ITEMS * members.length;
  return [...places.values()].filter((same) => same.length >= often).flat();
}
