import { classWords } from '../../document/class-words.ts';
import type { Outline } from '../../document/outline.ts';
import { attributeOf, type ElementNode, type TreeNode, textContent } from '../../document/page-tree.ts';
import { shapeOf } from '../../document/repeated-items.ts';
import {
  type BoilerplateContext,
  COMMENT_WORDS,
  CONSENT_WORDS,
  isButton,
  isFrame,
  markupReason,
  nameReason,
  PAGE_WORDS,
  REVIEWS,
  TEASER_WORDS,
} from './boilerplate-rules.ts';

/** An element with a larger share of the page's sentences is never boilerplate, whatever its class names are. */
const MOST_PROSE = 0.5;
/** What tags and roles say is more certain: legal texts in footers and dialogs can be longer than the content of a shop. */
const MOST_MARKED_PROSE = 0.9;
/** An element with a larger share of the page's text is not boilerplate either, unless it is mostly links. */
const MOST_TEXT = 0.4;
/** Links to the pages of a list are a smaller share of the text. */
const MOST_PAGING = 0.2;
/** Filters have no sentences: an element named after them that has a larger share holds the items. */
const MOST_FILTER_PROSE = 0.1;
const FILTERS = new Set(['filter', 'filters', 'facet', 'facets']);
/** An element is mostly links if at least this share of its text is in links. */
const MOSTLY_LINKS = 0.8;
/** A `nav` with a larger share of sentences in its text is content. */
const NAV_PROSE = 0.6;
/** A form with at least so many characters of sentences is wrapped around content. */
const FORM_PROSE = 200;
/** Types of `input` that ask for no text. */
const OTHER_INPUTS = new Set(['hidden', 'submit', 'button', 'image', 'reset', 'checkbox', 'radio']);

/** The boilerplate by tag names and roles: the outermost elements, in document order. */
export function markupBoilerplate(outline: Outline): TreeNode[] {
  const { nodes, end, prose, text } = outline;
  const boilerplate: TreeNode[] = [];
  const inContent = contentRanges(outline);
  for (let n = 1; n < nodes.length; n++) {
    const node = nodes[n]!;
    const reason = markupReason(node);
    if (reason === 'input' && isTask(outline, n)) continue;
    const isBoilerplate =
      reason !== null ||
      (node.tagName === 'header' && inContent[n] === 0) ||
      (node.tagName === 'form' && isControl(outline, n)) ||
      (node.tagName === 'label' && namesControl(outline, n)) ||
      isConsentLayer(outline, n);
    if (!isBoilerplate || prose[n]! > MOST_MARKED_PROSE * prose[0]!) continue;
    if (isButton(node) && titlesPart(outline, n)) continue;
    // The closed part of an accordion is hidden from readers until they open it.
    if (reason === 'aria-hidden' && (prose[n]! > 0 || isLabelled(outline, n))) continue;
    if (reason === 'nav' && prose[n]! > NAV_PROSE * text[n]!) continue;
    boilerplate.push(node);
    n = end[n]! - 1;
  }
  return boilerplate;
}

/** Elements whose `header` and `footer` are not those of the page (ARIA in HTML). */
const SECTIONS = new Set(['article', 'main', 'section', 'li']);

/** What stands around the content of a page: header, navigation, asides, footer, layers. The outermost elements, in order. */
export function pageFrame(outline: Outline): TreeNode[] {
  const { nodes, end, prose, text } = outline;
  const frame: TreeNode[] = [];
  let sectionEnd = 0;
  for (let n = 1; n < nodes.length; n++) {
    const node = nodes[n]!;
    if (SECTIONS.has(node.tagName)) sectionEnd = Math.max(sectionEnd, end[n]!);
    if (!isFrame(node, n < sectionEnd) && !isConsentLayer(outline, n)) continue;
    if (prose[n]! > MOST_MARKED_PROSE * prose[0]!) continue;
    if (node.tagName === 'nav' && prose[n]! > NAV_PROSE * text[n]!) continue;
    frame.push(node);
    n = end[n]! - 1;
  }
  return frame;
}

/** Whether a link around it has a label for screen readers, so that they do not read its text, which all others see. */
function isLabelled({ nodes, parent }: Outline, index: number): boolean {
  for (let n = parent[index]!; n > 0; n = parent[n]!)
    if (nodes[n]!.tagName === 'a') return (attributeOf(nodes[n]!, 'aria-label') ?? '') !== '';
  return false;
}

const HEADING = /^h[1-6]$/;

/** A longer text is no title. */
const MAX_TITLE = 400;

