import { attributeOf, type TreeNode } from '../document/page-tree.ts';
import {
  COMMENT_WORDS,
  CONSENT_WORDS,
  type FrameContext,
  markupReason,
  nameReason,
  TEASER_WORDS,
} from './frame-rules.ts';
import type { Outline } from './outline.ts';

/** What holds more of the sentences of the page is never left out, whatever it is called. */
const MOST_PROSE = 0.4;
/** The same for all its text, unless that is links. */
const MOST_TEXT = 0.4;
const MOSTLY_LINKS = 0.8;
/** A `nav` of which more is sentences is a part of the text. */
const NAV_PROSE = 0.6;
/** A form with more sentences is wrapped around content. */
const FORM_PROSE = 200;
/** Types of `input` that ask for no text. */
const OTHER_INPUTS = new Set(['hidden', 'submit', 'button', 'image', 'reset', 'checkbox', 'radio']);

/** The frame by the markup: the outermost elements, in document order. */
export function markupFrame(outline: Outline): TreeNode[] {
  const { nodes, end, prose, text } = outline;
  const frame: TreeNode[] = [];
  const inContent = contentRanges(outline);
  for (let n = 1; n < nodes.length; n++) {
    const node = nodes[n]!;
    const reason = markupReason(node);
    const isFrame =
      reason !== null ||
      (node.tagName === 'header' && inContent[n] === 0) ||
      (node.tagName === 'form' && isControl(outline, n)) ||
      isConsentLayer(outline, n);
    if (!isFrame || prose[n]! > MOST_PROSE * prose[0]!) continue;
    // The closed part of an accordion is hidden from readers until they open it.
    if (reason === 'aria-hidden' && prose[n]! > 0) continue;
    if (reason === 'nav' && prose[n]! > NAV_PROSE * text[n]!) continue;
    frame.push(node);
    n = end[n]! - 1;
  }
  return frame;
}

/** The elements in `main` or an `article`: a `header` there is that of the content. */
function contentRanges({ nodes, end, prose }: Outline): Uint8Array {
  const inside = new Uint8Array(nodes.length);
  for (let n = 0; n < nodes.length; n++) {
    const node = nodes[n]!;
    const isContent =
      node.tagName === 'main' || node.tagName === 'article' || attributeOf(node, 'role') === 'main';
    if (!isContent || prose[n]! < 0.3 * prose[0]!) continue;
    inside.fill(1, n, end[n]!);
    n = end[n]! - 1;
  }
  return inside;
}

const CONSENT_TEXT = 8000;
/** The word cookie stands there once in so many characters. */
const CONSENT_DENSITY = 250;

/** A layer that asks for consent, in any language: it is about cookies, and has something to press. */
function isConsentLayer({ nodes, end, text, cookies, prose }: Outline, index: number): boolean {
  const [count, length] = [cookies[index]!, text[index]!];
  if (count < 2 || prose[index] === 0 || count * CONSENT_DENSITY < length) return false;
  if (length > CONSENT_TEXT || length > 0.9 * text[0]!) return false;
  let controls = 0;
  for (let n = index + 1; n < end[index]!; n++) {
    const node = nodes[n]!;
    if (node.tagName === 'h1' || node.tagName === 'main') return false;
    if (node.tagName === 'button' || node.tagName === 'input' || node.tagName === 'a') controls++;
    else if (attributeOf(node, 'role') === 'button') controls++;
  }
  return controls > 0;
}

/** Whether a form asks for text, and is not wrapped around the content. */
function isControl({ nodes, end, prose }: Outline, index: number): boolean {
  if (prose[index]! >= FORM_PROSE) return false;
  for (let n = index + 1; n < end[index]!; n++) {
    const node = nodes[n]!;
    if (node.tagName === 'textarea' || node.tagName === 'select') return true;
    const type = node.tagName === 'input' ? (attributeOf(node, 'type') ?? 'text') : null;
    if (type !== null && !OTHER_INPUTS.has(type.toLowerCase())) return true;
  }
  return false;
}

/** With this share of the text, the teasers are what the page is for. */
const TEASERS_TEXT = 0.7;

/** Elements that a word marks, the outermost ones. */
interface MarkedElements {
  readonly indexes: number[];
  text: number;
}

/**
 * The frame by class names and ids: the outermost elements, in document order. On a page of teasers, these are the
 * content: a word for them that marks most of the page leaves out nothing.
 * @param outline without the frame by the markup
 */
export function namedFrame(outline: Outline, context: FrameContext): TreeNode[] {
  const { nodes, end } = outline;
  const leftOut: number[] = [];
  for (const [word, marked] of markedElements(outline, context)) {
    const isContent = TEASER_WORDS.has(word) && marked.text > TEASERS_TEXT * outline.text[0]!;
    if (!isContent) leftOut.push(...marked.indexes);
  }
  leftOut.sort((a, b) => a - b);
  let done = 0;
  const frame: TreeNode[] = [];
  for (const n of leftOut) {
    if (n < done) continue;
    frame.push(nodes[n]!);
    done = end[n]!;
  }
  return frame;
}

function markedElements(outline: Outline, context: FrameContext): Map<string, MarkedElements> {
  const { nodes, end, text } = outline;
  const byWord = new Map<string, MarkedElements>();
  /** Until where comments are the content: the word means nothing inside of them. */
  let commentsEnd = 0;
  for (let n = 1; n < nodes.length; n++) {
    const word = text[n] === 0 ? null : nameReason(nodes[n]!, context);
    if (word === null) continue;
    const isComment = COMMENT_WORDS.has(word);
    if (isComment && n < commentsEnd) continue;
    const marked = byWord.get(word) ?? { indexes: [], text: 0 };
    const last = marked.indexes.at(-1);
    if (last !== undefined && n < end[last]!) continue;
    if (isMost(outline, n, word)) {
      // A wrapper: `has-sidebar` around everything. There may be a sidebar inside.
      if (isComment) commentsEnd = end[n]!;
      continue;
    }
    marked.indexes.push(n);
    marked.text += text[n]!;
    byWord.set(word, marked);
  }
  return byWord;
}

/** Reviews and consent layers may well be longer than what they belong to. */
const MOST_REVIEWS = 0.9;

function isMost({ prose, text, linked }: Outline, index: number, word: string): boolean {
  if (word === 'reviews' || CONSENT_WORDS.has(word)) return prose[index]! > MOST_REVIEWS * prose[0]!;
  if (prose[index]! > MOST_PROSE * prose[0]!) return true;
  if (word === 'hidden' || COMMENT_WORDS.has(word)) return false;
  // A list of links is a menu, but what the pages of a pagination hold are the items.
  const isMenu = word !== 'pagination' && linked[index]! >= MOSTLY_LINKS * text[index]!;
  return !isMenu && text[index]! > MOST_TEXT * text[0]!;
}
