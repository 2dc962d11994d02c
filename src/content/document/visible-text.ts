import { attributeOf, parentOf, shownChildrenOf, type TreeNode, textContent } from './page-tree.ts';

/** How an element takes part in text, by the style sheet that every browser begins with (WHATWG HTML §15.3). */
type CssDisplay = 'none' | 'inline' | 'block' | 'paragraph' | 'pre' | 'cell' | 'row' | 'break';

const DISPLAY_BY_TAG = new Map<string, CssDisplay>();
const addDisplays = (display: CssDisplay, names: string) => {
  for (const name of names.split(' ')) DISPLAY_BY_TAG.set(name, display);
};
addDisplays(
  'none',
  'area base basefont datalist head link meta noembed noframes noscript param rp script style',
);
// What they hold is for browsers that do not know them, or is a value and not text.
addDisplays('none', 'template title audio video canvas iframe object embed textarea frameset progress meter');
addDisplays(
  'block',
  'html body address blockquote center dialog div figure figcaption footer form header hr legend',
);
addDisplays(
  'block',
  'main search article aside h1 h2 h3 h4 h5 h6 hgroup nav section dir dd dl dt menu ol ul li',
);
addDisplays('block', 'fieldset details summary optgroup option table caption');
addDisplays('paragraph', 'p');
addDisplays('pre', 'pre listing xmp plaintext');
addDisplays('cell', 'td th');
addDisplays('row', 'tr');
addDisplays('break', 'br');

/** Parts of SVG and MathML that are not drawn. */
const NOT_DRAWN = new Set([
  'title',
  'desc',
  'defs',
  'metadata',
  'style',
  'script',
  'annotation',
  'annotation-xml',
]);
const SVG_NAMESPACE = 'http://www.w3.org/2000/svg';
const MATHML_NAMESPACE = 'http://www.w3.org/1998/Math/MathML';
const HIDING_WORD = /none|hidden|collapse/i;
const DECLARATION =
  /(?:^|;)\s{0,20}(display|visibility)\s{0,20}:([^;!]*)(!\s{0,20}important\s{0,20})?(?=;|$)/gi;
const COMMENT = /\/\*.*?(?:\*\/|$)/gs;

const wordSet = (text: string): ReadonlySet<string> => new Set(text.split(' '));
const ANY_PROPERTY = 'inherit initial unset revert revert-layer';
const VISIBILITY_VALUES = wordSet(`visible hidden collapse ${ANY_PROPERTY}`);
/** Of CSS Display §2: what stands alone, and what may stand beside others (`block flow`). */
const DISPLAY_VALUES = wordSet(
  `none contents inline-block inline-flex inline-grid inline-table table-row-group table-header-group table-footer-group table-row table-cell table-column-group table-column table-caption ruby-text -webkit-box -webkit-inline-box -webkit-flex -webkit-inline-flex ${ANY_PROPERTY}`,
);
const DISPLAY_PARTS = wordSet('block inline flow flow-root flex grid table ruby math list-item');

/** Styles of the page itself are not known, except what stands in `hidden` and `style` of the element. */
function displayOf(node: TreeNode): CssDisplay {
  const name = node.tagName!;
  const { namespaceURI: space, attrs } = node;
  if (space === SVG_NAMESPACE || space === MATHML_NAMESPACE) {
    if (NOT_DRAWN.has(name) || isHidden(node, false)) return 'none';
    return name === 'text' ? 'block' : 'inline';
  }
  const display = DISPLAY_BY_TAG.get(name) ?? 'inline';
  if (attrs === undefined || attrs.length === 0) return name === 'dialog' ? 'none' : display;
  return isHidden(node, isClosed(node)) ? 'none' : display;
}

/** Nothing has opened it: no script has run. */
function isClosed(node: TreeNode): boolean {
  if (node.tagName === 'dialog') return attributeOf(node, 'open') === null;
  return attributeOf(node, 'popover') !== null;
}

/** What `style` says of it goes before `hidden` and `byName`, which are of the browser's own style sheet. */
function isHidden(node: TreeNode, byName: boolean): boolean {
  let bySheet = byName;
  let style = '';
  for (const { name, value } of node.attrs ?? []) {
    if (name === 'hidden' && value.toLowerCase() !== 'until-found') bySheet = true;
    if (name === 'style') style = value;
  }
  if (style === '' || (!bySheet && !HIDING_WORD.test(style))) return bySheet;
  const { display, visibility } = declarationsIn(style);
  return (
    (display === null ? bySheet : display === 'none') || visibility === 'hidden' || visibility === 'collapse'
  );
}

