import type { ContentSelection } from './content-selection.ts';
import { attributeOf, parentOf, shownChildrenOf, type TreeNode, textContent } from './page-tree.ts';

/** How an element affects the text around it, by the default style sheet of browsers (WHATWG HTML §15.3). */
export type CssDisplay = 'none' | 'inline' | 'block' | 'paragraph' | 'pre' | 'cell' | 'row' | 'break';

const DISPLAY_BY_TAG = new Map<string, CssDisplay>();
const addDisplays = (display: CssDisplay, names: string) => {
  for (const name of names.split(' ')) DISPLAY_BY_TAG.set(name, display);
};
addDisplays(
  'none',
  'area base basefont datalist head link meta noembed noframes noscript param rp script style',
);
// Their content is a fallback for old browsers, or a value and not text.
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

/** Elements whose own text is only white space between rows, cells or options. */
export const NO_OWN_TEXT: ReadonlySet<string> = new Set(['tr', 'table', 'tbody', 'thead', 'tfoot', 'select']);
/** Elements of SVG and MathML that are not rendered. */
const NOT_RENDERED = new Set([
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
/** Values of `display` that are a single word (CSS Display §2). */
const DISPLAY_VALUES = wordSet(
  `none contents inline-block inline-flex inline-grid inline-table table-row-group table-header-group table-footer-group table-row table-cell table-column-group table-column table-caption ruby-text -webkit-box -webkit-inline-box -webkit-flex -webkit-inline-flex ${ANY_PROPERTY}`,
);
/** Words of `display` that can be combined, such as `block flow`. */
const DISPLAY_WORDS = wordSet('block inline flow flow-root flex grid table ruby math list-item');

/** Takes the attributes `hidden` and `style` into account. The style sheets of the page are not known. */
export function displayOf(node: TreeNode): CssDisplay {
  const name = node.tagName!;
  const { namespaceURI, attrs } = node;
  if (namespaceURI === SVG_NAMESPACE || namespaceURI === MATHML_NAMESPACE) {
    if (NOT_RENDERED.has(name) || isHidden(node, { hiddenByDefault: false })) return 'none';
    return name === 'text' ? 'block' : 'inline';
  }
  const display = DISPLAY_BY_TAG.get(name) ?? 'inline';
  if ((display === 'inline' || display === 'block') && isIcon(node)) return 'none';
  if (name === 'cite' && isSourceOfQuote(node)) return isHidden(node, SHOWN) ? 'none' : 'block';
  if (attrs === undefined || attrs.length === 0) return name === 'dialog' ? 'none' : display;
  return isHidden(node, { hiddenByDefault: isClosed(node) }) ? 'none' : display;
}

const SHOWN = { hiddenByDefault: false };
/** Icons may have some white space around them. */
const MAX_ICON_LENGTH = 60;
/** Fonts have their icons at characters for private use, or show one for a word such as `arrow_forward`. */
const PRIVATE_USE = /^[\p{Co}\s]+$/u;
const LIGATURE = /^\s*[a-z0-9]+(?:_[a-z0-9]+)*\s*$/;
const LIGATURE_FONT =
  /(?:^|\s)(?:google-)?material-(?:icons|symbols)(?:-(?:outlined|rounded|round|sharp|two-tone))?(?:\s|$)/;

/** Whether the only text of an element is an icon. */
function isIcon({ childNodes, attrs }: TreeNode): boolean {
  if (childNodes?.length !== 1) return false;
  const text = childNodes[0]!.value;
  if (text === undefined || text.length === 0 || text.length > MAX_ICON_LENGTH) return false;
  if (PRIVATE_USE.test(text)) return text.trim() !== '';
  const names = attrs?.find(({ name }) => name === 'class')?.value;
  return names !== undefined && LIGATURE_FONT.test(names) && LIGATURE.test(text);
}

/** White space and comments may stand after the last element. */
const MAX_TAIL = 4;

/** Whether a `cite` ends a `blockquote` without white space before it: pages show it on a line of its own. */
function isSourceOfQuote(cite: TreeNode): boolean {
  const parent = cite.parentNode;
  const quote = parent?.tagName === 'p' ? parent.parentNode : parent;
  if (parent == null || quote?.tagName !== 'blockquote') return false;
  const siblings = parent.childNodes!;
  const last = siblings
    .slice(-MAX_TAIL)
    .findLast(({ tagName, value = '' }) => tagName || value.trim() !== '');
  if (last !== cite) return false;
  const before = siblings[siblings.lastIndexOf(cite) - 1];
  return before !== undefined && before.tagName !== 'br' && !/\s$/.test(before.value ?? '');
}

/** Whether a dialog or popover is closed. No script has run that could have opened it. */
function isClosed(node: TreeNode): boolean {
  if (node.tagName === 'dialog') return attributeOf(node, 'open') === null;
  return attributeOf(node, 'popover') !== null;
}

/**
 * Whether an element is hidden by the browser's own style sheet or by its attribute `style`, which has precedence.
 * @param hiddenByDefault the browser's style sheet hides the element, also without the attribute `hidden`
 */
function isHidden(node: TreeNode, { hiddenByDefault }: { readonly hiddenByDefault: boolean }): boolean {
  let hidden = hiddenByDefault;
  let style = '';
  for (const { name, value } of node.attrs ?? []) {
    if (name === 'hidden' && value.toLowerCase() !== 'until-found') hidden = true;
    if (name === 'style') style = value;
  }
  if (style === '' || (!hidden && !HIDING_WORD.test(style))) return hidden;
  const { display, visibility } = declarationsIn(style);
  return (
    (display === null ? hidden : display === 'none') || visibility === 'hidden' || visibility === 'collapse'
  );
}

interface CssDeclaration {
  readonly value: string;
  readonly important: boolean;
}

/**
 * The last declaration of a property counts, but an important one has precedence (CSS Cascading §6.1). Declarations with
 * invalid values are ignored (CSS Syntax §9).
 */
function declarationsIn(style: string): {
  readonly display: string | null;
  readonly visibility: string | null;
} {
  const last = new Map<string, CssDeclaration>();
  for (const [, property, text, importance] of style.replace(COMMENT, ' ').matchAll(DECLARATION)) {
    const name = property!.toLowerCase();
    const value = text!.trim().toLowerCase();
    const important = importance !== undefined;
    if (!isValidValue(name, value) || (!important && last.get(name)?.important === true)) continue;
    last.set(name, { value, important });
  }
  return { display: last.get('display')?.value ?? null, visibility: last.get('visibility')?.value ?? null };
}

function isValidValue(property: string, value: string): boolean {
  // The value of a variable is not known, but the declaration is valid.
  if (value.startsWith('var(')) return true;
  if (property === 'visibility') return VISIBILITY_VALUES.has(value);
  return DISPLAY_VALUES.has(value) || value.split(/\s+/).every((word) => DISPLAY_WORDS.has(word));
}

/** White space that collapses (CSS Text §4.1.1); a no-break space is a character like any other. */
const COLLAPSIBLE_WHITESPACE = /[ \t\n\r\f]+/g;

/** Single letters may be parts of a word. */
const ENDS_IN_WORD = /[\p{L}\p{N}]{2}$/u;
const BEGINS_WITH_WORD = /^[\p{L}\p{N}]{2}/u;

/**
 * Builds text as for `innerText` (WHATWG HTML, "get the text steps"): white space also collapses across the borders of
 * elements; if several numbers of line breaks are required between two texts, the largest one counts.
 */
class InnerTextBuilder {
  readonly #pieces: string[] = [];
  readonly #maxLength: number;
  #length = 0;
  /** Required line breaks before the next text. */
  #breaks = 0;
  /** Collapsed white space before the next text. */
  #space = false;
  #lineStart = true;
  /** The next text is separated from the last by a space, if both are words. */
  #apart = false;
  #last = '';
  /** Text was left out. */
  isFull = false;

  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  /** Adds text whose white space collapses. */
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

  /** Adds text with all its white space. */
  addPreserved(text: string): void {
    if (text === '') return;
    this.#put(text.replaceAll(/\r\n?/g, '\n'));
    this.#lineStart = text.endsWith('\n') || text.endsWith('\r');
  }

  /** Words before and after this place are separated by a space, if by nothing else. */
  separateWords(): void {
    this.#apart = true;
  }

  /** Adds a line break or tab. */
  addBreak(character: string): void {
    this.#space = false;
    this.#put(character);
    this.#lineStart = true;
  }

  /** Starts the next text on a new line, after `breaks - 1` empty lines; does nothing at the beginning and at the end. */
  requireBreaks(breaks: number): void {
    if (this.#length > 0) this.#breaks = Math.max(this.#breaks, breaks);
    this.#space = false;
    this.#lineStart = true;
  }

  text(): string {
    return this.#pieces.join('');
  }

  #put(text: string): void {
    if (this.#breaks > 0) this.#add('\n'.repeat(this.#breaks));
    else if (this.#space || (this.#apart && ENDS_IN_WORD.test(this.#last) && BEGINS_WITH_WORD.test(text)))
      this.#add(' ');
    this.#apart = false;
    this.#last = text;
    this.#breaks = 0;
    this.#space = false;
    this.#lineStart = false;
    this.#add(text);
  }

  #add(text: string): void {
    if (this.isFull) return;
    const free = this.#maxLength - this.#length;
    if (text.length > free) this.isFull = true;
    const piece = text.length > free ? truncateText(text, free) : text;
    this.#pieces.push(piece);
    this.#length += piece.length;
  }
}

/** The first `maxLength` UTF-16 units, without half a surrogate pair at the end. */
export function truncateText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const last = text.charCodeAt(maxLength - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? maxLength - 1 : maxLength);
}

export interface VisibleText {
  readonly text: string;
  /** There is more text. */
  readonly truncated: boolean;
}

/** An element whose end tag is not reached yet. */
interface OpenElement {
  readonly children: readonly TreeNode[];
  /** Index of the next child. */
  nextIndex: number;
  readonly node: TreeNode;
  readonly display: CssDisplay;
  readonly preserved: boolean;
}

/**
 * The text that a reader of the page sees: `innerText` (WHATWG HTML, "get the text steps") with the browser's own style sheet
 * only. Blocks begin a new line, paragraphs are separated by empty lines, cells by tabs. Scripts, styles and elements hidden
 * by `hidden` or `style` are left out. White space collapses, except in `pre`.
 *
 * Unlike in browsers, the content of a closed `details` is included: it is one click away; icons of fonts are left out, and the
 * `cite` at the end of a quote begins a new line. The text of an element that is
 * itself not rendered (`title`, `script`) is its text content.
 * @param xml the names of HTML mean nothing: every element is a block
 * @param maxLength in UTF-16 units
 */
export function visibleText(root: TreeNode, xml: boolean, maxLength: number): VisibleText {
  return textOf(root, NOTHING, { xml, separated: false }, maxLength);
}

/**
 * The text of a selection: that of its roots, each as a paragraph of its own, without what is excluded. Words in links, or in
 * spans, that follow each other without white space are separated by a space.
 */
export function selectionText(
  { roots, excluded }: ContentSelection,
  xml: boolean,
  maxLength: number,
): VisibleText {
  let text = '';
  for (const root of roots) {
    const separator = text === '' ? '' : '\n\n';
    const free = Math.max(0, maxLength - text.length - separator.length);
    const next = textOf(root, excluded, { xml, separated: true }, free);
    if (next.text !== '') text += separator + next.text;
    if (next.truncated) return { text, truncated: true };
  }
  return { text, truncated: false };
}

const NOTHING: ReadonlySet<TreeNode> = new Set();

function textOf(
  root: TreeNode,
  excluded: ReadonlySet<TreeNode>,
  { xml, separated }: { readonly xml: boolean; readonly separated: boolean },
  maxLength: number,
): VisibleText {
  const lines = new InnerTextBuilder(maxLength);
  const rootDisplay = root.tagName === undefined ? 'block' : displayFor(root, xml);
  if (rootDisplay === 'none') {
    const text = textContent(root, maxLength + 1);
    return { text: text.slice(0, maxLength), truncated: text.length > maxLength };
  }
  const open: OpenElement[] = [openElement(root, rootDisplay, insidePre(root, xml))];
  while (open.length > 0 && !lines.isFull) {
    const frame = open[open.length - 1]!;
    const node = frame.children[frame.nextIndex++];
    if (node === undefined) {
      open.pop();
      endElement(frame, open, lines);
    } else if (node.value !== undefined) {
      if (frame.preserved) lines.addPreserved(node.value);
      else if (!isBetweenCells(frame, xml)) lines.addCollapsible(node.value);
    } else if (node.tagName !== undefined && !excluded.has(node)) {
      const display = displayFor(node, xml);
      if (display === 'break') lines.addBreak('\n');
      else if (display !== 'none') {
        beginBlock(display, lines);
        if (separated && display === 'inline' && followsItsLike(frame)) lines.separateWords();
        open.push(openElement(node, display, frame.preserved || display === 'pre'));
      }
    }
  }
  return { text: lines.text(), truncated: lines.isFull };
}

/** Links and spans that follow each other without white space: style sheets set them apart, as in menus of tags. */
function followsItsLike({ children, nextIndex, preserved }: OpenElement): boolean {
  const { tagName } = children[nextIndex - 1]!;
  if (preserved || (tagName !== 'a' && tagName !== 'span')) return false;
  return children[nextIndex - 2]?.tagName === tagName;
}

export function displayFor(node: TreeNode, xml: boolean): CssDisplay {
  return xml ? 'block' : displayOf(node);
}

const openElement = (node: TreeNode, display: CssDisplay, preserved: boolean): OpenElement => ({
  children: shownChildrenOf(node),
  nextIndex: 0,
  node,
  display,
  preserved,
});

function insidePre(root: TreeNode, xml: boolean): boolean {
  if (xml) return false;
  // The parent of a document is undefined.
  for (let node: TreeNode | null = root; node?.tagName !== undefined; node = parentOf(node))
    if (displayOf(node) === 'pre') return true;
  return false;
}

function isBetweenCells({ node }: OpenElement, xml: boolean): boolean {
  return !xml && node.tagName !== undefined && NO_OWN_TEXT.has(node.tagName);
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

/** Whether the open element at `depth` has a later child for which `matches` returns true. */
function hasLaterSibling(
  open: readonly OpenElement[],
  depth: number,
  matches: (name: string, node: TreeNode) => boolean,
): boolean {
  const frame = open[depth];
  if (frame === undefined) return false;
  for (let index = frame.nextIndex; index < frame.children.length; index++) {
    const node = frame.children[index]!;
    if (node.tagName !== undefined && matches(node.tagName, node)) return true;
  }
  return false;
}