/** Whether a button is the title of a part that it opens: it is all of a heading, or sentences follow it. */
function titlesPart({ nodes, parent, end, prose }: Outline, index: number): boolean {
  const own = textContent(nodes[index]!, MAX_TITLE).trim();
  if (own === '') return false;
  let title = index;
  for (let n = parent[index]!; n > 0 && textContent(nodes[n]!, MAX_TITLE).trim() === own; n = parent[n]!) {
    if (HEADING.test(nodes[n]!.tagName)) return true;
    title = n;
  }
  const next = end[title]!;
  return prose[index] === 0 && parent[next] === parent[title] && prose[next]! > 0;
}

/** Marks the elements in `main` or an `article` with 1: a `header` in these belongs to the content. */
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

/** A consent layer has at most so many characters. */
const CONSENT_TEXT = 8000;
/** It has the word cookie at least once in so many characters. */
const CONSENT_DENSITY = 250;

/** A layer that asks for consent is more than a paragraph, and has none of these. A manual that explains cookies has code. */
const NOT_IN_CONSENT = new Set(['h1', 'main', 'pre']);

/** A layer that asks for consent, in any language: it is about cookies, and has a button, a field or a link. */
function isConsentLayer(outline: Outline, index: number): boolean {
  const { nodes, end, text, cookies, prose } = outline;
  const [count, length] = [cookies[index]!, text[index]!];
  if (count < 2 || prose[index] === 0 || count * CONSENT_DENSITY < length) return false;
  if (length > CONSENT_TEXT || length > 0.9 * text[0]!) return false;
  if (nodes[index]!.tagName === 'p' || holdsTag(outline, index, NOT_IN_CONSENT)) return false;
  let controls = 0;
  for (let n = index + 1; n < end[index]!; n++) {
    const node = nodes[n]!;
    if (node.tagName === 'button' || node.tagName === 'input' || node.tagName === 'a') controls++;
    else if (attributeOf(node, 'role') === 'button') controls++;
  }
  return controls > 0;
}

