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
add('none', 'template title audio video canvas iframe object embed textarea frameset');
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
  /(?:^|;)\s{0,20}(display|visibility)\s{0,20}:\s{0,20}([a-z-]+)\s{0,20}(!\s{0,20}important)?/gi;

/** Styles of the page itself are not known, except what stands in `hidden` and `style` of the element. */
export function displayOf(node: TreeNode): Display {
  const name = node.tagName!;
  const { namespaceURI: space, attrs } = node;
  if (space === SVG || space === MATHML) {
    if (NOT_DRAWN.has(name) || isHidden(node)) return 'none';
    return name === 'text' ? 'block' : 'inline';
  }
  const display = table.get(name) ?? 'inline';
  if (attrs === undefined || attrs.length === 0) return name === 'dialog' ? 'none' : display;
  if (name === 'dialog' && attributeOf(node, 'open') === null) return 'none';
  return isHidden(node) ? 'none' : display;
}

function isHidden(node: TreeNode): boolean {
  for (const { name, value } of node.attrs ?? []) {
    if (name === 'hidden' && value.toLowerCase() !== 'until-found') return true;
    if (name === 'style' && HIDING.test(value) && hides(value)) return true;
  }
  return false;
}

/** Of several declarations the last one counts, one that is important before all others (CSS Cascading §6.1). */
function hides(style: string): boolean {
  const last = new Map<string, { readonly value: string; readonly important: boolean }>();
  for (const [, property, value, mark] of style.matchAll(DECLARATION)) {
    const name = property!.toLowerCase();
    const important = mark !== undefined;
    if (important || last.get(name)?.important !== true)
      last.set(name, { value: value!.toLowerCase(), important });
  }
  const visibility = last.get('visibility')?.value;
  return last.get('display')?.value === 'none' || visibility === 'hidden' || visibility === 'collapse';
}