interface CssDeclaration {
  readonly value: string;
  readonly important: boolean;
}

/**
 * Of several declarations the last one counts, one that is important before all others (CSS Cascading §6.1); one without
 * a value that there is counts for nothing (CSS Syntax §9).
 */
function declarationsIn(style: string): {
  readonly display: string | null;
  readonly visibility: string | null;
} {
  const last = new Map<string, CssDeclaration>();
  for (const [, property, given, mark] of style.replace(COMMENT, ' ').matchAll(DECLARATION)) {
    const name = property!.toLowerCase();
    const value = given!.trim().toLowerCase();
    const important = mark !== undefined;
    if (!isValidValue(name, value) || (!important && last.get(name)?.important === true)) continue;
    last.set(name, { value, important });
  }
  return { display: last.get('display')?.value ?? null, visibility: last.get('visibility')?.value ?? null };
}

function isValidValue(property: string, value: string): boolean {
  // What it stands for is not known, but it is no mistake.
  if (value.startsWith('var(')) return true;
  if (property === 'visibility') return VISIBILITY_VALUES.has(value);
  return DISPLAY_VALUES.has(value) || value.split(/\s+/).every((word) => DISPLAY_PARTS.has(word));
}

/** White space that collapses (CSS Text §4.1.1); a no-break space is a character like any other. */
const COLLAPSIBLE_WHITESPACE = /[ \t\n\r\f]+/g;

/**
 * Text as it is put together for `innerText` (WHATWG HTML, "get the text steps"): white space collapses over the borders
 * of elements, and of line breaks that are required between two texts the most count.
 */
class InnerTextBuilder {
  readonly #pieces: string[] = [];
  readonly #most: number;
  #length = 0;
  /** Required line breaks before the next text. */
  #breaks = 0;
  /** Collapsed white space before the next text. */
  #space = false;
  #lineStart = true;
  /** Something was left out. */
  isFull = false;

  /** @param most characters; what is more is left out */
  constructor(most: number) {
    this.#most = most;
  }

  /** Text whose white space collapses. */
  addCollapsible(text: string): void {
    const plain = text.replace(COLLAPSIBLE_WHITESPACE, ' ');
    if (plain === '') return;
    if (plain === ' ') {
      this.#space = !this.#lineStart;
      return;
    }
    const from = plain.startsWith(' ') ? 1 : 0;
    const to = plain.endsWith(' ') ? plain.length - 1 : plain.length;
    if (from === 1) this.#space = !this.#lineStart;
    this.#put(plain.slice(from, to));
    this.#space = to < plain.length;
  }

  /** Text of which every character counts. */
  addPreserved(text: string): void {
    if (text === '') return;
    this.#put(text.replaceAll(/\r\n?/g, '\n'));
    this.#lineStart = text.endsWith('\n') || text.endsWith('\r');
  }

  /** A line break, tabulator or the like that stands in the text. */
  addBreak(character: string): void {
    this.#space = false;
    this.#put(character);
    this.#lineStart = true;
  }