function holdsTag({ nodes, end }: Outline, index: number, tags: ReadonlySet<string>): boolean {
  for (let n = index + 1; n < end[index]!; n++) if (tags.has(nodes[n]!.tagName)) return true;
  return false;
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

/**
 * Whether a label belongs to a control, which is left out: a choice of sizes, a filter of a list. What is followed by
 * sentences is the title of a part that opens.
 */
function namesControl(outline: Outline, index: number): boolean {
  const { nodes, parent, end, prose } = outline;
  const next = end[index]!;
  if (isTask(outline, index)) return false;
  if (prose[index]! > 0 || (parent[next] === parent[index] && prose[next]! > 0)) return false;
  if (attributeOf(nodes[index]!, 'for') !== null) return true;
  for (let n = index + 1; n < end[index]!; n++) if (nodes[n]!.tagName === 'input') return true;
  return false;
}

/** Elements that filters, forms and choices stand in. */
const CHOICE_TAGS = new Set(['form', 'fieldset', 'aside', 'nav', 'select', 'dialog']);
const MAX_TASK_LEVELS = 4;
/** A list of tasks, ingredients or steps is part of a text: a heading, a paragraph or its list stands around it. */
const TASK_ITEMS = new Set(['li', 'dd', 'td', 'p']);
/** Words in the names of such items, whatever their tags are. */
const TASK_WORDS = new Set(
  'ingredient ingredients recipe task tasks todo checklist instruction instructions'.split(' '),
);
const isNamedTask = (node: ElementNode) => classWords(node).some((word) => TASK_WORDS.has(word));

/**
 * Whether a label, or the checkbox in it, is an item to tick off: an ingredient, a step, a task. A filter of a list is in a form
 * or has a name or value that is sent.
 */
function isTask({ nodes, parent, end }: Outline, index: number): boolean {
  const isItem = (n: number) => TASK_ITEMS.has(nodes[n]!.tagName) || isNamedTask(nodes[n]!);
  let item = index;
  for (let up = 0; up < MAX_TASK_LEVELS && item > 0 && !isItem(item); up++) item = parent[item]!;
  if (!isItem(item)) return false;
  let isNamed = isNamedTask(nodes[item]!);
  for (let up = 0, n = parent[item]!; up < MAX_TASK_LEVELS && n > 0; up++, n = parent[n]!)
    isNamed ||= isNamedTask(nodes[n]!);
  let boxes = 0;
  for (let n = item + 1; n < end[item]!; n++) {
    const node = nodes[n]!;
    if (node.tagName !== 'input') continue;
    const isSent = (attributeOf(node, 'value') ?? 'on') !== 'on';
    if (attributeOf(node, 'type')?.toLowerCase() !== 'checkbox' || (isSent && !isNamed)) return false;
    boxes++;
  }
  if (boxes !== 1) return false;
  for (let n = parent[item]!; n > 0; n = parent[n]!) {
    if (CHOICE_TAGS.has(nodes[n]!.tagName)) return false;
    if (classWords(nodes[n]!).some((word) => FILTERS.has(word))) return false;
  }
  return true;
}

/** The outermost elements with a certain word in their class names or id. */
interface MarkedElements {
  readonly indexes: number[];
  text: number;
}

/**
 * The boilerplate by class names and ids: the outermost elements, in document order. On a page of teasers, the teasers are the
 * content: if a word for teasers marks much of the page's text, it is ignored.
 * @param outline without the result of `markupBoilerplate`
 */
export function namedBoilerplate(outline: Outline, context: BoilerplateContext): TreeNode[] {
  const { nodes, end } = outline;
  const leftOut: number[] = [];
  for (const [word, marked] of markedElements(outline, context)) {
    if (TEASER_WORDS.has(word) && marked.text > MOST_TEXT * outline.text[0]!) continue;
    const mayBeParts = PAGE_WORDS.has(word) && !context.comments;
    leftOut.push(...(mayBeParts ? withoutPartsOfItems(outline, marked.indexes) : marked.indexes));
  }
  leftOut.sort((a, b) => a - b);
  let coveredUntil = 0;
  const boilerplate: TreeNode[] = [];
  for (const n of leftOut) {
    if (n < coveredUntil) continue;
    boilerplate.push(nodes[n]!);
    coveredUntil = end[n]!;
  }
  return boilerplate;
}

/** So many elements of one shape are parts of items: a page has fewer menus, sidebars and footers of its own. */
const MIN_PARTS = 3;
/** They hold at least this share of the page's text; what holds less is a control. */
const PARTS_TEXT = 0.05;

/** The elements that are not parts of items, such as the footers of cards, with an author and a date. */
function withoutPartsOfItems(outline: Outline, indexes: readonly number[]): readonly number[] {
  const { text, linked } = outline;
  const left: number[] = [];
  for (const same of Map.groupBy(indexes, (n) => shapeOf(outline, n)).values()) {
    const sum = (values: Float64Array) => same.reduce((total, n) => total + values[n]!, 0);
    const isMenu = sum(linked) >= MOSTLY_LINKS * sum(text);
    if (same.length < MIN_PARTS || isMenu || sum(text) < PARTS_TEXT * text[0]!) left.push(...same);
  }
  return left;
}

function markedElements(outline: Outline, context: BoilerplateContext): Map<string, MarkedElements> {
  const { nodes, end, text } = outline;
  const byWord = new Map<string, MarkedElements>();
  /** Where an element ends that holds most of the page and is named after comments: inside, such words mean nothing. */
  let commentsEnd = 0;
  for (let n = 1; n < nodes.length; n++) {
    const word = text[n] === 0 ? null : nameReason(nodes[n]!, context);
    if (word === null) continue;
    const isComment = COMMENT_WORDS.has(word);
    if (isComment && n < commentsEnd) continue;
    const marked = byWord.get(word) ?? { indexes: [], text: 0 };
    const last = marked.indexes.at(-1);
    if (last !== undefined && n < end[last]!) continue;
    if (isMost(outline, n, word, context)) {
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

/**
 * Reviews of a product and consent layers are content only with a larger share of the sentences: they may be longer than the
 * content.
 */
const MOST_REVIEWS = 0.9;

/** Whether an element holds so much of the page that it cannot be boilerplate. */
function isMost(outline: Outline, index: number, word: string, { product }: BoilerplateContext): boolean {
  const { prose, text, linked } = outline;
  if (CONSENT_WORDS.has(word) && holdsTag(outline, index, NOT_IN_CONSENT)) return true;
  if ((product && word === REVIEWS) || CONSENT_WORDS.has(word))
    return prose[index]! > MOST_REVIEWS * prose[0]!;
  if (prose[index]! > MOST_PROSE * prose[0]!) return true;
  if (word === 'hidden' || COMMENT_WORDS.has(word)) return false;
  // An element named `pagination` may hold the items of the page.
  if (word === 'pagination') return text[index]! > MOST_PAGING * text[0]!;
  if (FILTERS.has(word) && prose[index]! > MOST_FILTER_PROSE * prose[0]!) return true;
  // A list of links is a menu.
  const isMenu = linked[index]! >= MOSTLY_LINKS * text[index]!;
  return !isMenu && text[index]! > MOST_TEXT * text[0]!;
}
