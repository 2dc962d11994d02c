import type { TreeNode } from '../page-tree.ts';
import { attributeOf } from './walk-tree.ts';

/** How an element takes part in text, by the style sheet that every browser begins with (WHATWG HTML §15.3). */
export type Display = 'none' | 'inline' | 'block' | 'paragraph' | 'pre' | 'cell' | 'row' | 'break';

const table = new Map<string, Display>();
const add = (display: Display, names: string) => {
  for (const name of names.split(' ')) table.set(name, display);
};
add('none', 'area base basefont datalist head link meta noembed noframes noscript param rp script style');
// What they hold is for browsers that do not know them, or is a value and not text.
add('none', 'template title audio video canvas iframe object embed textarea frameset progress meter');
add('block', 'html body address blockquote center dialog div figure figcaption footer form header hr legend');
add('block', 'main search article aside h1 h2 h3 h4 h5 h6 hgroup nav section dir dd dl dt menu ol ul li');
add('block', 'fieldset details summary optgroup option table caption');
add('paragraph', 'p');
add('pre', 'pre listing xmp plaintext');
add('cell', 'td th');
add('row', 'tr');
add('break', 'br');

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
const SVG = 'http://www.w3.org/2000/svg';
const MATHML = 'http://www.w3.org/1998/Math/MathML';
const HIDING = /none|hidden|collapse/i;
const DECLARATION =
  /(?:^|;)\s{0,20}(display|visibility)\s{0,20}:([^;!]*)(!\s{0,20}important\s{0,20})?(?=;|$)/gi;
const COMMENT = /\/\*.*?(?:\*\/|$)/gs;

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));
const ANY_PROPERTY = 'inherit initial unset revert revert-layer';
const VISIBILITY = words(`visible hidden collapse ${ANY_PROPERTY}`);
/** Of CSS Display §2: what stands alone, and what may stand beside others (`block flow`). */
const DISPLAY = words(
  `none contents inline-block inline-flex inline-grid inline-table table-row-group table-header-group table-footer-group table-row table-cell table-column-group table-column table-caption ruby-text -webkit-box -webkit-inline-box -webkit-flex -webkit-inline-flex ${ANY_PROPERTY}`,
);
const DISPLAY_PARTS = words('block inline flow flow-root flex grid table ruby math list-item');

/** Styles of the page itself are not known, except what stands in `hidden` and `style` of the element. */
export function displayOf(node: TreeNode): Display {
  const name = node.tagName!;
  const { namespaceURI: space, attrs } = node;
  if (space === SVG || space === MATHML) {
    if (NOT_DRAWN.has(name) || isHidden(node, false)) return 'none';
    return name === 'text' ? 'block' : 'inline';
  }
  const display = table.get(name) ?? 'inline';
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
  if (style === '' || (!bySheet && !HIDING.test(style))) return bySheet;
  const { display, visibility } = declaredIn(style);
  return (
    (display === null ? bySheet : display === 'none') || visibility === 'hidden' || visibility === 'collapse'
  );
}

interface Declared {
  readonly value: string;
  readonly important: boolean;
}

/**
 * Of several declarations the last one counts, one that is important before all others (CSS Cascading §6.1); one without
 * a value that there is counts for nothing (CSS Syntax §9).
 */
function declaredIn(style: string): { readonly display: string | null; readonly visibility: string | null } {
  const last = new Map<string, Declared>();
  for (const [, property, given, mark] of style.replace(COMMENT, ' ').matchAll(DECLARATION)) {
    const name = property!.toLowerCase();
    const value = given!.trim().toLowerCase();
    const important = mark !== undefined;
    if (!isValue(name, value) || (!important && last.get(name)?.important === true)) continue;
    last.set(name, { value, important });
  }
  return { display: last.get('display')?.value ?? null, visibility: last.get('visibility')?.value ?? null };
}

function isValue(property: string, value: string): boolean {
  // What it stands for is not known, but it is no mistake.
  if (value.startsWith('var(')) return true;
  if (property === 'visibility') return VISIBILITY.has(value);
  return DISPLAY.has(value) || value.split(/\s+/).every((word) => DISPLAY_PARTS.has(word));
}