  /** The next text begins on a new line, after `breaks - 1` empty ones; at the beginning and the end there are none. */
  requireBreaks(breaks: number): void {
    if (this.#length > 0) this.#breaks = Math.max(this.#breaks, breaks);
    this.#space = false;
    this.#lineStart = true;
  }

  /** All of it. */
  text(): string {
    return this.#pieces.join('');
  }

  #put(text: string): void {
    if (this.#breaks > 0) this.#add('\n'.repeat(this.#breaks));
    else if (this.#space) this.#add(' ');
    this.#breaks = 0;
    this.#space = false;
    this.#lineStart = false;
    this.#add(text);
  }

  #add(text: string): void {
    if (this.isFull) return;
    const room = this.#most - this.#length;
    if (text.length > room) this.isFull = true;
    const kept = text.length > room ? truncateText(text, room) : text;
    this.#pieces.push(kept);
    this.#length += kept.length;
  }
}

/** The first `most` UTF-16 units, but never half of a pair. */
export function truncateText(text: string, most: number): string {
  if (text.length <= most) return text;
  const last = text.charCodeAt(most - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? most - 1 : most);
}

export interface VisibleText {
  readonly text: string;
  /** It is only the beginning. */
  readonly truncated: boolean;
}

interface OpenElement {
  readonly children: readonly TreeNode[];
  at: number;
  readonly node: TreeNode;
  readonly display: CssDisplay;
  readonly preserved: boolean;
}

/**
 * The text that a reader of the page sees, as `innerText` gives it (WHATWG HTML, "get the text steps") where only the
 * browser's own style sheet counts: a block begins a new line, a paragraph leaves an empty one, cells are parted by
 * tabulators; scripts, styles and what `hidden` or `style` hides are left out; white space collapses, except in `pre`.
 *
 * What a closed `details` folds up is read, other than by browsers: it is one click away. An element that is not shown
 * itself (`title`, `script`) gives all its text.
 * @param xml names mean nothing: every element is a block
 * @param most UTF-16 units
 */
export function visibleText(root: TreeNode, xml: boolean, most: number): VisibleText {
  const lines = new InnerTextBuilder(most);
  const rootDisplay = root.tagName === undefined ? 'block' : displayFor(root, xml);
  if (rootDisplay === 'none') {
    const text = textContent(root, most + 1);
    return { text: text.slice(0, most), truncated: text.length > most };
  }
  const open: OpenElement[] = [openElement(root, rootDisplay, insidePre(root, xml))];
  while (open.length > 0 && !lines.isFull) {
    const frame = open[open.length - 1]!;
    const node = frame.children[frame.at++];
    if (node === undefined) {
      open.pop();
      endElement(frame, open, lines);
    } else if (node.value !== undefined) {
      if (frame.preserved) lines.addPreserved(node.value);
      else if (!betweenCells(frame, xml)) lines.addCollapsible(node.value);
    } else if (node.tagName !== undefined) {
      const display = displayFor(node, xml);
      if (display === 'break') lines.addBreak('\n');
      else if (display !== 'none') {
        beginBlock(display, lines);
        open.push(openElement(node, display, frame.preserved || display === 'pre'));
      }
    }
  }
  return { text: lines.text(), truncated: lines.isFull };
}

function displayFor(node: TreeNode, xml: boolean): CssDisplay {
  return xml ? 'block' : displayOf(node);
}

const openElement = (node: TreeNode, display: CssDisplay, preserved: boolean): OpenElement => ({
  children: shownChildrenOf(node),
  at: 0,
  node,
  display,
  preserved,
});

function insidePre(root: TreeNode, xml: boolean): boolean {
  // A document has no parent.
  for (let at: TreeNode | null = root; !xml && at?.tagName !== undefined; at = parentOf(at))
    if (displayOf(at) === 'pre') return true;
  return false;
}

/** White space between rows and cells makes no text; other text cannot stand there. */
function betweenCells({ node }: OpenElement, xml: boolean): boolean {
  if (xml) return false;
  const name = node.tagName;
  return (
    name === 'tr' ||
    name === 'table' ||
    name === 'tbody' ||
    name === 'thead' ||
    name === 'tfoot' ||
    name === 'select'
  );
}

function beginBlock(display: CssDisplay, lines: InnerTextBuilder): void {
  if (display === 'block' || display === 'pre') lines.requireBreaks(1);
  else if (display === 'paragraph') lines.requireBreaks(2);
}

function endElement({ display }: OpenElement, open: readonly OpenElement[], lines: InnerTextBuilder): void {
  beginBlock(display, lines);
  if (display === 'cell') {
    if (hasLaterSibling(open, open.length - 1, (name) => name === 'td' || name === 'th'))
      lines.addBreak('\t');
  } else if (display === 'row') {
    const section = open[open.length - 1]?.node.tagName;
    const inSection = section === 'tbody' || section === 'thead' || section === 'tfoot';
    const last = open.length - 1;
    if (hasLaterSibling(open, last, isRow) || (inSection && hasLaterSibling(open, last - 1, isRowHolder)))
      lines.addBreak('\n');
  }
}

const isRow = (name: string): boolean => name === 'tr';
const isRowHolder = (name: string, node: TreeNode): boolean =>
  name === 'tr' ||
  ((name === 'tbody' || name === 'thead' || name === 'tfoot') &&
    node.childNodes!.some((child) => child.tagName === 'tr'));

/** Whether a sibling that still follows in that frame is one. */
function hasLaterSibling(
  open: readonly OpenElement[],
  depth: number,
  is: (name: string, node: TreeNode) => boolean,
): boolean {
  const frame = open[depth];
  if (frame === undefined) return false;
  for (let at = frame.at; at < frame.children.length; at++) {
    const node = frame.children[at]!;
    if (node.tagName !== undefined && is(node.tagName, node)) return true;
  }
  return false;
}
